import { Badge } from "../../components/badge.tsx";

/** Active, failing or disabled, from the record and what is known of its health. */
export function StateBadge({ isActive, failingSince }: { isActive: boolean; failingSince: string | null }) {
  if (!isActive) return <Badge dot>Disabled</Badge>;
  if (failingSince !== null)
    return (
      <Badge tone="danger" dot>
        Failing
      </Badge>
    );
  return (
    <Badge tone="success" dot>
      Active
    </Badge>
  );
}

import type { WebhookHealth } from "../../api/webhooks.ts";
import { Badge } from "../../components/badge.tsx";

interface StateBadgeProps {
  isActive: boolean;
  /** Undefined while it loads or when it could not be read: then nothing is claimed about deliveries. */
  health: Pick<WebhookHealth, "failing_since"> | null | undefined;
}

/** Active, failing or disabled. A webhook whose health is not known is enabled, and no more is said. */
export function StateBadge({ isActive, health }: StateBadgeProps) {
  if (!isActive) return <Badge dot>Disabled</Badge>;
  if (!health) return <Badge dot>Enabled</Badge>;
  return health.failing_since === null ? (
    <Badge tone="success" dot>
      Active
    </Badge>
  ) : (
    <Badge tone="danger" dot>
      Failing
    </Badge>
  );
}

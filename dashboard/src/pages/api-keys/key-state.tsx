import { type ApiKey, type KeyState, stateOf } from "../../api/api-keys.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";

const STATES: Record<KeyState, { title: string; tone: BadgeTone }> = {
  active: { title: "Active", tone: "success" },
  paused: { title: "Paused", tone: "warning" },
  expired: { title: "Expired", tone: "neutral" },
  revoked: { title: "Revoked", tone: "danger" },
};

export function KeyStateBadge({ apiKey }: { apiKey: ApiKey }) {
  const { title, tone } = STATES[stateOf(apiKey)];
  return (
    <Badge tone={tone} dot>
      {title}
    </Badge>
  );
}

import { type ApiKey, type KeyState, stateOf } from "../../api/api-keys.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { t } from "../../lib/texts.ts";

const STATES: Record<KeyState, { title: string; tone: BadgeTone }> = {
  active: { title: t("Active"), tone: "success" },
  paused: { title: t("Paused"), tone: "warning" },
  expired: { title: t("Expired"), tone: "neutral" },
  revoked: { title: t("Revoked"), tone: "danger" },
};

export function KeyStateBadge({ apiKey }: { apiKey: ApiKey }) {
  const { title, tone } = STATES[stateOf(apiKey)];
  return (
    <Badge tone={tone} dot>
      {title}
    </Badge>
  );
}

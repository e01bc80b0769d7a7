import type { WebhookHealth } from "../../api/webhooks.ts";
import { Badge } from "../../components/badge.tsx";
import { t } from "../../lib/texts.ts";
import { type FailureState, useFailureState } from "./failing.ts";

interface StateBadgeProps {
  isActive: boolean;
  /** Undefined while it loads or when it could not be read: then nothing is claimed about deliveries. */
  health: Pick<WebhookHealth, "failing_since"> | null | undefined;
}

/** Active, retrying, failing or disabled. A webhook whose health is not known is enabled, and no more is said. */
export function StateBadge({ isActive, health }: StateBadgeProps) {
  const failure = useFailureState(health?.failing_since ?? null);
  if (!isActive) return <Badge dot>{t("Disabled")}</Badge>;
  if (!health) return <Badge dot>{t("Enabled")}</Badge>;
  const { tone, title } = BADGES[failure];
  return (
    <Badge tone={tone} dot>
      {title}
    </Badge>
  );
}

const BADGES = {
  none: { tone: "success", title: t("Active") },
  retrying: { tone: "warning", title: t("Retrying") },
  failing: { tone: "danger", title: t("Failing") },
} as const satisfies Record<FailureState, object>;

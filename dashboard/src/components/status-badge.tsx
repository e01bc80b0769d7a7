import type { Conversation } from "@parley/client";
import { t } from "../lib/texts.ts";
import { Badge, type BadgeTone } from "./badge.tsx";

const STATUSES: Record<Conversation["status"], { title: string; tone: BadgeTone }> = {
  open: { title: t("Open"), tone: "success" },
  pending: { title: t("Pending"), tone: "info" },
  snoozed: { title: t("Snoozed"), tone: "warning" },
  resolved: { title: t("Resolved"), tone: "neutral" },
};

export const statusName = (status: Conversation["status"]): string => STATUSES[status].title;

/** The status of a conversation, in the same color everywhere. */
export const StatusBadge = ({ status }: Pick<Conversation, "status">) => (
  <Badge tone={STATUSES[status].tone} dot>
    {STATUSES[status].title}
  </Badge>
);

import type { Conversation } from "@parley/client";
import { Badge, type BadgeTone } from "./badge.tsx";

const STATUSES: Record<Conversation["status"], { title: string; tone: BadgeTone }> = {
  open: { title: "Open", tone: "success" },
  pending: { title: "Pending", tone: "info" },
  snoozed: { title: "Snoozed", tone: "warning" },
  resolved: { title: "Resolved", tone: "neutral" },
};

/** The status of a conversation, in the same color everywhere. */
export const StatusBadge = ({ status }: Pick<Conversation, "status">) => (
  <Badge tone={STATUSES[status].tone} dot>
    {STATUSES[status].title}
  </Badge>
);

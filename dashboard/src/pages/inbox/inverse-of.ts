import { type BulkChange, type Conversation, NOBODY } from "../../api/conversations.ts";
import { serverNow } from "../../lib/server-clock.ts";

/** What puts a change back, as the conversation was before it. Labels that it had already are not part of the change. */
export function inverseOf(change: BulkChange, before: Conversation): BulkChange {
  const { status, snoozed_until: until, labels } = before;
  const wakesLater = until !== null && Date.parse(until) > serverNow().getTime();
  const added = change.add_labels?.filter((label) => !labels.includes(label)) ?? [];
  const removed = change.remove_labels?.filter((label) => labels.includes(label)) ?? [];
  return {
    ...(change.status ? { status, ...(status === "snoozed" && wakesLater ? { snoozed_until: until } : {}) } : {}),
    ...(change.assignee_id === undefined ? {} : { assignee_id: before.assignee?.id ?? NOBODY }),
    ...(change.priority === undefined ? {} : { priority: before.priority ?? "" }),
    ...(added.length > 0 ? { remove_labels: added } : {}),
    ...(removed.length > 0 ? { add_labels: removed } : {}),
  };
}

import { t } from "../lib/texts.ts";
import { ApiError, api, apiVersioned, conflict, ifMatch } from "./client.ts";
import type { Conversation, ConversationChange } from "./conversations.ts";

/** Changes the assignee. Of two people who take a conversation at once, one reads that the other has it. */
export async function assign(id: number, change: ConversationChange, replacing: number | null): Promise<Conversation> {
  const path = `/conversations/${id}`;
  const { record, etag } = await apiVersioned<Conversation>("GET", path);
  const holder = record.assignee;
  if ((holder?.id ?? null) !== replacing && holder?.id !== change.assignee_id)
    throw conflict(holder ? t("{name} has it now.", { name: holder.name }) : t("Nobody has it any more."));
  try {
    return await api<Conversation>("PATCH", path, { body: change, ...ifMatch(etag) });
  } catch (error) {
    // Something has changed since; whether it was the assignee is found by trying again.
    if (error instanceof ApiError && error.status === 412) return assign(id, change, replacing);
    throw error;
  }
}

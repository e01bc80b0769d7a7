import type { Actor } from "../core/actor.ts";
import type { EventType } from "../events/catalogue.ts";
import { findConversation } from "./conversation-find.ts";
import type { WholeConversation } from "./conversation-row.ts";
import type { WriteContext } from "./write-context.ts";

/** Appends events with the conversation as it is now, in this transaction. */
export async function appendConversationEvents(
  { tx, outbox, caller }: WriteContext,
  conversationId: number,
  types: readonly EventType[],
  actor: Actor,
): Promise<WholeConversation> {
  const { workspaceId } = caller;
  const data = await findConversation(tx, workspaceId, { id: conversationId });
  for (const type of types) await outbox.append(tx, { workspaceId, type, data, actor });
  return data;
}

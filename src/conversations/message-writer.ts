import type { Caller } from "../core/caller.ts";
import type { Ref } from "../core/ids.ts";
import { type Database, sql } from "../db/database.ts";
import { createWriteBatcher } from "../db/write-batcher.ts";
import type { Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { holdByNewMessage, holdsFiles, linkedAttachments, resolveAttachments } from "./attachments.ts";
import { appendConversationEvents } from "./conversation-events.ts";
import { lockForMessage } from "./conversation-find.ts";
import { mentionedMembers, recordMentions } from "./mentions.ts";
import { insertMessages, type MessageInput, type MessageInputOptions, messageInput } from "./message-insert.ts";
import type { NewMessage, ResolvedMessage } from "./new-message.ts";
import { type AttachContext, composeReply } from "./reply-mail.ts";
import type { WriteContext } from "./write-context.ts";

/** Writes messages, together with those of other requests where the transaction may be left. */
export interface MessageWriter {
  create(write: AttachContext, conversation: Ref, message: NewMessage): Promise<MessageRecord>;
}

export function createMessageWriter(db: Database, outbox: Outbox): MessageWriter {
  const batcher = createWriteBatcher<MessageInput, MessageRecord | null>({
    workspaceOf: ({ workspace_id }) => workspace_id,
    targetOf: ({ conversation_id, conversation_uuid }) => String(conversation_id ?? conversation_uuid),
    sizeOf: ({ body }) => body.length,
    writeOne: async (input) => (await db.singleStatement((tx) => insertMessages(tx, outbox, [input])))[0] ?? null,
    writeBatch: (inputs) => db.singleStatement((tx) => insertMessages(tx, outbox, inputs, { lockWait: "short" })),
  });
  return {
    async create(write, conversation, message) {
      const { caller, tx } = write;
      if (!canBeBatched(caller, message) || !tx.leave()) return createMessage(write, conversation, message);
      const written = await batcher.write(messageInput(caller, conversation, withLinkedAttachments(message)));
      // Null: not written. A transaction reopens the conversation, or reports that it does not exist.
      if (written) return written;
      const { workspaceId } = caller;
      return db.transaction((own) => createUnderLock({ ...write, tx: own }, conversation, message), { workspaceId });
    },
  };
}

/** A user's reply may assign the conversation or mention members, and uploaded files have to be locked: these read rows first. */
const canBeBatched = ({ actor }: Caller, { attachments, email, mentions }: NewMessage): boolean =>
  actor.type !== "user" && !holdsFiles(attachments) && !email && !mentions?.length;

const withLinkedAttachments = (message: NewMessage): ResolvedMessage => ({
  ...message,
  attachments: linkedAttachments(message.attachments),
});

const assignsStatement = sql(
  "message_assigns",
  `select 1
   from workspaces w
   where w.id = $1
     and w.assign_on_first_reply
     and not exists (
       select
       from messages m
       where m.workspace_id = $1
         and m.conversation_id = $2
         and m.direction = 'out'
         and not m.private
         and m.sender_type = 'user')`,
);
const reopenStatement = sql(
  "conversation_reopen",
  `update conversations
   set status = 'open',
     snoozed_until = null
   where workspace_id = $1
     and id = $2`,
);
const assignStatement = sql(
  "conversation_assign",
  `update conversations
   set assignee_id = $3
   where workspace_id = $1
     and id = $2`,
);

/** Writes a message and the changes to its conversation that follow from it. The event of the message comes first. */
export async function createMessage(
  write: AttachContext,
  conversation: Ref,
  message: NewMessage,
  options: Pick<MessageInputOptions, "draft" | "mail"> = {},
): Promise<MessageRecord> {
  const { tx, outbox, caller } = write;
  if (canBeBatched(caller, message)) {
    const input = messageInput(caller, conversation, withLinkedAttachments(message), options);
    const [written] = await insertMessages(tx, outbox, [input]);
    if (written) return written;
  }
  return createUnderLock(write, conversation, message, options);
}

/** The same for a message that may change its conversation or hold files: the conversation is locked and read first. */
async function createUnderLock(
  write: AttachContext,
  conversation: Ref,
  message: NewMessage,
  options: Pick<MessageInputOptions, "draft" | "mail"> = {},
): Promise<MessageRecord> {
  const { tx, outbox, caller } = write;
  const { workspaceId, actor } = caller;
  const locked = await lockForMessage(tx, workspaceId, conversation);
  const mayReopen = message.direction === "in" && options.mail?.reopens !== false;
  const reopens = mayReopen && ["snoozed", "resolved"].includes(locked.status);
  const assigns = locked.assignee_id === null && (await assignsOnReply(write, message, locked.id));
  const fromDraft = options.draft !== undefined;
  const attachments = await resolveAttachments(write, message.attachments, { fromDraft });
  if (reopens) await tx.query(reopenStatement, [workspaceId, locked.id]);
  if (assigns) await tx.query(assignStatement, [workspaceId, locked.id, actor.id]);
  const mail = options.mail ? null : await composeReply(write, { conversation: locked, message, attachments });
  const mentioned = await mentionedMembers(write, message);
  const input = messageInput(
    caller,
    { id: locked.id },
    { ...message, attachments },
    {
      ...options,
      mail: mail?.fields ?? options.mail,
      mentions: mentioned.map(({ id }) => id),
    },
  );
  const [written] = await insertMessages(tx, outbox, [input]);
  if (!written) throw new Error("A message to a locked conversation was not written.");
  await holdByNewMessage(write, written);
  await mail?.queue(tx, written);
  if (reopens) await appendConversationEvents(write, locked.id, ["conversation.status_changed"], { ...written.sender });
  if (assigns) await appendConversationEvents(write, locked.id, ["conversation.assigned"], actor);
  await recordMentions(write, written, mentioned);
  return written;
}

/** A conversation that has no id yet, and so no messages. */
const NEW_CONVERSATION = 0;

/** Whether a person becomes the assignee by this message, the first public reply of a person or the opening one. */
export async function assignsOnReply(
  { tx, caller }: WriteContext,
  message: NewMessage | undefined,
  conversationId = NEW_CONVERSATION,
): Promise<boolean> {
  if (!message || caller.actor.type !== "user" || message.direction === "in" || message.private) return false;
  return (await tx.query(assignsStatement, [caller.workspaceId, conversationId])).length > 0;
}

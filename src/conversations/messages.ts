import { isDeepStrictEqual } from "node:util";
import { conflict, found, invalid, problems } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { comparable, holdAttached, resolveAttachments, withRenewedLinks } from "./attachments.ts";
import { lockForMessage } from "./conversation-find.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./message-record.ts";
import { isNamedBy, type Named } from "./named-resources.ts";
import type { NewMessage } from "./new-message.ts";
import type { AttachContext } from "./reply-mail.ts";
import type { WriteContext } from "./write-context.ts";

/** `direction` and `conversation_id` cannot be changed; they may be given as they are. */
interface MessagePatch extends NewMessage {
  conversation_id?: Named | undefined;
}

const FROM_NAMED = `from messages m
   where m.workspace_id = $1
     and (m.id = $4 or m.uuid = $5)
     and m.conversation_id = (
       select id
       from conversations
       where workspace_id = $1
         and (id = $2 or uuid = $3))`;
const findStatement = sql("message_find", `select ${MESSAGE_COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("message_lock", `select ${MESSAGE_COLUMNS} ${FROM_NAMED} for update`);
const updateStatement = sql(
  "message_update",
  `update messages m
   set body = $3,
     private = $4,
     attachments = $5,
     updated_at = greatest(m.updated_at, now())
   where m.workspace_id = $1
     and m.id = $2
   returning ${MESSAGE_COLUMNS}`,
);
const deleteStatement = sql(
  "message_delete",
  `with deleted as (
     delete from messages
     where workspace_id = $1
       and id = $2
     returning workspace_id, conversation_id
   )

   update conversations
   set messages_deleted = messages_deleted + 1
   from deleted
   where conversations.workspace_id = deleted.workspace_id
     and conversations.id = deleted.conversation_id`,
);
const recomputeStatement = sql(
  "conversation_recompute",
  `update conversations c
   set last_message_at = (
       select m.created_at
       from messages m
       where m.workspace_id = $1
         and m.conversation_id = $2
       order by m.seq desc
       limit 1),
     last_in_seq = coalesce((
       select m.seq
       from messages m
       where m.workspace_id = $1
         and m.conversation_id = $2
         and m.direction = 'in'
       order by m.seq desc
       limit 1), 0),
     waiting_since = (
       select m.created_at
       from messages m
       where m.workspace_id = $1
         and m.conversation_id = $2
         and m.direction = 'in'
         and coalesce(m.email ->> 'automatic', 'false') = 'false'
         and m.seq > coalesce((
           select reply.seq
           from messages reply
           where reply.workspace_id = $1
             and reply.conversation_id = $2
             and reply.direction = 'out'
             and not reply.private
           order by reply.seq desc
           limit 1), 0)
       order by m.seq
       limit 1),
     updated_at = greatest(c.updated_at, now())
   where c.workspace_id = $1
     and c.id = $2`,
);

const findByIdStatement = sql(
  "message_find_by_id",
  `select ${MESSAGE_COLUMNS} from messages m where m.workspace_id = $1 and m.id = $2`,
);

/** Where a message is: a message of another conversation does not exist. */
interface MessageRef {
  conversation: Ref;
  message: Ref;
}

export async function findMessage(db: Queryable, workspaceId: number, ref: MessageRef): Promise<MessageRecord> {
  return one(await db.query<MessageRow>(findStatement, valuesOf(workspaceId, ref)));
}

/** For a message whose id is known, whichever conversation it is in. */
export async function findMessageById(db: Queryable, workspaceId: number, id: number): Promise<MessageRecord> {
  return one(await db.query<MessageRow>(findByIdStatement, [workspaceId, id]));
}

export async function patchMessage(write: AttachContext, ref: MessageRef, patch: MessagePatch): Promise<MessageRecord> {
  const { tx, outbox, caller, links } = write;
  const { workspaceId, actor } = caller;
  const { message: before, conversation } = await lockMessage(write, ref);
  if (before.email !== null) throw conflict("The message is a mail: what was sent or received cannot be changed.");
  const next = {
    body: patch.body ?? before.body,
    private: patch.private ?? before.private,
    attachments: patch.attachments
      ? await resolveAttachments(write, patch.attachments, { messageId: before.id })
      : withRenewedLinks(links, before.attachments),
  };
  const namesOther = patch.conversation_id !== undefined && !isNamedBy(conversation, patch.conversation_id);
  const wouldBeMail = before.private && !next.private && conversation.mailbox_id !== null;
  const wrong = problems({
    direction: patch.direction && patch.direction !== before.direction ? ["direction cannot be changed."] : [],
    conversation_id: namesOther ? ["conversation_id cannot be changed."] : [],
    private: [
      ...(next.private && before.direction === "in" ? [PRIVATE_IS_OUT] : []),
      ...(wouldBeMail ? [STAYS_PRIVATE] : []),
    ],
    body: next.body.trim() === "" && next.attachments.length === 0 ? [BODY_OR_ATTACHMENT] : [],
  });
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  if (isDeepStrictEqual(comparable(next), comparable(before))) return before;
  const after = one(
    await tx.query<MessageRow>(updateStatement, [
      workspaceId,
      before.id,
      next.body,
      next.private,
      JSON.stringify(next.attachments),
    ]),
  );
  await tx.query(recomputeStatement, [workspaceId, before.conversation_id]);
  if (patch.attachments) await holdAttached(write, { messageId: before.id }, next.attachments);
  await outbox.append(tx, { workspaceId, type: "message.updated", data: after, actor });
  return after;
}

/** Permanently. Its number is not used again. */
export async function deleteMessage(write: WriteContext, ref: MessageRef): Promise<MessageRecord> {
  const { tx, outbox, caller } = write;
  const { workspaceId, actor } = caller;
  const { message: before } = await lockMessage(write, ref);
  await tx.query(deleteStatement, [workspaceId, before.id]);
  await tx.query(recomputeStatement, [workspaceId, before.conversation_id]);
  await outbox.append(tx, { workspaceId, type: "message.deleted", data: before, actor });
  return before;
}

export const PRIVATE_IS_OUT =
  "private must not be true for a message of direction in: a private message is an internal note.";
const STAYS_PRIVATE = "private cannot become false in a conversation with a mailbox: write a reply, which is sent.";
export const BODY_OR_ATTACHMENT = "body must not be empty unless there are attachments.";

/**
 * The message, locked together with its conversation, as by a writer of a new message: the last message and who waits
 * follow from all messages together.
 */
export async function lockMessage({ tx, caller }: WriteContext, ref: MessageRef) {
  const { workspaceId } = caller;
  const conversation = await lockForMessage(tx, workspaceId, ref.conversation, "message");
  const message = one(await tx.query<MessageRow>(lockStatement, valuesOf(workspaceId, ref)));
  return { message, conversation };
}

const valuesOf = (workspaceId: number, { conversation, message }: MessageRef) => [
  workspaceId,
  ...refValues(conversation),
  ...refValues(message),
];

const one = (rows: MessageRow[]): MessageRecord => toMessage(found("message", rows));

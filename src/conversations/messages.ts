import { isDeepStrictEqual } from "node:util";
import type { Actor, Origin } from "../core/actor.ts";
import { invalid, notFound } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { timestampSql } from "../db/timestamp-sql.ts";
import type { Change, Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";

export interface AttachmentInput {
  url: string;
  name?: string | null | undefined;
  content_type?: string | null | undefined;
  size_bytes?: number | null | undefined;
}

/** Null and absent are the same. */
export interface NewMessage {
  body?: string | null | undefined;
  direction?: MessageRecord["direction"] | null | undefined;
  private?: boolean | null | undefined;
  attachments?: AttachmentInput[] | null | undefined;
}

export type MessagePatch = Pick<NewMessage, "body" | "private" | "attachments">;

export const MESSAGE_COLUMNS = `m.id, m.uuid, m.conversation_id, m.seq, m.direction, m.sender_type, m.sender_id, m.sender_name,
  m.private, m.body, m.attachments, m.created_at, m.updated_at`;

export interface MessageRow extends Omit<MessageRecord, "sender"> {
  sender_type: MessageRecord["sender"]["type"];
  sender_id: number | null;
  sender_name: string | null;
}

// The update is the lock: the next writer of this conversation waits here until we commit, and only then reads
// `last_seq`, so numbers have no gaps and their order is that of ids and of times (`greatest`: now() is the start of the
// transaction, which may be before that of the writer it waited for).
const INSERT = `bumped as (
     update conversations set last_seq = last_seq + 1, last_message_at = greatest(last_message_at, now()),
       updated_at = greatest(updated_at, now())
     where workspace_id = $1 and (id = $2 or uuid = $3)
     returning workspace_id, id, contact_id, last_seq, last_message_at),
   inserted as (
     insert into messages as m (workspace_id, uuid, conversation_id, seq, direction, sender_type, sender_id, sender_name,
       private, body, attachments, created_at, updated_at)
     select b.workspace_id, $4, b.id, b.last_seq, $5, case when $5 = 'in' then 'contact' else $6 end,
       case when $5 = 'in' then b.contact_id else $7::bigint end,
       case when $5 = 'in' then (select name from contacts k where k.workspace_id = b.workspace_id and k.id = b.contact_id)
         else $8 end,
       $9, $10, $11, b.last_message_at, b.last_message_at
     from bumped b returning m.workspace_id, ${MESSAGE_COLUMNS})`;
const insertStatement = sql("message_insert", `with ${INSERT} select ${MESSAGE_COLUMNS} from inserted m`);

// What a contact wrote was caused by the contact, whichever key brought it in. That `data` is what the API returns is
// tested.
const insertAndAnnounce: Change = {
  name: "message_announce",
  ctes: `${INSERT},
   source as (
     select m.*, sender.json as actor, format(
       '{"id":%s,"uuid":"%s","conversation_id":%s,"seq":%s,"direction":"%s","sender":%s,"private":%s,"body":%s,"attachments":%s,"created_at":"%s","updated_at":"%s"}',
       m.id, m.uuid, m.conversation_id, m.seq, m.direction, sender.json, case when m.private then 'true' else 'false' end,
       to_json(m.body), m.attachments, ${timestampSql("m.created_at")}, ${timestampSql("m.updated_at")}) as data
     from inserted m cross join lateral (select format('{"type":"%s","id":%s,"name":%s}', m.sender_type,
       coalesce(m.sender_id::text, 'null'), coalesce(to_json(m.sender_name)::text, 'null')) as json offset 0) sender)`,
  parameters: 11,
  columns: MESSAGE_COLUMNS.replaceAll("m.", "source."),
};
const MATCHES = `m.workspace_id = $1 and (m.id = $4 or m.uuid = $5)
  and m.conversation_id = (select id from conversations where workspace_id = $1 and (id = $2 or uuid = $3))`;
const findStatement = sql("message_find", `select ${MESSAGE_COLUMNS} from messages m where ${MATCHES}`);
const lockStatement = sql("message_lock", `select ${MESSAGE_COLUMNS} from messages m where ${MATCHES} for update`);
const updateStatement = sql(
  "message_update",
  `update messages m set body = $3, private = $4, attachments = $5, updated_at = greatest(m.updated_at, now())
   where m.workspace_id = $1 and m.id = $2 returning ${MESSAGE_COLUMNS}`,
);
const deleteStatement = sql("message_delete", "delete from messages where workspace_id = $1 and id = $2");

/** Where a message is: a message of another conversation does not exist. */
export interface MessageRef {
  conversation: Ref;
  message: Ref;
}

export async function findMessage(db: Queryable, workspaceId: number, ref: MessageRef): Promise<MessageRecord> {
  return one(await db.query<MessageRow>(findStatement, valuesOf(workspaceId, ref)));
}

/** One statement, so that a `single` is transaction enough. */
export async function createMessage(
  tx: Tx,
  outbox: Outbox,
  { actor }: Origin,
  workspaceId: number,
  conversation: Ref,
  input: NewMessage,
): Promise<MessageRecord> {
  const values = insertValues(actor, workspaceId, conversation, input);
  const event = { type: "message.created", apiKeyId: actor.apiKeyId } as const;
  const row = await outbox.appendChange<MessageRow>(tx, insertAndAnnounce, values, event);
  if (!row) throw notFound("conversation");
  return toMessage(row);
}

export async function insertMessage(
  tx: Tx,
  { actor }: Origin,
  workspaceId: number,
  conversation: Ref,
  input: NewMessage,
): Promise<MessageRecord> {
  const [row] = await tx.query<MessageRow>(insertStatement, insertValues(actor, workspaceId, conversation, input));
  if (!row) throw notFound("conversation");
  return toMessage(row);
}

const insertValues = (actor: Actor, workspaceId: number, conversation: Ref, input: NewMessage) => [
  workspaceId,
  ...refValues(conversation),
  newUuid(),
  input.direction ?? "out",
  actor.type,
  actor.id,
  actor.name,
  input.private ?? false,
  input.body ?? "",
  JSON.stringify(attachmentsOf(input.attachments ?? [])),
];

/** What a contact wrote was caused by the contact, whichever key brought it in. */
export async function announceMessage(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  message: MessageRecord,
): Promise<void> {
  const { apiKeyId } = origin.actor;
  const actor: Actor =
    message.direction === "in" ? { ...message.sender, ...(apiKeyId === undefined ? {} : { apiKeyId }) } : origin.actor;
  await outbox.append(tx, { workspaceId, type: "message.created", data: message, actor });
}

export async function patchMessage(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  ref: MessageRef,
  patch: MessagePatch,
): Promise<MessageRecord> {
  const before = one(await tx.query<MessageRow>(lockStatement, valuesOf(workspaceId, ref)));
  const next = {
    body: patch.body ?? before.body,
    private: patch.private ?? before.private,
    attachments: patch.attachments ? attachmentsOf(patch.attachments) : before.attachments,
  };
  if (next.private && before.direction === "in") throw invalid({ private: [PRIVATE_IS_OUT] });
  if (next.body === "" && next.attachments.length === 0) throw invalid({ body: [BODY_OR_ATTACHMENT] });
  const { body, attachments } = before;
  if (isDeepStrictEqual(next, { body, private: before.private, attachments })) return before;
  const after = one(
    await tx.query<MessageRow>(updateStatement, [
      workspaceId,
      before.id,
      next.body,
      next.private,
      JSON.stringify(next.attachments),
    ]),
  );
  await outbox.append(tx, { workspaceId, type: "message.updated", data: after, actor: origin.actor });
  return after;
}

/** For good. Its number is not given again. */
export async function deleteMessage(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  ref: MessageRef,
): Promise<MessageRecord> {
  const message = one(await tx.query<MessageRow>(lockStatement, valuesOf(workspaceId, ref)));
  await tx.query(deleteStatement, [workspaceId, message.id]);
  await outbox.append(tx, { workspaceId, type: "message.deleted", data: message, actor: origin.actor });
  return message;
}

export const PRIVATE_IS_OUT =
  "private must not be true for a message of direction in: a note is written among colleagues.";
export const BODY_OR_ATTACHMENT = "body must not be empty unless there are attachments.";

export function toMessage({ sender_type, sender_id, sender_name, ...row }: MessageRow): MessageRecord {
  return {
    id: row.id,
    uuid: row.uuid,
    conversation_id: row.conversation_id,
    seq: row.seq,
    direction: row.direction,
    sender: { type: sender_type, id: sender_id, name: sender_name },
    private: row.private,
    body: row.body,
    attachments: row.attachments,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const valuesOf = (workspaceId: number, { conversation, message }: MessageRef) => [
  workspaceId,
  ...refValues(conversation),
  ...refValues(message),
];

function one([row]: MessageRow[]): MessageRecord {
  if (!row) throw notFound("message");
  return toMessage(row);
}

const attachmentsOf = (given: readonly AttachmentInput[]): MessageRecord["attachments"] =>
  given.map(({ url, name, content_type, size_bytes }) => ({
    url,
    name: name ?? null,
    content_type: content_type ?? null,
    size_bytes: size_bytes ?? null,
  }));

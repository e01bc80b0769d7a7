import { ownKeyId } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { newUuid, type Ref } from "../core/ids.ts";
import type { Tx } from "../db/database.ts";
import { type LockWait, SHORT_LOCK_WAIT } from "../db/lock-wait.ts";
import { newEventUuid } from "../events/event-traces.ts";
import type { Change, Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import type { Attachment, AttachmentInput } from "./attachments.ts";
import { type MessageRow, messageJson, senderJson, toMessage } from "./message-record.ts";

/** Null and absent are the same. */
export interface NewMessage {
  body?: string | null | undefined;
  direction?: MessageRecord["direction"] | null | undefined;
  private?: boolean | null | undefined;
  attachments?: AttachmentInput[] | null | undefined;
}

/** The same once its attachments are those that will be stored. */
export interface ResolvedMessage extends Omit<NewMessage, "attachments"> {
  attachments: Attachment[];
}

/** One message to be written, as the statement reads it. */
export interface MessageInput {
  workspace_id: number;
  conversation_id: number | null;
  conversation_uuid: string | null;
  uuid: string;
  direction: MessageRecord["direction"];
  sender_type: MessageRecord["sender"]["type"];
  sender_id: number | null;
  sender_name: string | null;
  private: boolean;
  body: string;
  attachments: MessageRecord["attachments"];
  draft: MessageRecord["draft"] | null;
  /** Null: the caller appends the event itself. */
  event_uuid: string | null;
  api_key_id: number | null;
  /** Written even if the conversation is snoozed or resolved, which stays so. */
  ignores_status: boolean;
}

const INPUT_TYPES: Record<keyof MessageInput, string> = {
  workspace_id: "bigint",
  conversation_id: "bigint",
  conversation_uuid: "uuid",
  uuid: "uuid",
  direction: "text",
  sender_type: "text",
  sender_id: "bigint",
  sender_name: "text",
  private: "boolean",
  body: "text",
  attachments: "jsonb",
  draft: "jsonb",
  event_uuid: "uuid",
  api_key_id: "bigint",
  ignores_status: "boolean",
};
const INPUT_COLUMNS = Object.entries(INPUT_TYPES) as [keyof MessageInput, string][];

/** The columns of one message are parameters; several messages are one parameter, as JSON. */
const ITEMS: Record<Change["rows"], string> = {
  one: `(
         select 0 as position,
           ${INPUT_COLUMNS.map(([column, type], index) => `$${index + 1}::${type} as ${column}`).join(", ")}) item`,
  several: `json_to_recordset($1::json) as item (
         position integer, ${INPUT_COLUMNS.map((column) => column.join(" ")).join(", ")})`,
};

function valuesOf(rows: Change["rows"], inputs: readonly MessageInput[]): unknown[] {
  if (rows === "several") return [JSON.stringify(inputs.map((input, position) => ({ position, ...input })))];
  const [input] = inputs as [MessageInput];
  return INPUT_COLUMNS.map(([column, type]) =>
    type === "jsonb" && input[column] !== null ? JSON.stringify(input[column]) : input[column],
  );
}

export interface MessageInputOptions {
  draft?: NonNullable<MessageRecord["draft"]>;
  /** False: the caller appends the event itself. */
  appendsEvent?: boolean;
  /** Writes a message from the contact even if the conversation is snoozed or resolved, without reopening it. */
  ignoresStatus?: boolean;
}

// One message is written by a shorter statement than several, whose conversations have to be locked in order.
//
// Both begin with the lock on the conversation; for one message, the update is the lock. The next writer of a conversation
// waits there until we commit, and only then reads `last_seq`: numbers have no gaps, and their order is that of ids and of
// times (`greatest`: now() is the start of the transaction, which may be before that of the writer it waited for).
//
// A message from the contact that would reopen its conversation is left out: that is a change with an event of its own, and
// `createUnderLock` (message-writer.ts) writes both.
const acceptsSql = (input: string, conversation: string): string =>
  `(${input}.ignores_status
         or ${input}.direction = 'out'
         or ${conversation}.status not in ('snoozed', 'resolved'))`;

// `added` says how many messages a conversation gets and which of several, counted from 1, are the first and the last one from
// the contact and the last public reply. After waiting for a lock, the update reads the newest version of the conversation.
//
// `waiting_since` is the time of the oldest inbound message that no public reply has followed: an inbound message sets it
// if it is null or a reply of the same batch came before, and a public reply that comes last clears it.
// `first_response_seconds` is set once, by the first public reply after an inbound message, to the time that the contact
// had been waiting: 0 if both are of the same batch; a reply to a contact who is not waiting leaves it null.
const UPDATE_CONVERSATION = `update conversations conversation
       set last_seq = conversation.last_seq + added.messages,
         last_in_seq = coalesce(conversation.last_seq + added.last_in, conversation.last_in_seq),
         last_message_at = greatest(conversation.last_message_at, now()),
         waiting_since = case
           when added.last_in > coalesce(added.last_reply, 0)
             and (added.last_reply is not null or conversation.waiting_since is null)
             then greatest(conversation.last_message_at, now())
           when added.last_reply > coalesce(added.last_in, 0) then null
           else conversation.waiting_since end,
         first_response_seconds = case
           when conversation.first_response_seconds is not null or added.last_reply is null
             then conversation.first_response_seconds
           when conversation.waiting_since is not null
             then extract(
               epoch from greatest(conversation.last_message_at, now()) - conversation.waiting_since)::integer
           when added.first_in < added.last_reply then 0 end,
         updated_at = greatest(conversation.updated_at, now())
       from added
       where conversation.workspace_id = added.workspace_id
         and conversation.id = any(array[added.target_id])`;

const NUMBER_ONE = `added as (
       select workspace_id, target_id, direction, ignores_status,
         1 as messages,
         null::integer as first_in,
         case when direction = 'in' then 1 end as last_in,
         case when direction = 'out' and not private then 1 end as last_reply
       from input),

     updated as (
       ${UPDATE_CONVERSATION}
         and ${acceptsSql("added", "conversation")}
       returning conversation.contact_id, conversation.last_seq, conversation.last_message_at),

     numbered as (
       select input.*, contact_id, last_seq as seq, last_message_at as created_at
       from input, updated)`;

// The conversations are locked in the order of their keys, so that two batches never wait for each other.
const NUMBER_SEVERAL = `locked as (
       select conversation.*
       from (
         select distinct workspace_id, target_id
         from input
         order by workspace_id, target_id) target
       cross join lateral (
         select workspace_id, id, contact_id, status, last_seq, last_message_at
         from conversations
         where workspace_id = target.workspace_id
           and id = any(array[target.target_id])
         for no key update) conversation),

     accepted as (
       select input.*, conversation.contact_id, conversation.last_seq,
         row_number() over (
           partition by input.workspace_id, input.target_id
           order by input.position) as number,
         greatest(conversation.last_message_at, now()) as created_at
       from input
       join locked conversation
         on conversation.workspace_id = input.workspace_id
         and conversation.id = input.target_id
       where ${acceptsSql("input", "conversation")}),

     numbered as (
       select accepted.*, last_seq + number as seq
       from accepted),

     added as (
       select workspace_id, target_id,
         count(*) as messages,
         min(number) filter (where direction = 'in') as first_in,
         max(number) filter (where direction = 'in') as last_in,
         max(number) filter (where direction = 'out' and not private) as last_reply
       from accepted
       group by workspace_id, target_id),

     updated as (
       ${UPDATE_CONVERSATION})`;

// A batch waits a tenth of a second for a conversation that another transaction has locked, and then fails as a whole: its
// messages are then written each in a statement of its own, so that those to other conversations do not wait for that lock.
//
// The actor of an inbound message is the contact, whichever key the request had.
//
// The message is stored before its event: the event's deliveries may lock lanes, and a long text takes a tenth of a second to
// index.
const insertChange = (name: string, rows: Change["rows"], lockWait: LockWait): Change => ({
  name,
  ctes: `${lockWait === "short" ? SHORT_LOCK_WAIT : ""}
     input as (
       select item.*,
         coalesce(item.conversation_id, (
           select named.id
           from conversations named
           where named.workspace_id = item.workspace_id
             and named.uuid = item.conversation_uuid)) as target_id
       from ${lockWait === "short" ? "lock_wait, " : ""}${ITEMS[rows]}),

     ${rows === "one" ? NUMBER_ONE : NUMBER_SEVERAL},

     message as (
       select workspace_id, nextval('messages_id_seq') as id, uuid, target_id as conversation_id, seq,
         direction, position,
         case when direction = 'in' then 'contact' else sender_type end as sender_type,
         case when direction = 'in' then contact_id else sender_id end as sender_id,
         case when direction = 'in' then (
           select contact.name
           from contacts contact
           where contact.workspace_id = numbered.workspace_id
             and contact.id = numbered.contact_id) else sender_name end as sender_name,
         private, body, attachments, draft, created_at, created_at as updated_at, event_uuid,
         case when direction = 'in' then null else api_key_id end as api_key_id
       from numbered),

     stored as (
       insert into messages (workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, created_at, updated_at)
       overriding system value
       select workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, created_at, updated_at
       from message
       returning id),

     counted as (
       insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
       select workspace_id, date_trunc('hour', created_at, 'UTC'),
         case when direction = 'in' then 'received' when private then 'note' else 'sent' end, 0,
         ${rows === "one" ? "1" : "count(*)"}
       from message
       ${rows === "one" ? "" : "group by 1, 2, 3"}),

     source as (
       select message.workspace_id, message.position, message.event_uuid, message.api_key_id,
         ${senderJson("message")} as actor,
         ${messageJson("message")} as data
       from message
       where exists (select from stored))`,
  parameters: rows === "one" ? INPUT_COLUMNS.length : 1,
  columns: "source.position, source.data as record",
  rows,
});

const INSERT_ONE = insertChange("message_insert", "one", "long");
const INSERT_SEVERAL = insertChange("message_insert_several", "several", "long");
const INSERT_BATCH = insertChange("message_insert_batch", "several", "short");

export function messageInput(
  caller: Caller,
  conversation: Ref,
  message: ResolvedMessage,
  { draft, appendsEvent = true, ignoresStatus = false }: MessageInputOptions = {},
): MessageInput {
  const { actor } = caller;
  return {
    workspace_id: caller.workspaceId,
    conversation_id: conversation.id ?? null,
    conversation_uuid: conversation.uuid ?? null,
    uuid: newUuid(),
    direction: message.direction ?? "out",
    sender_type: actor.type,
    sender_id: actor.id,
    sender_name: actor.name,
    private: message.private ?? false,
    body: message.body ?? "",
    attachments: message.attachments,
    draft: draft ?? null,
    event_uuid: appendsEvent ? newEventUuid() : null,
    api_key_id: ownKeyId(actor),
    ignores_status: ignoresStatus,
  };
}

/**
 * Writes messages with their events, in one statement. Null in the position of a message that was not written: its
 * conversation does not exist, or has to be reopened.
 */
export async function insertMessages(
  tx: Tx,
  outbox: Outbox,
  inputs: readonly MessageInput[],
  { lockWait = "long" }: { lockWait?: LockWait } = {},
): Promise<(MessageRecord | null)[]> {
  const change = lockWait === "short" ? INSERT_BATCH : inputs.length === 1 ? INSERT_ONE : INSERT_SEVERAL;
  const values = valuesOf(change.rows, inputs);
  const rows = await outbox.appendChanges<MessageRow & { position: number }>(tx, change, values, "message.created");
  const written: (MessageRecord | null)[] = inputs.map(() => null);
  for (const row of rows) written[row.position] = toMessage(row);
  return written;
}

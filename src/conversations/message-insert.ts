import { ownKeyId } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { newUuid, type Ref } from "../core/ids.ts";
import type { Tx } from "../db/database.ts";
import { LOCK_WAIT, type LockWait, lockTimeoutOf } from "../db/lock-wait.ts";
import { newEventUuid } from "../events/event-traces.ts";
import type { ChangeStatement, Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { byConversation } from "./by-conversation.ts";
import { type MessageRow, messageJson, senderJson, toMessage } from "./message-record.ts";
import type { MailFields, ResolvedMessage } from "./new-message.ts";

/** One message to be written, as the statement reads it. */
export type MessageInput = ReturnType<typeof messageInput>;

export interface MessageInputOptions {
  draft?: NonNullable<MessageRecord["draft"]>;
  /** False: the caller appends the event itself. */
  appendsEvent?: boolean;
  /** Writes a message from the contact even if the conversation is snoozed or resolved, without reopening it. */
  ignoresStatus?: boolean;
  mail?: MailFields | undefined;
  /** Ids of the members whom a note mentions. */
  mentions?: readonly number[];
}

// One message or many: TypeScript has grouped and numbered them (`byConversation`), and this stores them.
//
// It begins with the locks on the conversations. The next writer of a conversation waits there until we commit, and only then
// reads `last_seq`: numbers have no gaps, and their order is that of ids and of times (`greatest`: now() is the start of the
// transaction, which may be before that of the writer it waited for). They are locked in the order of their keys, which the
// lateral join leaves the planner no way to change, so that two batches never wait for each other. An update which is itself
// the lock would lock them in the order of whichever plan it has.
//
// Not written are the messages of a conversation that does not exist; those of one that a message from the contact would
// reopen, which is a change with an event of its own, and those of one with a mailbox that have to become mail first, both
// written by `createUnderLock` (message-writer.ts); and those of a conversation's second group, where some name it by its id
// and others by its uuid.
//
// A batch waits a tenth of a second for a conversation that another transaction has locked, and then fails as a whole: its
// messages are then written each in a statement of its own, so that those to other conversations do not wait for that lock.
//
// `waiting_since` is the time of the oldest inbound message that no public reply has followed: an inbound message sets it
// if it is null or a reply of the same batch came before, and a public reply that comes last clears it.
// `first_response_seconds` is set once, by the first public reply after an inbound message, to the time that the contact
// had been waiting: 0 if both are of the same batch; a reply to a contact who is not waiting leaves it null.
//
// The actor of an inbound message is the contact, whichever key the request had.
//
// The message is stored before its event: the event's deliveries may lock lanes, and a long text takes a tenth of a second to
// index.
const INSERT: ChangeStatement = {
  name: "message_insert",
  text: ({ storeEvents, queued }) => `with ${LOCK_WAIT},

     named as (
       select item.*,
         coalesce(item.conversation_id, (
           select conversation.id
           from conversations conversation
           where conversation.workspace_id = item.workspace_id
             and conversation.uuid = item.conversation_uuid)) as target_id
       from lock_wait, json_to_recordset(:conversations::json) as item (
         group_number integer, workspace_id bigint, conversation_id bigint, conversation_uuid uuid, messages integer,
         last_in integer, first_asking integer, last_asking integer, last_reply integer, may_reopen boolean,
         may_mail boolean)),

     target as materialized (
       select distinct on (workspace_id, target_id) *
       from named
       order by workspace_id, target_id, group_number),

     locked as materialized (
       select target.*, conversation.contact_id, conversation.last_seq,
         greatest(conversation.last_message_at, now()) as written_at
       from target
       cross join lateral (
         select contact_id, status, mailbox_id, last_seq, last_message_at
         from conversations
         where workspace_id = target.workspace_id
           and id = any(array[target.target_id])
         for no key update) conversation
       where not (target.may_reopen and conversation.status in ('snoozed', 'resolved'))
         and not (target.may_mail and conversation.mailbox_id is not null)),

     updated as (
       update conversations conversation
       set last_seq = conversation.last_seq + locked.messages,
         last_in_seq = coalesce(conversation.last_seq + locked.last_in, conversation.last_in_seq),
         last_message_at = locked.written_at,
         waiting_since = case
           when locked.last_asking > coalesce(locked.last_reply, 0)
             and (locked.last_reply is not null or conversation.waiting_since is null)
             then locked.written_at
           when locked.last_reply > coalesce(locked.last_asking, 0) then null
           else conversation.waiting_since end,
         first_response_seconds = case
           when conversation.first_response_seconds is not null or locked.last_reply is null
             then conversation.first_response_seconds
           when conversation.waiting_since is not null
             then extract(epoch from locked.written_at - conversation.waiting_since)::integer
           when locked.first_asking < locked.last_reply then 0 end,
         visitor_reply_at = case
           when conversation.widget_id is not null and locked.last_reply is not null then locked.written_at
           else conversation.visitor_reply_at end,
         updated_at = greatest(conversation.updated_at, now())
       from locked
       where conversation.workspace_id = locked.workspace_id
         and conversation.id = any(array[locked.target_id])),

     numbered as (
       select item.*, locked.workspace_id, locked.target_id as conversation_id,
         coalesce(item.author_id, locked.contact_id) as contact_id,
         locked.last_seq + item.number as seq, locked.written_at
       from json_to_recordset(:messages::json) as item (
         position integer, group_number integer, number integer, uuid uuid, direction text, sender_type text,
         sender_id bigint, sender_name text, private boolean, body text, attachments jsonb, draft jsonb, mentions bigint[],
         email jsonb, quoted text, delivery jsonb, author_id bigint, event_uuid uuid, api_key_id bigint)
       join locked using (group_number)
       order by item.position),

     message as materialized (
       select workspace_id, nextval('messages_id_seq') as id, uuid, conversation_id, seq, direction, position,
         case when direction = 'in' then 'contact' else sender_type end as sender_type,
         case when direction = 'in' then contact_id else sender_id end as sender_id,
         case when direction = 'in' then (
           select contact.name
           from contacts contact
           where contact.workspace_id = numbered.workspace_id
             and contact.id = numbered.contact_id) else sender_name end as sender_name,
         private, body, attachments, draft, mentions, email, quoted, delivery, written_at as created_at, written_at as updated_at, event_uuid,
         case when direction = 'in' then null else api_key_id end as api_key_id
       from numbered),

     stored as (
       insert into messages (workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at)
       overriding system value
       select workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at
       from message
       returning id),

     counted as (
       insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
       select workspace_id, date_trunc('hour', created_at, 'UTC'),
         case when direction = 'in' then 'received' when private then 'note' else 'sent' end, 0, count(*)
       from message
       group by 1, 2, 3),

     source as (
       select message.workspace_id, message.position, message.event_uuid, message.api_key_id,
         ${senderJson("message")} as actor,
         ${messageJson("message")} as data
       from message
       where exists (select from stored)),

     ${storeEvents}

     select source.position, source.data as record,
       ${queued}
     from source`,
};

export function messageInput(
  caller: Caller,
  conversation: Ref,
  message: ResolvedMessage,
  { draft, appendsEvent = true, ignoresStatus = false, mail, mentions = [] }: MessageInputOptions = {},
) {
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
    // Ids of members; null: none.
    mentions: mentions.length > 0 ? mentions : null,
    email: mail?.email ?? null,
    quoted: mail?.quoted ?? null,
    delivery: mail?.delivery ?? null,
    // Who wrote an inbound message, where that is not the contact of the conversation.
    author_id: mail?.contactId ?? null,
    starts_waiting: mail?.startsWaiting ?? true,
    // Null: the caller appends the event itself.
    event_uuid: appendsEvent ? newEventUuid() : null,
    api_key_id: ownKeyId(actor),
    // Written even if the conversation is snoozed or resolved, which stays so.
    ignores_status: ignoresStatus || mail?.reopens === false,
  };
}

/**
 * Writes messages with their events, in one statement. Null in the position of a message that was not written: its
 * conversation does not exist or has to be reopened, or is also named in another way.
 */
export async function insertMessages(
  tx: Tx,
  outbox: Outbox,
  inputs: readonly MessageInput[],
  { lockWait = "long" }: { lockWait?: LockWait } = {},
): Promise<(MessageRecord | null)[]> {
  const { conversations, messages } = byConversation(inputs);
  const rows = await outbox.appendChanges<MessageRow & { position: number }>(tx, INSERT, {
    values: {
      conversations: JSON.stringify(conversations),
      messages: JSON.stringify(messages),
      lockTimeout: lockTimeoutOf(lockWait),
    },
    type: "message.created",
    eventUuids: inputs.flatMap(({ event_uuid }) => (event_uuid === null ? [] : [event_uuid])),
    claimsIn: inputs.length === 1 ? (inputs[0]?.workspace_id ?? null) : null,
  });
  const written: (MessageRecord | null)[] = inputs.map(() => null);
  for (const row of rows) written[row.position] = toMessage(row);
  return written;
}

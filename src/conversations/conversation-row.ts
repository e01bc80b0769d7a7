import { type ConversationRecord, LAST_MESSAGE_CHARS, UNREAD_COUNT_MAX } from "../resources/conversations.ts";

/** How a conversation is read: `c` the conversation, `k` its contact, `u` its assignee, `l` its last message. */
export const CONVERSATION_COLUMNS = `c.id, c.uuid, c.subject, c.status, c.snoozed_until, c.priority, c.channel,
  c.widget_id, c.page, c.contact_read_seq,
  c.mailbox_id, c.labels, c.attributes, c.waiting_since, c.last_message_at, c.created_at, c.updated_at,
  k.id as contact_id, k.uuid as contact_uuid, k.external_id, k.name, k.email, k.phone,
  k.unverified_email, k.blocked,
  k.attributes as contact_attributes, k.created_at as contact_created_at, k.updated_at as contact_updated_at,
  u.id as assignee_id, u.uuid as assignee_uuid, u.name as assignee_name,
  l.id as last_id, l.seq as last_seq, l.direction as last_direction, l.private as last_private,
  l.sender_type as last_sender_type, l.sender_id as last_sender_id, l.sender_name as last_sender_name,
  left(l.body, ${LAST_MESSAGE_CHARS}) as last_body, l.created_at as last_created_at`;

export const CONVERSATION_JOINS = `
  join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  left join users u on u.id = c.assignee_id
  left join lateral (
    select m.id, m.seq, m.direction, m.private, m.sender_type, m.sender_id, m.sender_name, m.body, m.created_at
    from messages m
    where m.workspace_id = c.workspace_id
      and m.conversation_id = c.id
    order by m.seq desc
    limit 1) l on true`;

/** How many of the messages after the last one read are looked at: a long conversation costs no more than a short one. */
const UNREAD_LOOKED_AT = 500;

/** `unread_count` of the person whose id this expression gives; null where it gives none. */
export const unreadCountSql = (userId: string): string => `
  case when ${userId}::bigint is null then null else (
    select least(count(*) filter (where recent.direction = 'in'), ${UNREAD_COUNT_MAX})::integer
    from (
      select m.direction
      from messages m
      where m.workspace_id = c.workspace_id
        and m.conversation_id = c.id
        and m.seq > ${readSeqSql(userId)}
        and c.last_in_seq > ${readSeqSql(userId)}
      order by m.seq
      limit ${UNREAD_LOOKED_AT}) recent) end as unread_count`;

/** Up to which message the person has read the conversation `c`. */
export const readSeqSql = (userId: string): string => `coalesce((
          select r.read_seq
          from conversation_reads r
          where r.workspace_id = c.workspace_id
            and r.user_id = ${userId}::bigint
            and r.conversation_id = c.id), 0)`;

type Contact = Required<ConversationRecord["contact"]>;
type LastMessage = NonNullable<ConversationRecord["last_message"]>;

export interface ConversationRow
  extends Omit<ConversationRecord, "contact" | "assignee" | "last_message" | "unread_count"> {
  contact_id: number;
  contact_uuid: string;
  external_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  unverified_email: string | null;
  blocked: boolean;
  contact_attributes: Contact["attributes"];
  contact_created_at: string;
  contact_updated_at: string;
  assignee_id: number | null;
  assignee_uuid: string | null;
  assignee_name: string | null;
  last_id: number | null;
  last_seq: number;
  last_direction: LastMessage["direction"];
  last_private: boolean;
  last_sender_type: LastMessage["sender"]["type"];
  last_sender_id: number | null;
  last_sender_name: string | null;
  last_body: string;
  last_created_at: string;
  unread_count?: number | null;
}

/** A conversation with everything there is to know about it; what a caller may see of it is decided later. */
export interface WholeConversation extends ConversationRecord {
  contact: Contact;
}

export const toConversation = (row: ConversationRow): WholeConversation => ({
  id: row.id,
  uuid: row.uuid,
  subject: row.subject,
  status: row.status,
  snoozed_until: row.snoozed_until,
  priority: row.priority,
  channel: row.channel,
  widget_id: row.widget_id,
  page: row.page,
  mailbox_id: row.mailbox_id,
  contact: {
    id: row.contact_id,
    uuid: row.contact_uuid,
    external_id: row.external_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    unverified_email: row.unverified_email,
    blocked: row.blocked,
    attributes: row.contact_attributes,
    created_at: row.contact_created_at,
    updated_at: row.contact_updated_at,
  },
  assignee:
    row.assignee_id === null
      ? null
      : { id: row.assignee_id, uuid: row.assignee_uuid ?? "", name: row.assignee_name ?? "" },
  labels: row.labels,
  attributes: row.attributes,
  waiting_since: row.waiting_since,
  contact_read_seq: row.contact_read_seq,
  last_message_at: row.last_message_at,
  last_message: lastMessageOf(row),
  ...(row.unread_count === undefined || row.unread_count === null ? {} : { unread_count: row.unread_count }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

function lastMessageOf(row: ConversationRow): LastMessage | null {
  if (row.last_id === null) return null;
  return {
    id: row.last_id,
    seq: row.last_seq,
    direction: row.last_direction,
    private: row.last_private,
    sender: { type: row.last_sender_type, id: row.last_sender_id, name: row.last_sender_name },
    body: row.last_body,
    created_at: row.last_created_at,
  };
}

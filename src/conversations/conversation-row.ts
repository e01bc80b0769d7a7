import type { ContactRecord, ConversationRecord } from "../resources/conversations.ts";

/** How a conversation is read: `c` the conversation, `k` its contact, `u` its assignee. */
export const CONVERSATION_COLUMNS = `c.id, c.uuid, c.subject, c.status, c.channel, c.labels, c.attributes,
  c.last_message_at, c.created_at, c.updated_at, k.id as contact_id, k.uuid as contact_uuid, k.external_id, k.name, k.email,
  k.phone, k.attributes as contact_attributes, k.created_at as contact_created_at, k.updated_at as contact_updated_at,
  u.id as assignee_id, u.uuid as assignee_uuid, u.name as assignee_name`;

export const CONVERSATION_JOINS = `join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  left join users u on u.id = c.assignee_id`;

export interface ConversationRow extends Omit<ConversationRecord, "contact" | "assignee"> {
  contact_id: number;
  contact_uuid: string;
  external_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  contact_attributes: ContactRecord["attributes"];
  contact_created_at: string;
  contact_updated_at: string;
  assignee_id: number | null;
  assignee_uuid: string | null;
  assignee_name: string | null;
}

export const toConversation = (row: ConversationRow): ConversationRecord => ({
  id: row.id,
  uuid: row.uuid,
  subject: row.subject,
  status: row.status,
  channel: row.channel,
  contact: {
    id: row.contact_id,
    uuid: row.contact_uuid,
    external_id: row.external_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
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
  last_message_at: row.last_message_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

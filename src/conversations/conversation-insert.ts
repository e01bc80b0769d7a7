import { newUuid } from "../core/ids.ts";
import { sql, type Tx } from "../db/database.ts";
import type { ConversationRecord } from "../resources/conversations.ts";
import { labelsOf, textOf } from "./fields.ts";

/** What can be set at any time, besides the contact and the assignee. An empty priority means none. */
export interface OwnFields {
  subject?: string | undefined;
  status?: ConversationRecord["status"] | undefined;
  snoozed_until?: Date | undefined;
  priority?: NonNullable<ConversationRecord["priority"]> | "" | undefined;
  channel?: ConversationRecord["channel"] | undefined;
  labels?: string[] | undefined;
  attributes?: Record<string, unknown> | undefined;
  /** The widget that it begins in, and the page that shows it. No request sets these. */
  widget_id?: number | undefined;
  page?: ConversationRecord["page"] | undefined;
}

/** Whose conversation it is. */
interface Owners {
  workspaceId: number;
  contactId: number;
  assigneeId: number | null;
  mailboxId?: number | undefined;
}

/** One conversation to be written, as the statement reads it. */
type ConversationInput = ReturnType<typeof conversationInput>;

export function conversationInput({ workspaceId, contactId, assigneeId, mailboxId }: Owners, fields: OwnFields) {
  const status = fields.status ?? "open";
  return {
    workspace_id: workspaceId,
    uuid: newUuid(),
    contact_id: contactId,
    subject: textOf(fields.subject) ?? null,
    status,
    snoozed_until: status === "snoozed" ? (fields.snoozed_until ?? null) : null,
    priority: fields.priority || null,
    channel: fields.channel ?? "api",
    assignee_id: assigneeId,
    mailbox_id: mailboxId ?? null,
    labels: labelsOf(fields.labels ?? []),
    attributes: fields.attributes ?? {},
    widget_id: fields.widget_id ?? null,
    page: fields.page ?? null,
  };
}

const insertStatement = sql(
  "conversation_insert",
  `with input as (
     select item.*
     from json_to_recordset($1::json) as item (
       position integer, workspace_id bigint, uuid uuid, contact_id bigint, subject text, status text,
       snoozed_until timestamptz, priority text, channel text, assignee_id bigint, mailbox_id bigint,
       labels text[], attributes jsonb,
       widget_id bigint, page jsonb)),

   stored as (
     insert into conversations (workspace_id, uuid, contact_id, subject, status, snoozed_until, priority, channel,
       assignee_id, mailbox_id, labels, attributes, widget_id, page)
     select workspace_id, uuid, contact_id, subject, status, snoozed_until, priority, channel,
       assignee_id, mailbox_id, labels, attributes, widget_id, page
     from input
     order by position
     returning workspace_id, uuid, id)

   select input.position, stored.id
   from stored
   join input on input.workspace_id = stored.workspace_id and input.uuid = stored.uuid
   order by input.position`,
);

/** Returns their ids, in their order. */
export async function insertConversations(tx: Tx, inputs: readonly ConversationInput[]): Promise<number[]> {
  const positioned = inputs.map((input, position) => ({ position, ...input }));
  const rows = await tx.query<{ id: number }>(insertStatement, [JSON.stringify(positioned)]);
  return rows.map(({ id }) => id);
}

import { isDeepStrictEqual } from "node:util";
import type { Origin } from "../core/actor.ts";
import { type FieldErrors, invalid, notFound, problems } from "../core/errors.ts";
import { newUuid, parseRef, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { EventType } from "../events/catalogue.ts";
import type { Outbox } from "../events/outbox.ts";
import type { ConversationRecord } from "../resources/conversations.ts";
import { type ContactInput, contactIfThere, findOrCreateContact, pinContact } from "./contacts.ts";
import { CONVERSATION_COLUMNS, CONVERSATION_JOINS, type ConversationRow, toConversation } from "./conversation-row.ts";
import { given, labelsOf, textOf } from "./fields.ts";
import { findMemberId } from "./members.ts";
import { announceMessage, insertMessage, type NewMessage } from "./messages.ts";

/** A resource as a body names it: its id, or its uuid as text. */
export type Named = number | string;

/** What can be set at any time. */
export interface ConversationFields {
  subject?: string | undefined;
  status?: ConversationRecord["status"] | undefined;
  channel?: ConversationRecord["channel"] | undefined;
  /** 0: nobody. */
  assignee_id?: Named | undefined;
  labels?: string[] | undefined;
  attributes?: Record<string, unknown> | undefined;
}

export interface NewConversation extends ConversationFields {
  contact_id?: Named | undefined;
  contact?: ContactInput | undefined;
  message?: NewMessage | undefined;
}

const findStatement = sql(
  "conversation_find",
  `select ${CONVERSATION_COLUMNS} from conversations c ${CONVERSATION_JOINS}
   where c.workspace_id = $1 and (c.id = $2 or c.uuid = $3)`,
);
const findIdStatement = sql(
  "conversation_find_id",
  "select id from conversations where workspace_id = $1 and (id = $2 or uuid = $3)",
);
// Locks without the joins of a read: after a wait PostgreSQL would join the new row to what the old one was joined to.
const lockStatement = sql(
  "conversation_lock",
  "select id from conversations where workspace_id = $1 and (id = $2 or uuid = $3) for update",
);
const insertStatement = sql(
  "conversation_insert",
  `insert into conversations (workspace_id, uuid, contact_id, subject, status, channel, assignee_id, labels, attributes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
);
const updateStatement = sql(
  "conversation_update",
  `update conversations set subject = $3, status = $4, channel = $5, assignee_id = $6, labels = $7, attributes = $8,
     updated_at = greatest(updated_at, now()) where workspace_id = $1 and id = $2`,
);
const deleteStatement = sql("conversation_delete", "delete from conversations where workspace_id = $1 and id = $2");

export async function findConversation(db: Queryable, workspaceId: number, ref: Ref): Promise<ConversationRecord> {
  const [row] = await db.query<ConversationRow>(findStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("conversation");
  return toConversation(row);
}

export async function findConversationId(db: Queryable, workspaceId: number, ref: Ref): Promise<number> {
  const [row] = await db.query<{ id: number }>(findIdStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("conversation");
  return row.id;
}

/** Makes the conversation and all that comes with it; the events tell of contact, conversation and message in this order. */
export async function createConversation(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  input: NewConversation,
): Promise<ConversationRecord> {
  const { contactId, assigneeId } = await resolveNamed(tx, workspaceId, input);
  const contact = contactId ?? (await findOrCreateContact(tx, outbox, origin, workspaceId, input.contact ?? {})).id;
  const [row] = await tx.query<{ id: number }>(insertStatement, [
    workspaceId,
    newUuid(),
    contact,
    textOf(input.subject) ?? null,
    input.status ?? "open",
    input.channel ?? "api",
    assigneeId,
    labelsOf(input.labels ?? []),
    JSON.stringify(input.attributes ?? {}),
  ]);
  const { id } = row as { id: number };
  const message = input.message && (await insertMessage(tx, origin, workspaceId, { id }, input.message));
  const conversation = await findConversation(tx, workspaceId, { id });
  await outbox.append(tx, { workspaceId, type: "conversation.created", data: conversation, actor: origin.actor });
  if (message) await announceMessage(tx, outbox, origin, workspaceId, message);
  return conversation;
}

/** Writes only what was given and differs: an edit of another field that was under way at the same time is kept. */
export async function patchConversation(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
  patch: ConversationFields,
): Promise<ConversationRecord> {
  const before = await lockConversation(tx, workspaceId, ref);
  const { assigneeId } = await resolveNamed(tx, workspaceId, patch);
  const next = {
    subject: given(textOf(patch.subject), before.subject),
    status: patch.status ?? before.status,
    channel: patch.channel ?? before.channel,
    assigneeId: patch.assignee_id === undefined ? (before.assignee?.id ?? null) : assigneeId,
    labels: patch.labels ? labelsOf(patch.labels) : before.labels,
    attributes: patch.attributes ?? before.attributes,
  };
  const types = changesBetween(before, next);
  if (types.length === 0) return before;
  await tx.query(updateStatement, [
    workspaceId,
    before.id,
    next.subject,
    next.status,
    next.channel,
    next.assigneeId,
    next.labels,
    JSON.stringify(next.attributes),
  ]);
  const after = await findConversation(tx, workspaceId, { id: before.id });
  for (const type of types) await outbox.append(tx, { workspaceId, type, data: after, actor: origin.actor });
  return after;
}

/** Its messages go with it, without an event each. */
export async function deleteConversation(
  tx: Tx,
  outbox: Outbox,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
): Promise<ConversationRecord> {
  const conversation = await lockConversation(tx, workspaceId, ref);
  await tx.query(deleteStatement, [workspaceId, conversation.id]);
  await outbox.append(tx, { workspaceId, type: "conversation.deleted", data: conversation, actor: origin.actor });
  return conversation;
}

/** What is wrong with the contact and the assignee that a body names; nothing when all is well. */
export async function namedProblems(
  db: Queryable,
  workspaceId: number,
  { contact_id, assignee_id }: Pick<NewConversation, "contact_id" | "assignee_id">,
): Promise<FieldErrors> {
  const contact = contact_id === undefined ? undefined : parseRef(String(contact_id));
  const found = contact && (await contactIfThere(db, workspaceId, contact));
  return problems({
    contact_id: contact_id === undefined || found ? [] : [NO_CONTACT],
    assignee_id: (await assigneeOf(db, workspaceId, assignee_id)) === undefined ? [NO_MEMBER] : [],
  });
}

const NO_CONTACT = "contact_id must be the id or uuid of a contact.";
const NO_MEMBER = "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.";

async function resolveNamed(
  tx: Tx,
  workspaceId: number,
  { contact_id, assignee_id }: Pick<NewConversation, "contact_id" | "assignee_id">,
): Promise<{ contactId: number | null; assigneeId: number | null }> {
  const contactRef = contact_id === undefined ? undefined : parseRef(String(contact_id));
  const contact = contactRef && (await pinContact(tx, workspaceId, contactRef));
  const assigneeId = await assigneeOf(tx, workspaceId, assignee_id);
  const wrong = problems({
    contact_id: contact_id === undefined || contact ? [] : [NO_CONTACT],
    assignee_id: assigneeId === undefined ? [NO_MEMBER] : [],
  });
  if (assigneeId === undefined || Object.keys(wrong).length > 0) throw invalid(wrong);
  return { contactId: contact?.id ?? null, assigneeId };
}

/** Null: nobody. Undefined: no such member. */
async function assigneeOf(
  db: Queryable,
  workspaceId: number,
  named: Named | undefined,
): Promise<number | null | undefined> {
  if (named === undefined || named === 0) return null;
  const ref = parseRef(String(named));
  return (ref && (await findMemberId(db, workspaceId, ref))) ?? undefined;
}

async function lockConversation(tx: Tx, workspaceId: number, ref: Ref): Promise<ConversationRecord> {
  const [row] = await tx.query<{ id: number }>(lockStatement, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("conversation");
  return findConversation(tx, workspaceId, { id: row.id });
}

type Settable = Pick<ConversationRecord, "subject" | "status" | "channel" | "labels" | "attributes">;

function changesBetween(before: ConversationRecord, next: Settable & { assigneeId: number | null }): EventType[] {
  const { subject, channel, labels, attributes } = before;
  const same = isDeepStrictEqual(
    { subject, channel, labels, attributes },
    { subject: next.subject, channel: next.channel, labels: next.labels, attributes: next.attributes },
  );
  return [
    ...(same ? [] : ["conversation.updated" as const]),
    ...(next.assigneeId === (before.assignee?.id ?? null) ? [] : ["conversation.assigned" as const]),
    ...(next.status === before.status ? [] : ["conversation.status_changed" as const]),
  ];
}

import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../core/actor.ts";
import { forbidden, found, invalid } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { formatTimestamp } from "../core/timestamps.ts";
import { sql, type Tx } from "../db/database.ts";
import type { EventType } from "../events/catalogue.ts";
import type { ConversationRecord, MessageRecord } from "../resources/conversations.ts";
import { holdByNewMessage, resolveAttachments } from "./attachments.ts";
import type { ContactInput } from "./contact-insert.ts";
import { createContact, findOrCreateContact } from "./contacts.ts";
import { appendConversationEvents } from "./conversation-events.ts";
import { findConversation } from "./conversation-find.ts";
import { conversationInput, insertConversations, type OwnFields } from "./conversation-insert.ts";
import type { WholeConversation } from "./conversation-row.ts";
import { given, labelsOf, textOf } from "./fields.ts";
import { requireLabelQuota } from "./labels.ts";
import { insertMessages, messageInput } from "./message-insert.ts";
import { assignsOnReply } from "./message-writer.ts";
import { isNamedBy, type NamedResources, resolveNamed } from "./named-resources.ts";
import type { MailFields, NewMessage } from "./new-message.ts";
import type { AttachContext } from "./reply-mail.ts";
import { composeReply } from "./reply-mail.ts";
import { ONLY_WHILE_SNOOZED, snoozedUntil } from "./snooze.ts";
import type { WriteContext } from "./write-context.ts";

/** What can be set at any time. */
export interface ConversationFields extends NamedResources, OwnFields {}

/** A change may also add and remove single labels. */
export interface ConversationChange extends ConversationFields {
  add_labels?: string[] | undefined;
  remove_labels?: string[] | undefined;
}

export const LABELS_PER_CONVERSATION_MAX = 50;

export interface NewConversation extends ConversationFields {
  contact?: ContactInput | undefined;
  message?: NewMessage | undefined;
}

// Locks without the joins of a read: after a wait PostgreSQL would join the new row to what the old one was joined to.
const lockStatement = sql(
  "conversation_lock",
  `select id
   from conversations
   where workspace_id = $1
     and (id = $2 or uuid = $3)
   for update`,
);
const updateStatement = sql(
  "conversation_update",
  `update conversations
   set subject = $3,
     status = $4,
     snoozed_until = $5,
     priority = $6,
     channel = $7,
     assignee_id = $8,
     labels = $9,
     attributes = $10,
     updated_at = greatest(updated_at, now())
   where workspace_id = $1
     and id = $2`,
);
const deleteStatement = sql("conversation_delete", "delete from conversations where workspace_id = $1 and id = $2");

/** With its first message, if it was opened with one. */
export type Opened = WholeConversation & { message?: MessageRecord };

/**
 * Creates the conversation and all that comes with it. The events are about contact, conversation and message, in this
 * order. A status that is given stays, also with a first message from the contact. One by mail (src/email) has a mailbox.
 */
export async function createConversation(
  write: AttachContext,
  input: NewConversation,
  { mailboxId, mail }: { mailboxId?: number | undefined; mail?: MailFields | undefined } = {},
): Promise<Opened> {
  const { tx, outbox, caller } = write;
  const { workspaceId, actor } = caller;
  const { contactId, assigneeId, mailboxId: named } = await resolveNamed(tx, workspaceId, input);
  await requireLabelQuota(tx, workspaceId, labelsOf(input.labels ?? []));
  const assignsToCaller = input.assignee_id === undefined && (await assignsOnReply(write, input.message));
  const owners = {
    workspaceId,
    contactId: contactId ?? (await contactOf(write, input.contact)),
    assigneeId: assignsToCaller ? actor.id : assigneeId,
    mailboxId: mailboxId ?? named ?? undefined,
  };
  const inserted = conversationInput(owners, owners.mailboxId === undefined ? input : { channel: "email", ...input });
  const [id = 0] = await insertConversations(tx, [inserted]);
  const conversation = { ...inserted, id };
  const message = input.message && (await insertFirstMessage(write, conversation, { message: input.message, mail }));
  const opened = await appendConversationEvents(write, id, ["conversation.created"], actor);
  if (!message) return opened;
  await outbox.append(tx, { workspaceId, type: "message.created", data: message, actor: authorOf(message, actor) });
  return { ...opened, message };
}

/** Writes only what was given and differs: an edit of another field that was in progress at the same time is kept. */
export async function patchConversation(
  write: WriteContext,
  ref: Ref,
  patch: ConversationChange,
): Promise<WholeConversation> {
  const { tx, caller } = write;
  const { workspaceId } = caller;
  const before = await lockConversation(tx, workspaceId, ref);
  const { contact_id, assignee_id } = patch;
  if (contact_id !== undefined && !isNamedBy(before.contact, contact_id))
    throw invalid({ contact_id: ["contact_id cannot be changed."] });
  const { assigneeId } = await resolveNamed(tx, workspaceId, { assignee_id });
  const next = {
    subject: given(textOf(patch.subject), before.subject),
    status: patch.status ?? before.status,
    snoozedUntil: timeText(snoozedUntil(before, patch)),
    priority: patch.priority === undefined ? before.priority : patch.priority || null,
    channel: patch.channel ?? before.channel,
    assigneeId: patch.assignee_id === undefined ? (before.assignee?.id ?? null) : assigneeId,
    labels: nextLabels(before.labels, patch),
    attributes: patch.attributes ?? before.attributes,
  };
  const types = changesBetween(before, next);
  if (types.length === 0) return before;
  await requireLabelQuota(
    tx,
    workspaceId,
    next.labels.filter((label) => !before.labels.includes(label)),
  );
  await tx.query(updateStatement, [
    workspaceId,
    before.id,
    next.subject,
    next.status,
    next.snoozedUntil,
    next.priority,
    next.channel,
    next.assigneeId,
    next.labels,
    JSON.stringify(next.attributes),
  ]);
  return appendConversationEvents(write, before.id, types, caller.actor);
}

/** Its messages are deleted with it, without events of their own. */
export async function deleteConversation({ tx, outbox, caller }: WriteContext, ref: Ref): Promise<WholeConversation> {
  const { workspaceId, actor } = caller;
  const conversation = await lockConversation(tx, workspaceId, ref);
  await tx.query(deleteStatement, [workspaceId, conversation.id]);
  await outbox.append(tx, { workspaceId, type: "conversation.deleted", data: conversation, actor });
  return conversation;
}

/** What a contact wrote was caused by the contact. */
export const authorOf = (message: MessageRecord, actor: Actor): Actor =>
  message.direction === "in" ? message.sender : actor;

/** A contact without any field is anonymous. */
export const contactNeedsScope = (input: ContactInput | undefined): boolean =>
  Object.values(input ?? {}).some((value) => value !== null && value !== undefined);

/** The contact of a conversation that names none by id. */
async function contactOf(write: WriteContext, input: ContactInput | undefined): Promise<number> {
  const contact = contactNeedsScope(input)
    ? await findOrCreateContact(write, input ?? {}, () => requireContactScope(write))
    : await createContact(write, {});
  return contact.id;
}

function requireContactScope({ caller }: WriteContext): void {
  if (!caller.scopes.has("contacts:write"))
    throw forbidden("Creating a contact needs the scope contacts:write. Send a contact_id, or no contact at all.");
}

async function insertFirstMessage(
  write: AttachContext,
  conversation: ReturnType<typeof conversationInput> & { id: number },
  { message, mail }: { message: NewMessage; mail: MailFields | undefined },
): Promise<MessageRecord> {
  const { tx, outbox, caller } = write;
  const attachments = await resolveAttachments(write, message.attachments, { within: "message" });
  const reply = mail ? null : await composeReply(write, { conversation, message, attachments, within: "message" });
  // Its event comes after that of the conversation, which already shows the message.
  const options = { appendsEvent: false, ignoresStatus: true, mail: mail ?? reply?.fields };
  const { email: _, ...fields } = message;
  const input = messageInput(caller, { id: conversation.id }, { ...fields, attachments }, options);
  const [written] = await insertMessages(tx, outbox, [input]);
  if (!written) throw new Error("The first message of a conversation was not written.");
  await holdByNewMessage(write, written);
  await reply?.queue(tx, written);
  return written;
}

/** The conversation, locked until the transaction ends. */
export async function lockConversation(tx: Tx, workspaceId: number, ref: Ref): Promise<WholeConversation> {
  const rows = await tx.query<{ id: number }>(lockStatement, [workspaceId, ...refValues(ref)]);
  return findConversation(tx, workspaceId, found("conversation", rows));
}

function nextLabels(before: string[], { labels, add_labels = [], remove_labels = [] }: ConversationChange): string[] {
  const removed = labelsOf(remove_labels);
  const next = labelsOf([...(labels ?? before), ...add_labels]).filter((label) => !removed.includes(label));
  if (next.length > LABELS_PER_CONVERSATION_MAX)
    throw invalid({ labels: [`labels must have at most ${LABELS_PER_CONVERSATION_MAX} items.`] });
  return next;
}

function timeText(until: Date | string | null | undefined): string | null {
  if (until === undefined) throw invalid({ snoozed_until: [ONLY_WHILE_SNOOZED] });
  return until instanceof Date ? formatTimestamp(until) : until;
}

interface Next
  extends Pick<ConversationRecord, "subject" | "status" | "priority" | "channel" | "labels" | "attributes"> {
  snoozedUntil: string | null;
  assigneeId: number | null;
}

function changesBetween(before: ConversationRecord, next: Next): EventType[] {
  const { status, assigneeId, snoozedUntil: nextUntil, ...rest } = next;
  const statusChanged = status !== before.status;
  const untilChanged = !statusChanged && nextUntil !== before.snoozed_until;
  const isUpdated = untilChanged || !isDeepStrictEqual({ ...before, ...rest }, before);
  return [
    ...(isUpdated ? ["conversation.updated" as const] : []),
    ...(assigneeId === (before.assignee?.id ?? null) ? [] : ["conversation.assigned" as const]),
    ...(statusChanged ? ["conversation.status_changed" as const] : []),
  ];
}

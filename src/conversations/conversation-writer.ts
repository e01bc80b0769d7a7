import type { Caller } from "../core/caller.ts";
import { parseRef, type Ref } from "../core/ids.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { SHORTEN_LOCK_WAIT } from "../db/lock-wait.ts";
import { createWriteBatcher } from "../db/write-batcher.ts";
import { newEventUuid } from "../events/event-traces.ts";
import type { Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { holdsFiles, linkedAttachments } from "./attachments.ts";
import { insertContacts, type NewContact, newContact } from "./contact-insert.ts";
import { findConversations } from "./conversation-find.ts";
import { conversationInput, insertConversations } from "./conversation-insert.ts";
import { authorOf, contactNeedsScope, createConversation, type NewConversation, type Opened } from "./conversations.ts";
import { textOf } from "./fields.ts";
import { insertMessages, messageInput } from "./message-insert.ts";
import type { NewMessage, ResolvedMessage } from "./new-message.ts";
import type { AttachContext } from "./reply-mail.ts";

/** Opens conversations, together with those of other requests where the transaction may be left. */
export function createConversationWriter(db: Database, outbox: Outbox) {
  const batcher = createWriteBatcher<Opening, Opened | null>({
    workspaceOf: ({ caller }) => caller.workspaceId,
    targetOf: ({ contact }) => ("ref" in contact && contact.ref ? String(contact.ref.id ?? contact.ref.uuid) : null),
    sizeOf: ({ fields, message }) => JSON.stringify(fields.attributes ?? {}).length + (message?.body?.length ?? 0),
    writeOne: async (opening) => (await db.transaction((tx) => openAll(tx, outbox, [opening])))[0] ?? null,
    writeBatch: (openings) =>
      db.transaction(async (tx) => {
        await tx.query(shortenLockWait);
        return openAll(tx, outbox, openings);
      }),
  });
  return {
    async create(write: AttachContext, input: NewConversation): Promise<Opened> {
      const { caller } = write;
      if (!canBeBatched(caller, input) || !write.tx.leave()) return createConversation(write, input);
      const opened = await batcher.write(openingOf(caller, input));
      // Null: not opened. The transaction reports why.
      if (opened) return opened;
      const { workspaceId } = caller;
      return db.transaction((tx) => createConversation({ ...write, tx }, input), { workspaceId });
    },
  };
}

const shortenLockWait = sql("conversation_lock_wait", SHORTEN_LOCK_WAIT);

/** One that can be opened with others: nothing has to be read or locked for it but a contact that it names. */
function canBeBatched(caller: Caller, input: NewConversation): boolean {
  const { assignee_id, mailbox_id, labels, contact, message } = input;
  return (
    caller.actor.type !== "user" &&
    (assignee_id ?? 0) === 0 &&
    mailbox_id === undefined &&
    !message?.email &&
    (labels ?? []).length === 0 &&
    textOf(contact?.external_id) == null &&
    (caller.scopes.has("contacts:write") || !contactNeedsScope(contact)) &&
    !holdsFiles(message?.attachments)
  );
}

/** A conversation to be opened. Event ids are generated in the request that causes them. */
interface Opening {
  caller: Caller;
  fields: NewConversation;
  /** The contact that it names, or a new one. */
  contact: { ref: Ref | null } | { created: NewContact };
  eventUuid: string;
  message: (ResolvedMessage & { eventUuid: string }) | null;
}

const openingOf = (caller: Caller, { contact_id, contact, message, ...fields }: NewConversation): Opening => ({
  caller,
  fields,
  contact:
    contact_id === undefined
      ? { created: newContact(caller, contact ?? {}) }
      : { ref: parseRef(String(contact_id)) ?? null },
  eventUuid: newEventUuid(),
  message: message
    ? { ...withoutEmail(message), attachments: linkedAttachments(message.attachments), eventUuid: newEventUuid() }
    : null,
});

const withoutEmail = ({ email: _, ...message }: NewMessage): Omit<NewMessage, "email"> => message;

/**
 * The same as `createConversation` for each, with one statement per step for all of them. Null in the position of one
 * whose contact does not exist: nothing is written for it.
 */
async function openAll(tx: Tx, outbox: Outbox, all: readonly Opening[]): Promise<(Opened | null)[]> {
  const contactIds = await contactsOf(tx, outbox, all);
  const openings = all.flatMap((opening, position) => {
    const contactId = contactIds[position];
    return contactId === undefined ? [] : [{ ...opening, position, contactId }];
  });
  const ids = await insertConversations(
    tx,
    openings.map(({ caller: { workspaceId }, contactId, fields }) =>
      conversationInput({ workspaceId, contactId, assigneeId: null }, fields),
    ),
  );
  const inserted = openings.map((opening, index) => ({ ...opening, id: ids[index] as number }));
  const messages = await writeFirstMessages(tx, outbox, inserted);
  const conversations = await findConversations(
    tx,
    inserted.map(({ caller: { workspaceId }, id }) => ({ workspaceId, id })),
  );
  const opened: (Opened | null)[] = all.map(() => null);
  for (const { position, id } of inserted) {
    const message = messages.get(id);
    const conversation = conversations.get(id);
    if (conversation) opened[position] = { ...conversation, ...(message ? { message } : {}) };
  }
  await appendEvents(tx, outbox, inserted, opened);
  return opened;
}

// In the order of their keys, so that two batches never wait for each other.
const pinStatement = sql(
  "contact_pin_each",
  `with named as materialized (
     select wanted.position::integer as position, wanted.workspace_id,
       coalesce(wanted.id, (
         select contact.id
         from contacts contact
         where contact.workspace_id = wanted.workspace_id
           and contact.uuid = wanted.uuid)) as id
     from unnest($1::bigint[], $2::bigint[], $3::uuid[]) with ordinality
       as wanted (workspace_id, id, uuid, position)
     order by 2, 3)

   select named.position, pinned.id
   from named
   cross join lateral (
     select contact.id
     from contacts contact
     where contact.workspace_id = named.workspace_id
       and contact.id = named.id
     for key share) pinned`,
);

/** The id of each one's contact, found or created; undefined where the named one does not exist. */
async function contactsOf(tx: Tx, outbox: Outbox, openings: readonly Opening[]): Promise<(number | undefined)[]> {
  const ids: (number | undefined)[] = openings.map(() => undefined);
  const named = openings.flatMap(({ caller, contact }, position) =>
    "ref" in contact && contact.ref ? [{ position, workspaceId: caller.workspaceId, ref: contact.ref }] : [],
  );
  if (named.length > 0) {
    const found = await tx.query<{ position: number; id: number }>(pinStatement, [
      named.map(({ workspaceId }) => workspaceId),
      named.map(({ ref }) => ref.id ?? null),
      named.map(({ ref }) => ref.uuid ?? null),
    ]);
    for (const { position, id } of found) ids[named[position - 1]?.position as number] = id;
  }
  const created = openings.flatMap(({ contact }, position) =>
    "created" in contact ? [{ position, contact: contact.created }] : [],
  );
  if (created.length > 0) {
    const contacts = created.map(({ contact }) => contact);
    const written = await insertContacts(tx, outbox, contacts);
    written.forEach((contact, index) => {
      ids[created[index]?.position as number] = contact?.id;
    });
  }
  return ids;
}

type Inserted = Opening & { position: number; id: number };

/** Their events come after those of the conversations, which already show the messages. */
async function writeFirstMessages(
  tx: Tx,
  outbox: Outbox,
  openings: readonly Inserted[],
): Promise<Map<number, MessageRecord>> {
  const inputs = openings.flatMap(({ caller, id, message }) =>
    message ? [messageInput(caller, { id }, message, { appendsEvent: false, ignoresStatus: true })] : [],
  );
  const written = inputs.length > 0 ? await insertMessages(tx, outbox, inputs) : [];
  return new Map(written.flatMap((message) => (message ? [[message.conversation_id, message]] : [])));
}

async function appendEvents(
  tx: Tx,
  outbox: Outbox,
  openings: readonly Inserted[],
  opened: readonly (Opened | null)[],
): Promise<void> {
  const ofConversations = openings.map(({ caller: { workspaceId, actor }, position, eventUuid }) => {
    const { message: _, ...data } = opened[position] as Opened;
    return { workspaceId, uuid: eventUuid, data, actor };
  });
  const ofMessages = openings.flatMap(({ caller: { workspaceId, actor }, position, message }) => {
    const data = opened[position]?.message;
    return message && data ? [{ workspaceId, uuid: message.eventUuid, data, actor: authorOf(data, actor) }] : [];
  });
  await outbox.appendEach(tx, "conversation.created", ofConversations);
  await outbox.appendEach(tx, "message.created", ofMessages);
}

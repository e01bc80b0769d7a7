import { isDeepStrictEqual } from "node:util";
import { conflict, found } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import { isUniqueViolation } from "../db/errors.ts";
import { createWriteBatcher } from "../db/write-batcher.ts";
import type { Outbox } from "../events/outbox.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { type ContactInput, insertContacts, type NewContact, newContact } from "./contact-insert.ts";
import { given, textOf } from "./fields.ts";
import type { WriteContext } from "./write-context.ts";

export const CONTACT_COLUMNS =
  "k.id, k.uuid, k.external_id, k.name, k.email, k.phone, k.unverified_email, k.blocked, k.attributes, k.created_at, k.updated_at";

const FROM_NAMED = `from contacts k
   where k.workspace_id = $1
     and (k.id = $2 or k.uuid = $3)`;

const findStatement = sql("contact_find", `select ${CONTACT_COLUMNS} ${FROM_NAMED}`);
const lockStatement = sql("contact_lock", `select ${CONTACT_COLUMNS} ${FROM_NAMED} for update`);
// Holds off a deletion until this transaction has created its conversation.
const pinStatement = sql("contact_pin", `select ${CONTACT_COLUMNS} ${FROM_NAMED} for key share`);
const pinByExternalId = sql(
  "contact_pin_external",
  `select ${CONTACT_COLUMNS}
   from contacts k
   where k.workspace_id = $1
     and k.external_id = $2
   for key share`,
);
const updateStatement = sql(
  "contact_update",
  `update contacts k
   set external_id = $3,
     name = $4,
     email = $5,
     phone = $6,
     attributes = $7,
     unverified_email = $8,
     blocked = $9,
     updated_at = greatest(k.updated_at, now())
   where k.workspace_id = $1
     and k.id = $2
   returning ${CONTACT_COLUMNS}`,
);
const deleteStatement = sql("contact_delete", "delete from contacts where workspace_id = $1 and id = $2");
const hasConversations = sql(
  "contact_has_conversations",
  `select 1
   from conversations
   where workspace_id = $1
     and contact_id = $2
   limit 1`,
);

const PIN_TRIES = 3;

type ContactPatch = ContactInput & { blocked?: boolean | null | undefined };
type Changeable = Omit<ContactRecord, "id" | "uuid" | "created_at" | "updated_at">;

export async function findContact(db: Queryable, workspaceId: number, ref: Ref): Promise<ContactRecord> {
  return found("contact", await db.query<ContactRecord>(findStatement, [workspaceId, ...refValues(ref)]));
}

export async function findContactIfPresent(
  db: Queryable,
  workspaceId: number,
  ref: Ref,
): Promise<ContactRecord | null> {
  const [contact] = await db.query<ContactRecord>(findStatement, [workspaceId, ...refValues(ref)]);
  return contact ?? null;
}

/** The contact of a new conversation; null when there is none. It cannot be deleted before the transaction ends. */
export async function pinContact(tx: Tx, workspaceId: number, ref: Ref): Promise<ContactRecord | null> {
  const [contact] = await tx.query<ContactRecord>(pinStatement, [workspaceId, ...refValues(ref)]);
  return contact ?? null;
}

export type ContactWriter = ReturnType<typeof createContactWriter>;

/** Creates contacts, together with those of other requests where the transaction may be left. */
export function createContactWriter(db: Database, outbox: Outbox) {
  const batcher = createWriteBatcher<NewContact, ContactRecord | null>({
    workspaceOf: ({ workspace_id }) => workspace_id,
    targetOf: ({ external_id }) => external_id,
    sizeOf: ({ attributes }) => JSON.stringify(attributes).length,
    writeOne: async (contact) => (await db.singleStatement((tx) => insertContacts(tx, outbox, [contact])))[0] ?? null,
    writeBatch: (contacts) => db.singleStatement((tx) => insertContacts(tx, outbox, contacts, { lockWait: "short" })),
  });
  return {
    async create(write: WriteContext, input: ContactInput): Promise<ContactRecord> {
      if (!write.tx.leave()) return createContact(write, input);
      const contact = await batcher.write(newContact(write.caller, input));
      if (!contact) throw externalIdTaken();
      return contact;
    },
  };
}

export async function createContact(write: WriteContext, input: ContactInput): Promise<ContactRecord> {
  const contact = await insertContact(write, input);
  if (!contact) throw externalIdTaken();
  return contact;
}

/**
 * The contact with this `external_id`, as it is stored, or a new one. An integration that opens a conversation need not
 * know whether the customer is new; a stored contact is changed by PATCH alone. `beforeCreating` may refuse.
 */
export async function findOrCreateContact(
  write: WriteContext,
  input: ContactInput,
  beforeCreating: () => void,
): Promise<ContactRecord> {
  const externalId = textOf(input.external_id);
  // Again only when another request creates or deletes it between the two statements.
  for (let tries = 0; tries < PIN_TRIES; tries++) {
    const [existing] = externalId
      ? await write.tx.query<ContactRecord>(pinByExternalId, [write.caller.workspaceId, externalId])
      : [];
    if (existing) return existing;
    beforeCreating();
    const contact = await insertContact(write, input);
    if (contact) return contact;
  }
  throw conflict("The contact with this external_id is being created and deleted at this moment. Try again.");
}

export async function patchContact(write: WriteContext, ref: Ref, patch: ContactPatch): Promise<ContactRecord> {
  const { tx, outbox, caller } = write;
  const { workspaceId, actor } = caller;
  const before = await lockContact(tx, workspaceId, ref);
  const next: Changeable = {
    external_id: given(textOf(patch.external_id), before.external_id),
    name: given(textOf(patch.name), before.name),
    email: given(textOf(patch.email), before.email),
    phone: given(textOf(patch.phone), before.phone),
    unverified_email: given(textOf(patch.unverified_email), before.unverified_email),
    // Null is a value: the default.
    blocked: patch.blocked === undefined ? before.blocked : (patch.blocked ?? false),
    attributes: patch.attributes ?? before.attributes,
  };
  if (isDeepStrictEqual({ ...before, ...next }, before)) return before;
  const after = await updateContact(tx, workspaceId, before.id, next);
  await outbox.append(tx, { workspaceId, type: "contact.updated", data: after, actor });
  return after;
}

export async function deleteContact({ tx, outbox, caller }: WriteContext, ref: Ref): Promise<ContactRecord> {
  const { workspaceId, actor } = caller;
  const contact = await lockContact(tx, workspaceId, ref);
  const [conversation] = await tx.query(hasConversations, [workspaceId, contact.id]);
  if (conversation) throw conflict("The contact has conversations; delete those first.");
  await tx.query(deleteStatement, [workspaceId, contact.id]);
  await outbox.append(tx, { workspaceId, type: "contact.deleted", data: contact, actor });
  return contact;
}

/** The contact, locked until the transaction ends. */
export async function lockContact(tx: Tx, workspaceId: number, ref: Ref): Promise<ContactRecord> {
  return found("contact", await tx.query<ContactRecord>(lockStatement, [workspaceId, ...refValues(ref)]));
}

/** Null: the `external_id` is taken. */
async function insertContact({ tx, outbox, caller }: WriteContext, input: ContactInput): Promise<ContactRecord | null> {
  const [contact] = await insertContacts(tx, outbox, [newContact(caller, input)]);
  return contact ?? null;
}

async function updateContact(tx: Tx, workspaceId: number, id: number, next: Changeable): Promise<ContactRecord> {
  try {
    const [contact] = await tx.query<ContactRecord>(updateStatement, [
      workspaceId,
      id,
      next.external_id,
      next.name,
      next.email,
      next.phone,
      JSON.stringify(next.attributes),
      next.unverified_email,
      next.blocked,
    ]);
    return contact as ContactRecord;
  } catch (error) {
    if (isUniqueViolation(error, "contacts_workspace_id_external_id_key")) throw externalIdTaken();
    throw error;
  }
}

const externalIdTaken = () => conflict("Another contact has this external_id.");

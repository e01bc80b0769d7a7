import { forbidden, found, invalid } from "../core/errors.ts";
import { type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { findContact } from "./contacts.ts";

/** Internal notes about a contact, never shown to it. */
interface ContactNote {
  id: number;
  author: { id: number; name: string };
  body: string;
  created_at: string;
}

const NOTES_MAX = 200;

const COLUMNS = `n.id, json_build_object('id', n.author_id, 'name', n.author_name) as author, n.body, n.created_at`;

const listStatement = sql(
  "contact_note_list",
  `select ${COLUMNS}
   from contact_notes n
   where n.workspace_id = $1
     and n.contact_id = $2
   order by n.id desc
   limit ${NOTES_MAX}`,
);
const insertStatement = sql(
  "contact_note_insert",
  `insert into contact_notes as n (workspace_id, contact_id, author_id, author_name, body)
   values ($1, $2, $3, $4, $5)
   returning ${COLUMNS}`,
);
const findStatement = sql(
  "contact_note_find",
  `select ${COLUMNS}
   from contact_notes n
   join contacts contact
     on contact.workspace_id = n.workspace_id
     and contact.id = n.contact_id
   where n.workspace_id = $1
     and n.id = $2
     and (contact.id = $3 or contact.uuid = $4)
   for update of n`,
);
const deleteStatement = sql("contact_note_delete", "delete from contact_notes where workspace_id = $1 and id = $2");

/** Newest first. */
export async function listContactNotes(db: Queryable, workspaceId: number, contact: Ref): Promise<ContactNote[]> {
  const { id } = await findContact(db, workspaceId, contact);
  return db.query<ContactNote>(listStatement, [workspaceId, id]);
}

export async function addContactNote(
  tx: Tx,
  workspaceId: number,
  { contact, author, body }: Pick<ContactNote, "author" | "body"> & { contact: Ref },
): Promise<ContactNote> {
  const { id } = await findContact(tx, workspaceId, contact);
  const notes = await tx.query(listStatement, [workspaceId, id]);
  if (notes.length >= NOTES_MAX)
    throw invalid({ body: [`A contact has at most ${NOTES_MAX} notes; delete some first.`] });
  const values = [workspaceId, id, author.id, author.name, body];
  return found("note", await tx.query<ContactNote>(insertStatement, values));
}

interface NoteDeletion {
  contact: Ref;
  note: Ref;
  userId: number;
  /** A manager deletes the notes of others too. */
  isManager: boolean;
}

export async function deleteContactNote(
  tx: Tx,
  workspaceId: number,
  { contact, note, userId, isManager }: NoteDeletion,
): Promise<ContactNote> {
  const values = [workspaceId, note.id ?? null, ...refValues(contact)];
  const deleted = found("note", await tx.query<ContactNote>(findStatement, values));
  if (deleted.author.id !== userId && !isManager) throw forbidden("Only its author or a manager can delete a note.");
  await tx.query(deleteStatement, [workspaceId, deleted.id]);
  return deleted;
}

import { forbidden, invalid, notFound } from "../core/errors.ts";
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

interface NoteRow {
  id: number;
  author_id: number;
  author_name: string;
  body: string;
  created_at: string;
}

const NOTES_MAX = 200;

const listStatement = sql(
  "contact_note_list",
  `select id, author_id, author_name, body, created_at
   from contact_notes
   where workspace_id = $1
     and contact_id = $2
   order by id desc
   limit ${NOTES_MAX}`,
);
const insertStatement = sql(
  "contact_note_insert",
  `insert into contact_notes (workspace_id, contact_id, author_id, author_name, body)
   values ($1, $2, $3, $4, $5)
   returning id, author_id, author_name, body, created_at`,
);
const findStatement = sql(
  "contact_note_find",
  `select note.id, note.author_id, note.author_name, note.body, note.created_at
   from contact_notes note
   join contacts contact
     on contact.workspace_id = note.workspace_id
     and contact.id = note.contact_id
   where note.workspace_id = $1
     and note.id = $2
     and (contact.id = $3 or contact.uuid = $4)
   for update of note`,
);
const deleteStatement = sql("contact_note_delete", "delete from contact_notes where workspace_id = $1 and id = $2");

/** Newest first. */
export async function listContactNotes(db: Queryable, workspaceId: number, contact: Ref): Promise<ContactNote[]> {
  const { id } = await findContact(db, workspaceId, contact);
  return (await db.query<NoteRow>(listStatement, [workspaceId, id])).map(toNote);
}

interface NewNote {
  contact: Ref;
  author: { id: number; name: string };
  body: string;
}

export async function addContactNote(
  tx: Tx,
  workspaceId: number,
  { contact, author, body }: NewNote,
): Promise<ContactNote> {
  const { id } = await findContact(tx, workspaceId, contact);
  const notes = await tx.query<NoteRow>(listStatement, [workspaceId, id]);
  if (notes.length >= NOTES_MAX)
    throw invalid({ body: [`A contact has at most ${NOTES_MAX} notes; delete some first.`] });
  const [row] = await tx.query<NoteRow>(insertStatement, [workspaceId, id, author.id, author.name, body]);
  return toNote(row as NoteRow);
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
  const [row] = await tx.query<NoteRow>(findStatement, [workspaceId, note.id ?? null, ...refValues(contact)]);
  if (!row) throw notFound("note");
  if (row.author_id !== userId && !isManager) throw forbidden("Only its author or a manager can delete a note.");
  await tx.query(deleteStatement, [workspaceId, row.id]);
  return toNote(row);
}

const toNote = ({ author_id, author_name, ...note }: NoteRow): ContactNote => ({
  ...note,
  author: { id: author_id, name: author_name },
});

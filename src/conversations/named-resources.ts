import { type FieldErrors, invalid, problems } from "../core/errors.ts";
import { parseRef, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { findContactIfPresent, pinContact } from "./contacts.ts";
import { findMemberId } from "./members.ts";

/** A resource as a body names it: its id, or its uuid as text. */
export type Named = number | string;

/** What a body names of other resources. */
export interface NamedResources {
  contact_id?: Named | undefined;
  /** 0: no assignee. */
  assignee_id?: Named | undefined;
  mailbox_id?: Named | undefined;
}

const NO_CONTACT = "contact_id must be the id or uuid of a contact.";
const NO_MAILBOX = "mailbox_id must be the id or uuid of a mailbox.";
const NO_MEMBER = "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.";

/** What is wrong with the contact and the assignee that a body names. */
export async function namedProblems(
  db: Queryable,
  workspaceId: number,
  { contact_id, assignee_id, mailbox_id }: NamedResources,
): Promise<FieldErrors> {
  const contact = contact_id === undefined ? undefined : parseRef(String(contact_id));
  const found = contact && (await findContactIfPresent(db, workspaceId, contact));
  return problems({
    contact_id: contact_id === undefined || found ? [] : [NO_CONTACT],
    assignee_id: (await assigneeOf(db, workspaceId, assignee_id)) === undefined ? [NO_MEMBER] : [],
    mailbox_id: (await mailboxOf(db, workspaceId, mailbox_id, findMailbox)) === undefined ? [NO_MAILBOX] : [],
  });
}

/** Their ids. Contact and mailbox cannot be deleted before the transaction ends. */
export async function resolveNamed(
  tx: Tx,
  workspaceId: number,
  { contact_id, assignee_id, mailbox_id }: NamedResources,
): Promise<{ contactId: number | null; assigneeId: number | null; mailboxId: number | null }> {
  const contactRef = contact_id === undefined ? undefined : parseRef(String(contact_id));
  const contact = contactRef && (await pinContact(tx, workspaceId, contactRef));
  const assigneeId = await assigneeOf(tx, workspaceId, assignee_id);
  const mailboxId = await mailboxOf(tx, workspaceId, mailbox_id, pinMailbox);
  const wrong = problems({
    contact_id: contact_id === undefined || contact ? [] : [NO_CONTACT],
    assignee_id: assigneeId === undefined ? [NO_MEMBER] : [],
    mailbox_id: mailboxId === undefined ? [NO_MAILBOX] : [],
  });
  if (assigneeId === undefined || mailboxId === undefined || Object.keys(wrong).length > 0) throw invalid(wrong);
  return { contactId: contact?.id ?? null, assigneeId, mailboxId };
}

const FROM_MAILBOX = "from mailboxes where workspace_id = $1 and (id = $2 or uuid = $3)";
const findMailbox = sql("conversation_mailbox_find", `select id ${FROM_MAILBOX}`);
const pinMailbox = sql("conversation_mailbox_pin", `select id ${FROM_MAILBOX} for key share`);

/** Null: none is named. Undefined: no such mailbox. */
async function mailboxOf(
  db: Queryable,
  workspaceId: number,
  named: Named | undefined,
  statement: typeof findMailbox,
): Promise<number | null | undefined> {
  if (named === undefined) return null;
  const ref = parseRef(String(named));
  if (!ref) return undefined;
  const [row] = await db.query<{ id: number }>(statement, [workspaceId, ...refValues(ref)]);
  return row?.id;
}

/** Whether a body names this resource: by its id, or by its uuid in any case. */
export const isNamedBy = ({ id, uuid }: { id: number; uuid: string }, named: Named): boolean =>
  typeof named === "number" ? named === id : named.toLowerCase() === uuid;

/** Null: no assignee. Undefined: no such member. */
async function assigneeOf(
  db: Queryable,
  workspaceId: number,
  named: Named | undefined,
): Promise<number | null | undefined> {
  if (named === undefined || named === 0) return null;
  const ref = parseRef(String(named));
  return (ref && (await findMemberId(db, workspaceId, ref))) ?? undefined;
}

import { type FieldErrors, invalid, problems } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { findContactIfPresent, pinContact } from "./contacts.ts";
import { findMemberId } from "./members.ts";

/** A resource as a body names it: its id, or its uuid as text. */
export type Named = number | string;

/** The contact and the assignee that a body names. */
export interface NamedResources {
  contact_id?: Named | undefined;
  /** 0: no assignee. */
  assignee_id?: Named | undefined;
}

const NO_CONTACT = "contact_id must be the id or uuid of a contact.";
const NO_MEMBER = "assignee_id must be the id or uuid of a member of the workspace, or 0 for nobody.";

/** What is wrong with the contact and the assignee that a body names. */
export async function namedProblems(
  db: Queryable,
  workspaceId: number,
  { contact_id, assignee_id }: NamedResources,
): Promise<FieldErrors> {
  const contact = contact_id === undefined ? undefined : parseRef(String(contact_id));
  const found = contact && (await findContactIfPresent(db, workspaceId, contact));
  return problems({
    contact_id: contact_id === undefined || found ? [] : [NO_CONTACT],
    assignee_id: (await assigneeOf(db, workspaceId, assignee_id)) === undefined ? [NO_MEMBER] : [],
  });
}

/** Their ids. The contact cannot be deleted before the transaction ends. */
export async function resolveNamed(
  tx: Tx,
  workspaceId: number,
  { contact_id, assignee_id }: NamedResources,
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

import { createContact, findOrCreateContact, lockContact, patchContact } from "../conversations/contacts.ts";
import type { WriteContext } from "../conversations/write-context.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { blocked } from "./authorise.ts";
import { bindContact, type LockedSession } from "./sessions.ts";

/** What a visitor types about themselves: unverified. */
export interface Typed {
  name?: string | undefined;
  email?: string | undefined;
}

/** The contact of the session, created if there is none yet. */
export async function contactOfSession(
  write: WriteContext,
  session: LockedSession,
  typed: Typed,
): Promise<ContactRecord> {
  const { tx, caller } = write;
  const { workspaceId } = caller;
  if (session.contact_id !== null) {
    const contact = await lockContact(tx, workspaceId, { id: session.contact_id });
    await bindContact(tx, workspaceId, session.id, contact.id);
    return storeTyped(write, contact, session, typed);
  }
  const name = typed.name || session.typed_name || undefined;
  const email = typed.email || session.typed_email || undefined;
  const contact = session.identity
    ? await identifiedContact(write, session.identity)
    : await createContact(write, { name, unverified_email: email });
  await bindContact(tx, workspaceId, session.id, contact.id);
  return session.identity ? storeTyped(write, contact, session, { name, email }) : contact;
}

/** The contact that an identity names; signed fields update it. */
export async function identifiedContact(
  write: WriteContext,
  { sub, name, email, attributes }: NonNullable<LockedSession["identity"]>,
): Promise<ContactRecord> {
  const contact = await findOrCreateContact(write, { external_id: sub, name, email, attributes }, () => {});
  if (contact.blocked) throw blocked();
  return patchContact(write, { id: contact.id }, { name, email, attributes });
}

/** A typed name or address is kept on the visitor's own contact. What an identity token has signed stays. */
export async function storeTyped(
  write: WriteContext,
  contact: ContactRecord,
  { identity }: Pick<LockedSession, "identity">,
  { name, email }: Typed,
): Promise<ContactRecord> {
  const patch = {
    ...(name && !identity?.name ? { name } : {}),
    ...(email && email !== contact.email ? { unverified_email: email } : {}),
  };
  return Object.keys(patch).length === 0 ? contact : patchContact(write, { id: contact.id }, patch);
}

import { deleteContact, findContactIfPresent, patchContact } from "../conversations/contacts.ts";
import { appendConversationEvents } from "../conversations/conversation-events.ts";
import type { WriteContext } from "../conversations/write-context.ts";
import { Fault } from "../core/errors.ts";
import { sql } from "../db/database.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { blocked } from "./authorise.ts";
import { identifiedContact } from "./contact.ts";
import type { ProvenIdentity } from "./identity.ts";
import type { LockedSession } from "./sessions.ts";
import { contactCaller } from "./visitor.ts";

const setIdentity = sql(
  "visitor_session_identity",
  `update visitor_sessions
   set identity = $3,
     identity_expires_at = $4,
     contact_id = $5,
     seen_at = now()
   where workspace_id = $1
     and id = $2`,
);
const findByExternalId = sql(
  "visitor_contact_of_identity",
  `select id, blocked
   from contacts
   where workspace_id = $1
     and external_id = $2`,
);
const moveConversations = sql(
  "visitor_move_conversations",
  `update conversations
   set contact_id = $3,
     updated_at = greatest(updated_at, now())
   where workspace_id = $1
     and contact_id = $2
   returning id`,
);
const moveMessages = sql(
  "visitor_move_messages",
  `update messages
   set sender_id = $3
   where workspace_id = $1
     and conversation_id = any($2::bigint[])
     and sender_type = 'contact'`,
);
const moveNotes = sql(
  "visitor_move_notes",
  `update contact_notes
   set contact_id = $3
   where workspace_id = $1
     and contact_id = $2`,
);
const otherSessions = sql(
  "visitor_sessions_of_contact",
  `select 1
   from visitor_sessions
   where workspace_id = $1
     and contact_id = $2
     and id <> $3
   limit 1`,
);

/**
 * Binds a session to an identity. What an anonymous visitor wrote moves to the identified contact. A session that has an
 * identity keeps it: another person in the same browser needs another session, and never sees the first one's.
 */
export async function identify(
  write: WriteContext,
  session: LockedSession,
  { identity, expiresAt }: ProvenIdentity,
): Promise<ContactRecord | null> {
  const { tx, caller } = write;
  const { workspaceId } = caller;
  if (session.identity && session.identity.sub !== identity.sub)
    throw new Fault("IDENTITY_INVALID", 'The identity token is refused: "sub" is not that of this session.');
  const [known] = await tx.query<{ id: number; blocked: boolean }>(findByExternalId, [workspaceId, identity.sub]);
  if (known?.blocked) throw blocked();
  // Without a message there is nothing to keep: the contact is created with the first one.
  const needsContact = known !== undefined || session.contact_id !== null;
  const contact = needsContact ? await identifiedContact(write, identity) : null;
  const values = [workspaceId, session.id, JSON.stringify(identity), expiresAt, contact?.id ?? null];
  await tx.query(setIdentity, values);
  if (contact && session.contact_id !== null && session.contact_id !== contact.id)
    await moveFrom(write, session.contact_id, contact, session.id);
  return contact;
}

/** A contact that people have given an external id meanwhile is not anonymous, and keeps what it has. */
async function moveFrom(write: WriteContext, from: number, to: ContactRecord, sessionId: number): Promise<void> {
  const { tx, caller } = write;
  const { workspaceId } = caller;
  const anonymous = await findContactIfPresent(tx, workspaceId, { id: from });
  if (!anonymous || anonymous.external_id !== null) return;
  const by = { ...write, caller: contactCaller({ workspaceId }, to, caller) };
  const isLeft = (await tx.query(otherSessions, [workspaceId, from, sessionId])).length === 0;
  if (isLeft) await patchContact(by, { id: to.id }, whatIsMissing(to, anonymous));
  const moved = await tx.query<{ id: number }>(moveConversations, [workspaceId, from, to.id]);
  const ids = moved.map(({ id }) => id);
  await tx.query(moveMessages, [workspaceId, ids, to.id]);
  for (const id of ids) await appendConversationEvents(by, id, ["conversation.updated"], by.caller.actor);
  if (!isLeft) return;
  await tx.query(moveNotes, [workspaceId, from, to.id]);
  await deleteContact(by, { id: from });
}

/** What is known about the anonymous contact and not about the identified one, whose own fields stay. */
function whatIsMissing(to: ContactRecord, { name, email, phone, unverified_email, attributes }: ContactRecord) {
  return {
    ...(to.name === null ? { name } : {}),
    ...(to.email === null ? { email } : {}),
    ...(to.phone === null ? { phone } : {}),
    ...(to.email === null && to.unverified_email === null ? { unverified_email } : {}),
    attributes: { ...attributes, ...to.attributes },
  };
}

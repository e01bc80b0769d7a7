import { type Static, Type } from "typebox";
import { findContactIfPresent } from "../../../conversations/contacts.ts";
import { Fault } from "../../../core/errors.ts";
import type { Queryable, Tx } from "../../../db/database.ts";
import { storeTyped, type Typed } from "../../../visitors/contact.ts";
import { identify } from "../../../visitors/identify.ts";
import { type ProvenIdentity, verifyIdentity } from "../../../visitors/identity.ts";
import { endSession, keepTyped, type LockedSession, lockSession } from "../../../visitors/sessions.ts";
import { contactCaller, type Visitor } from "../../../visitors/visitor.ts";
import type { Context } from "../../pipeline/route.ts";
import { visitorOf } from "../../pipeline/visitor-access.ts";
import { StartedSession, TYPED_FIELDS, VisitorRecord } from "./schemas.ts";
import { route, type Services } from "./services.ts";

const TOKEN_CHARS_MAX = 16_384;
const BODY_BYTES_MAX = 65_536;

export const sessionRoutes = [
  route({
    method: "POST",
    path: "/session",
    summary: "Start a session, or bind it to an identity",
    access: "public",
    visitor: "anyone",
    bodyBytesMax: BODY_BYTES_MAX,
    body: Type.Object({ identity: Type.Optional(Type.String({ maxLength: TOKEN_CHARS_MAX })) }),
    success: { status: 200, data: StartedSession },
    handler: async ({ body, request }, services) => {
      const { db, secretBox, limits, signals } = services;
      const visitor = visitorOf(request);
      const { workspaceId } = visitor;
      // Before anything is stored: a token that is refused leaves the visitor what they were.
      const proven = body.identity ? await verifyIdentity(db, secretBox, visitor, body.identity) : null;
      if (!proven && visitor.widget.requiresIdentity && !visitor.session?.identity)
        throw new Fault("IDENTITY_REQUIRED", "This chat is for people who are signed in to the page.");
      await limits.session(visitor, request.ip);
      const data = await db.transaction((tx) => start(services, tx, { visitor, proven, request }), { workspaceId });
      if (proven && visitor.session) signals.sessionsChanged(workspaceId, visitor.session.id);
      return { data };
    },
  }),
  route({
    method: "DELETE",
    path: "/session",
    summary: "End the session",
    access: "public",
    visitor: "leaving",
    success: { status: 200, data: Type.Object({}) },
    handler: async ({ request }, { db, signals }) => {
      const { workspaceId, session } = visitorOf(request);
      if (session) await endSession(db, workspaceId, session.id);
      if (session) signals.sessionsChanged(workspaceId, session.id);
      return { data: {} };
    },
  }),
  route({
    method: "PATCH",
    path: "/visitor",
    summary: "Keep the name and e-mail address that the visitor typed",
    access: "public",
    visitor: "session",
    body: Type.Object(TYPED_FIELDS),
    success: { status: 200, data: VisitorRecord },
    handler: async ({ body, request }, { db, limits, outbox }) => {
      const visitor = visitorOf(request);
      // It causes an event, as a message does.
      await limits.message(visitor);
      const store = async (tx: Tx) => {
        const session = await lockSession(tx, visitor);
        const caller = callerOf(visitor, session, request);
        return keep(visitor, session, { tx, outbox, caller, typed: body });
      };
      return { data: await db.transaction(store, { workspaceId: visitor.workspaceId }) };
    },
  }),
];

interface Starting {
  visitor: Visitor;
  proven: ProvenIdentity | null;
  request: Context["request"];
}

async function start(
  { outbox }: Services,
  tx: Tx,
  { visitor, proven, request }: Starting,
): Promise<Static<typeof StartedSession>> {
  const session = await lockSession(tx, visitor);
  if (!proven) return { visitor: await describe(tx, visitor, session), expires_at: session.identity_expires_at };
  const caller = callerOf(visitor, session, request);
  const contact = await identify({ tx, outbox, caller }, session, proven);
  const bound = { ...session, identity: proven.identity, contact_id: contact?.id ?? null };
  const expires = proven.expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00");
  return { visitor: await describe(tx, visitor, bound), expires_at: expires };
}

async function keep(
  visitor: Visitor,
  session: LockedSession,
  { typed, ...write }: Parameters<typeof storeTyped>[0] & { typed: Typed },
): Promise<Static<typeof VisitorRecord>> {
  const { tx } = write;
  const { workspaceId } = visitor;
  const contact = session.contact_id && (await findContactIfPresent(tx, workspaceId, { id: session.contact_id }));
  if (contact) await storeTyped(write, contact, session, typed);
  else await keepTyped(tx, workspaceId, session.id, typed);
  return describe(tx, visitor, {
    ...session,
    typed_name: typed.name || session.typed_name,
    typed_email: typed.email || session.typed_email,
  });
}

const callerOf = (visitor: Visitor, { contact_id: id }: LockedSession, request: Context["request"]) =>
  contactCaller(visitor, { id, name: null }, { ip: request.ip, requestId: request.id });

/** What the visitor sees of themselves. */
async function describe(
  db: Queryable,
  { workspaceId }: Visitor,
  { contact_id, identity, typed_name, typed_email }: LockedSession,
): Promise<Static<typeof VisitorRecord>> {
  const contact = contact_id === null ? null : await findContactIfPresent(db, workspaceId, { id: contact_id });
  return {
    name: contact?.name ?? identity?.name ?? typed_name,
    email: identity ? (identity.email ?? contact?.email ?? null) : (contact?.unverified_email ?? typed_email),
    identified: identity !== null,
  };
}

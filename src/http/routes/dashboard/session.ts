import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { normaliseEmail } from "../../../accounts/email.ts";
import { membershipsOf } from "../../../accounts/members.ts";
import { endSession, endSessionsOf } from "../../../accounts/sessions.ts";
import { findUserByEmail, lockIfPasswordIs, storePasswordHash, type UserWithHash } from "../../../accounts/users.ts";
import { Fault, forbidden } from "../../../core/errors.ts";
import { encodeCursor } from "../../../events/event-cursor.ts";
import { headOf } from "../../../events/event-reader.ts";
import { clearSessionCookie, sessionTokenOf } from "../../pipeline/session-cookie.ts";
import { recordFailedSignIn } from "./failed-sign-in.ts";
import { Email, GivenPassword, SessionRecord, SignedOut, SignInResult } from "./records.ts";
import { secondFactorFor } from "./second-factor.ts";
import { route } from "./services.ts";
import {
  hashingTurnOf,
  openSession,
  recordOwnChange,
  requirePasswords,
  respondWithSession,
  type SigningInOptions,
  sessionOf,
  sessionRecord,
} from "./signing-in.ts";

/** Signing in and out. */
export const sessionRoutes = [
  route({
    method: "POST",
    path: "/sign-in",
    summary: "Sign in with a password",
    access: "public",
    body: Type.Object({ email: Email, password: GivenPassword }),
    success: { status: 200, data: SignInResult },
    handler: async ({ request, reply, body }, services) => {
      const { db, passwords, publicUrl } = services;
      requirePasswords(services);
      const user = await userByPassword(services, request, body);
      if ((await membershipsOf(db, user.id)).length === 0)
        throw forbidden("You belong to no workspace. Ask an owner for an invitation.");
      const better = passwords.isOutdated(user.password_hash)
        ? await passwords.hash(body.password, await hashingTurnOf(db, request, user.id))
        : null;
      const { twoFactor, opened } = await db.transaction(async (tx) => {
        if (!(await lockIfPasswordIs(tx, user.id, user.password_hash))) throw wrongCredentials();
        if (better) await storePasswordHash(tx, user.id, better);
        const twoFactor = await secondFactorFor(services, tx, request, user);
        if (twoFactor) return { twoFactor, opened: null };
        const opened = await openSession(services, tx, request, { user, method: "password", secondFactor: false });
        return { twoFactor: null, opened };
      });
      if (twoFactor) return { data: { two_factor: twoFactor } };
      request.log.info({ user_id: user.id, ip: request.ip }, "signed in");
      const { data: session } = await respondWithSession(services, { request, reply, publicUrl }, opened);
      return { data: { session } };
    },
  }),
  route({
    method: "POST",
    path: "/sign-out",
    beforeSecondFactor: true,
    summary: "Sign out here",
    access: "any",
    success: { status: 200, data: SignedOut },
    handler: async ({ request, reply }, { db, publicUrl }) => {
      await db.transaction(async (tx) => {
        await endSession(tx, sessionTokenOf(request) ?? "");
        await recordOwnChange(tx, request, { action: "user.signed_out", changes: { sessions: 1 } });
      });
      clearSessionCookie({ request, reply, publicUrl });
      return { data: { signed_out: true as const } };
    },
  }),
  route({
    method: "POST",
    path: "/sign-out-everywhere",
    beforeSecondFactor: true,
    summary: "Sign out on every device",
    access: "any",
    success: { status: 200, data: SignedOut },
    handler: async ({ request, reply }, { db, publicUrl }) => {
      const sessions = await db.transaction(async (tx) => {
        const ended = await endSessionsOf(tx, sessionOf(request).user.id);
        await recordOwnChange(tx, request, { action: "user.signed_out", changes: { sessions: ended } });
        return ended;
      });
      clearSessionCookie({ request, reply, publicUrl });
      return { data: { signed_out: true as const, sessions } };
    },
  }),
  route({
    method: "GET",
    path: "/session",
    beforeSecondFactor: true,
    summary: "Who is signed in",
    access: "any",
    success: { status: 200, data: SessionRecord },
    handler: async ({ request }, services) => {
      const session = sessionOf(request);
      const { id } = session.workspace;
      const events_cursor = encodeCursor(id, await headOf(services.db, id));
      return { data: { ...sessionRecord(services, session, session.workspace), events_cursor } };
    },
  }),
];

interface KnownUser extends UserWithHash {
  password_hash: string;
}

/** The person with this address and password. An unknown address takes as long as a wrong password, and gets its response. */
async function userByPassword(
  { db, limits, passwords }: SigningInOptions,
  request: FastifyRequest,
  { email, password }: { email: string; password: string },
): Promise<KnownUser> {
  const refund = await limits.attempt(normaliseEmail(email), request.ip);
  const user = await findUserByEmail(db, email);
  const turn = await hashingTurnOf(db, request, user?.id ?? null);
  const isRight = await passwords.verify(user?.password_hash ?? null, password, turn);
  if (isRight && user) {
    await refund();
    return user as KnownUser;
  }
  request.log.warn({ ip: request.ip }, "a sign-in failed");
  // Not awaited: the time of the response must not reveal whether the address has an account.
  if (user) void recordFailedSignIn(db, request, { user, method: "password" });
  throw wrongCredentials();
}

const wrongCredentials = () => new Fault("UNAUTHORIZED", "The e-mail address or the password is wrong.");

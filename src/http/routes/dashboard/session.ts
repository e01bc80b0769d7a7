import { Type } from "typebox";
import { membershipsOf } from "../../../accounts/members.ts";
import { hashPassword, isOutdated, verifyPassword } from "../../../accounts/passwords.ts";
import { endSession, endSessionsOf } from "../../../accounts/sessions.ts";
import { makeFirstOwner, needsSetup, requireSetupLink } from "../../../accounts/setup.ts";
import {
  emailProblems,
  findUserByEmail,
  lockUser,
  readPasswordHash,
  renameUser,
  storePasswordHash,
} from "../../../accounts/users.ts";
import { renameWorkspace } from "../../../accounts/workspaces.ts";
import { Fault, forbidden, invalid, problems } from "../../../core/errors.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { clearSessionCookie, sessionTokenOf } from "../../pipeline/session-cookie.ts";
import { Email, GivenPassword, Name, NewPassword, SessionRecord, Token } from "./records.ts";
import { answerSession, openSession, originOf, type SignInDeps, sessionOf, sessionRecord } from "./signing-in.ts";

const TAG = "Session";
const SignedOut = Type.Object(
  { signed_out: Type.Literal(true), sessions: Type.Optional(Type.Integer()) },
  { title: "SignedOut" },
);
const SetupState = Type.Object({ needed: Type.Boolean() }, { title: "SetupState" });

/** First run, signing in and out, and what people may change about themselves. */
export function sessionRoutes(deps: SignInDeps): RouteSpec[] {
  const { db, limits, publicUrl } = deps;
  return [
    route({
      method: "GET",
      path: "/setup",
      tag: TAG,
      summary: "Whether the first owner is still to be made",
      access: "public",
      success: { status: 200, data: SetupState },
      handler: async () => ({ data: { needed: await needsSetup(db) } }),
    }),
    route({
      method: "POST",
      path: "/setup",
      tag: TAG,
      summary: "Make the first owner, with the link that the server printed",
      access: "public",
      body: Type.Object({
        token: Token,
        name: Name,
        email: Email,
        password: NewPassword,
        workspace_name: Type.Optional(Name),
      }),
      success: { status: 201, data: SessionRecord },
      check: ({ body }) => problems({ email: body.email === undefined ? [] : emailProblems(body.email) }),
      handler: async ({ request, reply, body }) => {
        const right = await limits.attempt("setup", request.ip);
        await requireSetupLink(db, body.token);
        const input = { name: body.name, email: body.email, passwordHash: await hashPassword(body.password) };
        const token = await db.transaction(async (tx) => {
          const made = await makeFirstOwner(tx, body.token, input, (user) => originOf(request, user));
          if (body.workspace_name !== undefined)
            await renameWorkspace(tx, originOf(request, made.user), made.workspaceId, body.workspace_name);
          return openSession(tx, request, made.user.id);
        });
        await right();
        return answerSession(deps, { request, reply }, token);
      },
    }),
    route({
      method: "POST",
      path: "/sign-in",
      tag: TAG,
      summary: "Sign in",
      access: "public",
      body: Type.Object({ email: Email, password: GivenPassword }),
      success: { status: 200, data: SessionRecord },
      handler: async ({ request, reply, body }) => {
        const right = await limits.attempt(body.email, request.ip);
        const user = await findUserByEmail(db, body.email);
        if (!(await verifyPassword(user?.password_hash ?? null, body.password)) || !user) {
          request.log.warn({ ip: request.ip }, "a sign-in failed");
          throw new Fault("UNAUTHORIZED", "The e-mail address or the password is wrong.");
        }
        await right();
        if ((await membershipsOf(db, user.id)).length === 0)
          throw forbidden("You belong to no workspace. Ask an owner for an invitation.");
        const better = isOutdated(user.password_hash) ? await hashPassword(body.password) : null;
        const token = await db.transaction(async (tx) => {
          // Meets a change of the password under way: that one ends all sessions, and must find this one too.
          await lockUser(tx, user.id);
          if ((await readPasswordHash(tx, user.id)) !== user.password_hash)
            throw new Fault("UNAUTHORIZED", "The e-mail address or the password is wrong.");
          if (better) await storePasswordHash(tx, user.id, better);
          return openSession(tx, request, user.id);
        });
        request.log.info({ user_id: user.id, ip: request.ip }, "signed in");
        return answerSession(deps, { request, reply }, token);
      },
    }),
    route({
      method: "POST",
      path: "/sign-out",
      tag: TAG,
      summary: "Sign out here",
      access: "any",
      success: { status: 200, data: SignedOut },
      handler: async ({ request, reply }) => {
        await endSession(db, sessionTokenOf(request) ?? "");
        clearSessionCookie(request, reply, publicUrl);
        return { data: { signed_out: true as const } };
      },
    }),
    route({
      method: "POST",
      path: "/sign-out-everywhere",
      tag: TAG,
      summary: "Sign out on every device",
      access: "any",
      success: { status: 200, data: SignedOut },
      handler: async ({ request, reply }) => {
        const sessions = await endSessionsOf(db, sessionOf(request).user.id);
        clearSessionCookie(request, reply, publicUrl);
        return { data: { signed_out: true as const, sessions } };
      },
    }),
    route({
      method: "GET",
      path: "/session",
      tag: TAG,
      summary: "Who is signed in",
      access: "any",
      success: { status: 200, data: SessionRecord },
      handler: async ({ request }) => {
        const session = sessionOf(request);
        return { data: sessionRecord(session, session.workspace) };
      },
    }),
    route({
      method: "PATCH",
      path: "/profile",
      tag: TAG,
      summary: "Change your name or password",
      access: "any",
      body: Type.Object({
        name: Type.Optional(Name),
        password: Type.Optional(NewPassword),
        current_password: Type.Optional(GivenPassword),
      }),
      success: { status: 200, data: SessionRecord },
      handler: async ({ request, reply, body }) => {
        const { user, workspace } = sessionOf(request);
        const passwordHash =
          body.password === undefined ? null : await newHash(user.id, request.ip, body.password, body.current_password);
        const token = await db.transaction(async (tx) => {
          await lockUser(tx, user.id);
          if (body.name !== undefined) await renameUser(tx, user.id, body.name);
          if (!passwordHash) return null;
          await storePasswordHash(tx, user.id, passwordHash);
          await endSessionsOf(tx, user.id);
          return openSession(tx, request, user.id);
        });
        if (token) return answerSession(deps, { request, reply }, token, workspace.id);
        const session = sessionOf(request);
        const renamed = { ...session, user: { ...session.user, name: body.name ?? session.user.name } };
        return { data: sessionRecord(renamed, workspace) };
      },
    }),
  ];

  /** An unlocked screen is not enough to change a password: whoever does so knows the old one. */
  async function newHash(userId: number, ip: string, password: string, current: string | undefined): Promise<string> {
    if (current === undefined)
      throw invalid({ current_password: ["current_password is required for a new password."] });
    const right = await limits.attempt(`user:${userId}`, ip);
    if (!(await verifyPassword(await readPasswordHash(db, userId), current)))
      throw invalid({ current_password: ["current_password is wrong."] });
    await right();
    return hashPassword(password);
  }
}

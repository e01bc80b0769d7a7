import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { emailProblems } from "../../../accounts/email.ts";
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  type OpenInvitation,
  readOpenInvitation,
  revokeInvitation,
} from "../../../accounts/invitations.ts";
import { passwordProblems } from "../../../accounts/passwords.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { isAdmissible, readSession, type Session } from "../../../accounts/sessions.ts";
import { hasSecondFactor } from "../../../accounts/two-factor.ts";
import {
  createUser,
  findUserByEmail,
  lockIfPasswordIs,
  type NewUser,
  type UserWithHash,
} from "../../../accounts/users.ts";
import { conflict, Fault, invalid, problems } from "../../../core/errors.ts";
import { createLimiter } from "../../../rate-limit/limiter.ts";
import { baseUrlOf } from "../../pipeline/base-url.ts";
import type { RouteOf } from "../../pipeline/route.ts";
import { requireSameOrigin } from "../../pipeline/same-origin.ts";
import { sessionTokenOf } from "../../pipeline/session-cookie.ts";
import { recordFailedSignIn } from "./failed-sign-in.ts";
import {
  Email,
  GivenPassword,
  InvitationPreview,
  InvitationRecord,
  InvitationWithUrl,
  Name,
  RoleName,
  SessionRecord,
  Token,
} from "./records.ts";
import { route, type Services } from "./services.ts";
import {
  fromRequest,
  hashingTurnOf,
  managerOf,
  openSession,
  requirePasswords,
  respondWithSession,
  type SigningInOptions,
  sessionOf,
  sessionRecord,
} from "./signing-in.ts";

const roles = MANAGERS;
/** Invitations by e-mail per workspace and hour: past that there is still the link, and no way to write to strangers. */
const MAILS_MAX = 50;

/** What owners and admins do. */
export function managedInvitationRoutes(): RouteOf<Services>[] {
  const mails = createLimiter({ requests: MAILS_MAX, windowSeconds: 3_600 });
  return [
    route({
      method: "GET",
      path: "/invitations",
      summary: "List open and expired invitations",
      access: "any",
      roles,
      success: { status: 200, data: Type.Array(InvitationRecord) },
      handler: async ({ caller }, { db }) => ({ data: await listInvitations(db, caller.workspaceId) }),
    }),
    route({
      method: "POST",
      path: "/invitations",
      summary: "Invite a person by link, and by e-mail if a mail server is configured",
      access: "any",
      roles,
      body: Type.Object({ email: Email, role: RoleName }),
      success: { status: 201, data: InvitationWithUrl },
      check: ({ body }) => problems({ email: body.email === undefined ? [] : emailProblems(body.email) }),
      handler: (context, { publicUrl, notices }) =>
        context.write(async (tx) => {
          const { invitation, token } = await createInvitation(tx, managerOf(context), context.body);
          const url = `${baseUrlOf(context.request, publicUrl)}/accept-invitation?token=${token}`;
          const { user, workspace } = sessionOf(context.request);
          const emailed = notices !== null && (await mails.consume(String(workspace.id))).allowed;
          if (emailed)
            await notices.invited(tx, {
              workspaceId: workspace.id,
              workspace: workspace.name,
              inviter: user,
              url,
              email: invitation.email,
              role: invitation.role,
              expiresAt: invitation.expires_at,
            });
          return { data: { ...invitation, url, emailed } };
        }),
    }),
    route({
      method: "DELETE",
      path: "/invitations/{invitation}",
      summary: "Revoke an invitation",
      access: "any",
      roles,
      success: { status: 200, data: InvitationRecord },
      handler: (context) =>
        context.write(async (tx) => ({
          data: await revokeInvitation(tx, managerOf(context), context.params.invitation),
        })),
    }),
  ];
}

export const invitationRoutes = [
  route({
    method: "POST",
    path: "/invitation-preview",
    summary: "Read the invitation that a link belongs to",
    access: "public",
    body: Type.Object({ token: Token }),
    success: { status: 200, data: InvitationPreview },
    handler: async ({ request, body }, services) => {
      const invitation = await readOpenInvitation(services.db, body.token);
      const { email, role, expires_at } = invitation;
      const { workspace_id: id, workspace_uuid: uuid, workspace_name: name } = invitation;
      const signed_in_as_invited = (await signedInAs(services, invitation, request)) !== null;
      return { data: { email, role, workspace: { id, uuid, name }, expires_at, signed_in_as_invited } };
    },
  }),
  route({
    method: "POST",
    path: "/accept-invitation",
    summary: "Join a workspace by invitation",
    access: "public",
    body: Type.Object({ token: Token, name: Type.Optional(Name), password: Type.Optional(GivenPassword) }),
    success: { status: 200, data: SessionRecord },
    handler: async ({ request, reply, body }, services) => {
      const { db, publicUrl } = services;
      const invitation = await readOpenInvitation(db, body.token);
      const session = await signedInAs(services, invitation, request);
      if (session) return { data: await acceptSignedIn(services, session, request, body.token) };
      const known = await knownByPassword(services, invitation, request, body);
      const input = known ? null : await newUserFrom(services, request, { ...body, email: invitation.email });
      const { opened, workspaceId } = await db.transaction(async (tx) => {
        if (known && !(await lockIfPasswordIs(tx, known.id, known.password_hash))) throw wrongPassword();
        const user = known ?? (await createUser(tx, input as NewUser));
        const workspaceId = await acceptInvitation(tx, body.token, { user, ...fromRequest(request) });
        const opened = await openSession(services, tx, request, { user, method: "password", secondFactor: false });
        return { opened, workspaceId };
      });
      return respondWithSession(services, { request, reply, publicUrl }, opened, workspaceId);
    },
  }),
];

/** The session stays as it is: nothing was shown that would make it stronger or last longer. */
async function acceptSignedIn(options: SigningInOptions, { user }: Session, request: FastifyRequest, token: string) {
  const { db } = options;
  const from = fromRequest(request);
  const workspaceId = await db.transaction((tx) => acceptInvitation(tx, token, { user, ...from }));
  const session = await readSession(db, sessionTokenOf(request) ?? "");
  const workspace = session?.workspaces.find(({ id }) => id === workspaceId);
  if (!session || !workspace) throw new Fault("UNAUTHORIZED", "The session has ended. Sign in again.");
  return sessionRecord(options, session, workspace);
}

/** The invited person, if they are signed in; the cookie counts only for a page of this dashboard. */
async function signedInAs(
  { db, publicUrl, ssoOnly }: SigningInOptions,
  { email }: OpenInvitation,
  request: FastifyRequest,
): Promise<Session | null> {
  const token = sessionTokenOf(request);
  if (!token || request.headers.authorization !== undefined) return null;
  requireSameOrigin(request, { publicUrl, originless: "refuse" });
  const session = await readSession(db, token);
  return session && isAdmissible(session, { ssoOnly }) && session.user.email === email ? session : null;
}

/**
 * Null: this address has no account yet. Whether it has one is known only after a password was tried, and tries are
 * limited: an invitation must not be a way to ask which addresses have accounts in other workspaces.
 */
async function knownByPassword(
  options: SigningInOptions,
  { email }: OpenInvitation,
  request: FastifyRequest,
  body: { name?: string; password?: string },
): Promise<UserWithHash | null> {
  const { db, limits, passwords } = options;
  requirePasswords(options);
  requireNewcomer(body);
  const user = await findUserByEmail(db, email);
  if (!user) return null;
  const refund = await limits.attempt(email, request.ip);
  const turn = await hashingTurnOf(db, request, user.id);
  if (!(await passwords.verify(user.password_hash, body.password as string, turn))) {
    await recordFailedSignIn(db, request, { user, method: "password" });
    throw wrongPassword();
  }
  await refund();
  if (await hasSecondFactor(db, user.id))
    throw conflict("Your account requires a second factor. Sign in first, then open the invitation's link again.");
  return user;
}

async function newUserFrom(
  { db, passwords }: SigningInOptions,
  request: FastifyRequest,
  { email, name = "", password = "" }: { email: string; name?: string; password?: string },
): Promise<NewUser> {
  const passwordHash = await passwords.hash(password, await hashingTurnOf(db, request, null));
  return { name, email, passwordHash };
}

const wrongPassword = () =>
  new Fault("UNAUTHORIZED", "If you have an account with this e-mail address, use its password.");

/** The same rules for everyone who holds a link: the errors do not reveal whether there is an account. */
function requireNewcomer({ name, password }: { name?: string; password?: string }): void {
  const found = problems({
    name: name === undefined ? ["name is required."] : [],
    password: password === undefined ? ["password is required."] : passwordProblems(password),
  });
  if (Object.keys(found).length > 0) throw invalid(found);
}

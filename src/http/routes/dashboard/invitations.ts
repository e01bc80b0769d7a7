import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  createInvitation,
  listInvitations,
  type OpenInvitation,
  readOpenInvitation,
  revokeInvitation,
  takeInvitation,
} from "../../../accounts/invitations.ts";
import { hashPassword, passwordProblems, verifyPassword } from "../../../accounts/passwords.ts";
import { MANAGERS } from "../../../accounts/roles.ts";
import { readSession } from "../../../accounts/sessions.ts";
import { createUser, emailProblems, findUserByEmail, type NewUser, type User } from "../../../accounts/users.ts";
import { Fault, invalid, problems } from "../../../core/errors.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { requireOwnPage } from "../../pipeline/same-origin.ts";
import { sessionTokenOf } from "../../pipeline/session-cookie.ts";
import { baseUrlOf } from "../../server/base-url.ts";
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
import { answerSession, openSession, originOf, type SignInDeps, sessionOf } from "./signing-in.ts";

const TAG = "Invitations";
const roles = MANAGERS;

export function invitationRoutes(deps: SignInDeps): RouteSpec[] {
  const { db, limits, publicUrl } = deps;
  return [
    route({
      method: "GET",
      path: "/invitations",
      tag: TAG,
      summary: "List open and expired invitations",
      access: "any",
      roles,
      success: { status: 200, data: Type.Array(InvitationRecord) },
      handler: async ({ principal }) => ({ data: await listInvitations(db, principal.workspaceId) }),
    }),
    route({
      method: "POST",
      path: "/invitations",
      tag: TAG,
      summary: "Invite somebody by link",
      access: "any",
      roles,
      body: Type.Object({ email: Email, role: RoleName }),
      success: { status: 201, data: InvitationWithUrl },
      check: ({ body }) => problems({ email: body.email === undefined ? [] : emailProblems(body.email) }),
      handler: ({ principal, origin, request, body, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          const { invitation, token } = await createInvitation(tx, origin, principal.workspaceId, role, body);
          return { data: { ...invitation, url: `${baseUrlOf(request, publicUrl)}/accept-invitation?token=${token}` } };
        }),
    }),
    route({
      method: "DELETE",
      path: "/invitations/{invitation}",
      params: ["invitation"],
      tag: TAG,
      summary: "Take an invitation back",
      access: "any",
      roles,
      success: { status: 200, data: InvitationRecord },
      handler: ({ principal, origin, request, params, write }) =>
        write(async (tx) => {
          const { role } = sessionOf(request).workspace;
          return { data: await revokeInvitation(tx, origin, principal.workspaceId, role, params.invitation) };
        }),
    }),
    route({
      method: "POST",
      path: "/invitation-preview",
      tag: TAG,
      summary: "What an invitation's link leads to",
      access: "public",
      body: Type.Object({ token: Token }),
      success: { status: 200, data: InvitationPreview },
      handler: async ({ request, body }) => {
        const invitation = await readOpenInvitation(db, body.token);
        const { email, role, expires_at, has_account } = invitation;
        const { workspace_id: id, workspace_uuid: uuid, workspace_name: name } = invitation;
        const signed_in_as_invited = (await signedInAs(invitation, request)) !== null;
        return {
          data: { email, role, workspace: { id, uuid, name }, expires_at, has_account, signed_in_as_invited },
        };
      },
    }),
    route({
      method: "POST",
      path: "/accept-invitation",
      tag: TAG,
      summary: "Join a workspace by invitation",
      access: "public",
      body: Type.Object({ token: Token, name: Type.Optional(Name), password: Type.Optional(GivenPassword) }),
      success: { status: 200, data: SessionRecord },
      handler: async ({ request, reply, body }) => {
        const invitation = await readOpenInvitation(db, body.token);
        const known =
          (await signedInAs(invitation, request)) ?? (await knownByPassword(invitation, request.ip, body.password));
        const input = known ? null : await newcomer(invitation, body);
        const { token, workspaceId } = await db.transaction(async (tx) => {
          const user = known ?? (await createUser(tx, input as NewUser));
          const workspaceId = await takeInvitation(tx, body.token, originOf(request, user), user.id);
          return { token: await openSession(tx, request, user.id), workspaceId };
        });
        return answerSession(deps, { request, reply }, token, workspaceId);
      },
    }),
  ];

  /** The person invited, if it is they who are signed in; the cookie speaks only for a page of ours. */
  async function signedInAs({ email }: OpenInvitation, request: FastifyRequest): Promise<User | null> {
    const token = sessionTokenOf(request);
    if (!token || request.headers.authorization !== undefined) return null;
    requireOwnPage(request, { publicUrl, originless: "refuse" });
    const session = await readSession(db, token);
    return session && session.user.email.toLowerCase() === email.toLowerCase() ? session.user : null;
  }

  /** Null: nobody has this address yet. */
  async function knownByPassword(
    { email }: OpenInvitation,
    ip: string,
    password: string | undefined,
  ): Promise<User | null> {
    const user = await findUserByEmail(db, email);
    if (!user) return null;
    if (password === undefined)
      throw invalid({ password: ["password is required: there is an account with this e-mail address."] });
    const right = await limits.attempt(email, ip);
    if (!(await verifyPassword(user.password_hash, password)))
      throw new Fault("UNAUTHORIZED", "The password is wrong.");
    await right();
    return user;
  }
}

async function newcomer(
  { email }: OpenInvitation,
  { name, password }: { name?: string; password?: string },
): Promise<NewUser> {
  if (name === undefined || password === undefined || passwordProblems(password).length > 0)
    throw invalid(
      problems({
        name: name === undefined ? ["name is required."] : [],
        password: password === undefined ? ["password is required."] : passwordProblems(password),
      }),
    );
  return { name, email, passwordHash: await hashPassword(password) };
}

import { Type } from "typebox";
import { userOfIdentity, type VerifiedIdentity, verifiedEmailOf } from "../../../accounts/identities.ts";
import { acceptInvitation, type OpenInvitation, readOpenInvitation } from "../../../accounts/invitations.ts";
import { membershipsOf } from "../../../accounts/members.ts";
import { becomeFirstOwner, requireSetupLink } from "../../../accounts/setup.ts";
import type { Sso } from "../../../accounts/sso.ts";
import type { User } from "../../../accounts/users.ts";
import { updateWorkspace } from "../../../accounts/workspaces.ts";
import { Fault, forbidden, notFound } from "../../../core/errors.ts";
import type { Tx } from "../../../db/database.ts";
import { nullable } from "../../../resources/common.ts";
import { baseUrlOf } from "../../pipeline/base-url.ts";
import { Name, SessionRecord, Token } from "./records.ts";
import { route, type Services } from "./services.ts";
import { fromRequest, openSession, respondWithSession } from "./signing-in.ts";

const SignInOptions = Type.Object(
  {
    password: Type.Boolean({ description: "Passwords and passkeys sign in; otherwise only single sign-on does." }),
    password_reset: Type.Boolean({ description: "A forgotten password can be replaced by a link in an e-mail." }),
    sso: nullable(Type.Object({ name: Type.String() })),
  },
  { title: "SignInOptions" },
);

/** Signing in through an OpenID Connect provider. */
export const ssoRoutes = [
  route({
    method: "GET",
    path: "/sign-in-options",
    summary: "List the ways to sign in",
    access: "public",
    success: { status: 200, data: SignInOptions },
    handler: async (_context, { notices, sso, ssoOnly }) => ({
      data: {
        password: !ssoOnly,
        password_reset: !ssoOnly && notices !== null,
        sso: sso && { name: sso.name },
      },
    }),
  }),
  route({
    method: "POST",
    path: "/sso/start",
    summary: "Start a sign-in through the identity provider",
    access: "public",
    success: {
      status: 200,
      data: Type.Object({ url: Type.String(), token: Type.String() }, { title: "SsoStart" }),
    },
    handler: async ({ request }, services) => {
      const { publicUrl } = services;
      const sso = providerOf(services);
      const redirectUri = redirectUriOf(baseUrlOf(request, publicUrl));
      return { data: await counted(services, request.ip, () => sso.start(redirectUri)) };
    },
  }),
  route({
    method: "POST",
    path: "/sso/finish",
    summary: "Complete a sign-in with what the identity provider sent back",
    access: "public",
    body: Type.Object({
      token: Token,
      search: Type.String({ minLength: 1, maxLength: 8_192, pattern: "^\\?" }),
      invitation_token: Type.Optional(Token),
      setup_token: Type.Optional(Token),
      workspace_name: Type.Optional(Name),
    }),
    success: { status: 200, data: SessionRecord },
    handler: async ({ request, reply, body }, services) => {
      const { db, publicUrl, ssoPolicy } = services;
      const sso = providerOf(services);
      const { invitation_token: invitationToken, setup_token: setupToken, workspace_name: name } = body;
      // Before the provider's code is used up: a link that has ended is reported without signing in.
      const invitation = invitationToken === undefined ? null : await readOpenInvitation(db, invitationToken);
      if (setupToken !== undefined) await requireSetupLink(db, setupToken);
      const redirectUri = redirectUriOf(baseUrlOf(request, publicUrl));
      const { token, search } = body;
      const identity = await counted(services, request.ip, () => sso.finish({ redirectUri, search, token }));
      const from = fromRequest(request);
      const opened = await db.transaction(async (tx) => {
        const user = await userOfIdentity(tx, { identity, policy: ssoPolicy, from });
        if (setupToken !== undefined) {
          const caller = await becomeFirstOwner(tx, { token: setupToken, from }, user);
          if (name !== undefined) await updateWorkspace(tx, caller, { name });
        }
        if (invitation) await acceptLink(tx, { invitation, token: invitationToken ?? "", identity, user, from });
        if ((await membershipsOf(tx, user.id)).length === 0)
          throw forbidden("You belong to no workspace. Ask an owner for an invitation.");
        // Whether a second factor is asked for is the provider's policy.
        return openSession(services, tx, request, { user, method: "sso", secondFactor: true });
      });
      const workspaceId = invitation?.workspace_id ?? null;
      return respondWithSession(services, { request, reply, publicUrl }, opened, workspaceId);
    },
  }),
];

function providerOf({ sso }: Services): Sso {
  if (!sso) throw notFound("single sign-on");
  return sso;
}

/** Failures count against the client address, except those of the provider. */
async function counted<T>({ limits }: Services, ip: string, attempt: () => Promise<T>): Promise<T> {
  const refund = await limits.attempt(null, ip);
  try {
    const result = await attempt();
    await refund();
    return result;
  } catch (error) {
    if (error instanceof Fault && error.code === "SERVICE_UNAVAILABLE") await refund();
    throw error;
  }
}

interface GivenLink {
  invitation: OpenInvitation;
  token: string;
  identity: VerifiedIdentity;
  user: User;
  from: { ip: string; requestId: string };
}

/** The link of an invitation that led to this sign-in; at a first sign-in it has been accepted by its address. */
async function acceptLink(tx: Tx, { invitation, token, identity, user, from }: GivenLink): Promise<void> {
  const { workspace_id: workspaceId, email } = invitation;
  if ((await membershipsOf(tx, user.id)).some(({ workspace_id }) => workspace_id === workspaceId)) return;
  if (email !== user.email && email !== verifiedEmailOf(identity))
    throw forbidden(`This invitation is for ${email}. You signed in as ${user.email}.`);
  await acceptInvitation(tx, token, { user, ...from });
}

/** A page of the dashboard; register it with the provider. */
const redirectUriOf = (base: string): string => `${base}/sign-in/sso`;

import { Type } from "typebox";
import { type SsoPolicy, userOfIdentity } from "../../../accounts/identities.ts";
import { membershipsOf } from "../../../accounts/members.ts";
import type { Sso } from "../../../accounts/sso.ts";
import { forbidden, notFound } from "../../../core/errors.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";
import { baseUrlOf } from "../../server/base-url.ts";
import { SessionRecord, Token } from "./records.ts";
import { fromRequest, openSession, respondWithSession, type SignInDeps } from "./signing-in.ts";

const TAG = "Session";

export interface SsoRouteDeps extends SignInDeps {
  sso: Sso | null;
  ssoPolicy: SsoPolicy;
}

const SignInOptions = Type.Object(
  {
    password: Type.Boolean({ description: "Passwords and passkeys sign in; otherwise only single sign-on does." }),
    password_reset: Type.Boolean({ description: "A forgotten password can be replaced by a link in an e-mail." }),
    sso: Type.Unsafe<{ name: string } | null>({
      type: ["object", "null"],
      properties: { name: Type.String() },
      required: ["name"],
    }),
  },
  { title: "SignInOptions" },
);

/** Signing in through an OpenID Connect provider. */
export function ssoRoutes(deps: SsoRouteDeps): RouteSpec[] {
  const { db, limits, publicUrl, ssoOnly } = deps;
  const provider = (): Sso => {
    if (!deps.sso) throw notFound("single sign-on");
    return deps.sso;
  };
  return [
    route({
      method: "GET",
      path: "/sign-in-options",
      tag: TAG,
      summary: "List the ways to sign in",
      access: "public",
      success: { status: 200, data: SignInOptions },
      handler: async () => ({
        data: {
          password: !ssoOnly,
          password_reset: !ssoOnly && deps.notices !== null,
          sso: deps.sso && { name: deps.sso.name },
        },
      }),
    }),
    route({
      method: "POST",
      path: "/sso/start",
      tag: TAG,
      summary: "Start a sign-in through the identity provider",
      access: "public",
      success: {
        status: 200,
        data: Type.Object({ url: Type.String(), token: Type.String() }, { title: "SsoStart" }),
      },
      handler: async ({ request }) => {
        const sso = provider();
        const refund = await limits.attempt("sso-start", request.ip);
        const started = await sso.start(redirectUriOf(baseUrlOf(request, publicUrl)));
        await refund();
        return { data: started };
      },
    }),
    route({
      method: "POST",
      path: "/sso/finish",
      tag: TAG,
      summary: "Complete a sign-in with what the identity provider sent back",
      access: "public",
      body: Type.Object({ token: Token, search: Type.String({ minLength: 1, maxLength: 8_192, pattern: "^\\?" }) }),
      success: { status: 200, data: SessionRecord },
      handler: async ({ request, reply, body }) => {
        const sso = provider();
        const refund = await limits.attempt("sso", request.ip);
        const redirectUri = redirectUriOf(baseUrlOf(request, publicUrl));
        const identity = await sso.finish({ redirectUri, ...body });
        await refund();
        const opened = await db.transaction(async (tx) => {
          const user = await userOfIdentity(tx, { identity, policy: deps.ssoPolicy, from: fromRequest(request) });
          if ((await membershipsOf(tx, user.id)).length === 0)
            throw forbidden("You belong to no workspace. Ask an owner for an invitation.");
          // Whether a second factor is asked for is the provider's policy.
          return openSession(deps, tx, request, { user, method: "sso", secondFactor: true });
        });
        return respondWithSession(deps, { request, reply, publicUrl }, opened);
      },
    }),
  ];
}

/** A page of the dashboard; register it with the provider. */
const redirectUriOf = (base: string): string => `${base}/sign-in/sso`;

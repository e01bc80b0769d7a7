import type { FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { languageOfBrowser } from "../../accounts/languages.ts";
import {
  isAdmissible,
  needsSecondFactor,
  readSession,
  type Session,
  type SessionPolicy,
  type WorkspaceRole,
  wasRemoved,
} from "../../accounts/sessions.ts";
import { isWithin } from "../../auth/allowed-ips.ts";
import type { KeyPrincipal, Principal } from "../../auth/principal.ts";
import type { Verifier } from "../../auth/verifier.ts";
import { Fault, forbidden, notFound, unavailable } from "../../core/errors.ts";
import type { Database } from "../../db/database.ts";
import { MOVING } from "../../db/errors.ts";
import { createLimiter, type Limit, type Limiter, type TierLimiter, type Verdict } from "../../rate-limit/limiter.ts";
import { askedWorkspace, bearerOf, userPrincipal, workspaceHeaderOf } from "./credentials.ts";
import type { RouteSpec } from "./route.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { sessionTokenOf } from "./session-cookie.ts";

/** The session that a request was admitted with, in the workspace it asked for. */
export interface CurrentSession extends Session {
  workspace: WorkspaceRole;
}

export interface AccessOptions {
  db: Database;
  verifier: Verifier;
  tiers: TierLimiter;
  /** All limited keys of a workspace together; null: there is no such limit. */
  workspaceLimiter?: Limiter | null;
  authFailures: Limiter;
  publicUrl: string | null;
  sessionPolicy?: SessionPolicy;
}

/** Admits a request and returns its principal; null where no credential is needed. */
export type Admit = (spec: RouteSpec, request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null>;

export interface Access {
  /** To /api/v1: with an API key, or signed in. */
  toApi: Admit;
  /** To the dashboard's own API: signed in only. */
  toDashboard: Admit;
}

const NOT_SIGNED_IN = "You are not signed in, or the session has ended.";
const ANY_SESSION: SessionPolicy = { requireTwoFactor: false, ssoOnly: false };
/** A page of the dashboard makes a few requests; a script in its place is slowed down. */
const USER_LIMIT: Limit = { requests: 3_000, windowSeconds: 60 };
const USER_POLICY = "signed-in";
const WORKSPACE_POLICY = "workspace";

/** Checks in the order of docs/errors.md: 401, then 429, then 403 and 404. */
export function createAccess(options: AccessOptions): Access {
  const { db, verifier, authFailures, publicUrl, sessionPolicy = ANY_SESSION } = options;
  const userLimiter = createLimiter(USER_LIMIT);

  async function toApi(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<Principal | null> {
    if (spec.access === "public") return null;
    const { authorization, cookie } = request.headers;
    // A request with an API key never uses the session, not even if the key is wrong.
    if (authorization === undefined && cookie !== undefined) return admitUser(spec, request, reply);
    const secret = bearerOf(authorization);
    const found = secret === null ? null : verifier.verify(secret, () => addressGroup(request.ip));
    const principal = found instanceof Promise ? await found : found;
    if (!principal) throw await refusal(request, "The API key is missing, invalid or revoked.");
    if (principal.move) requireNotMoving(principal.move, spec, reply);
    request.principal = principal;
    await countRequest(options, principal, reply);
    if (principal.allowedIps && !isWithin(request.ip, principal.allowedIps))
      throw forbidden("This API key may not be used from this address.");
    if (spec.peopleOnly) throw forbidden("Only people who are signed in to the dashboard can do this.");
    if (spec.access !== "any" && !principal.scopes.has(spec.access))
      throw forbidden(`This API key lacks the scope ${spec.access}.`);
    return principal;
  }

  async function toDashboard(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<Principal | null> {
    if (spec.access !== "public") return admitUser(spec, request, reply);
    // Nobody is signed in yet, so there is no cookie to misuse; but no other site signs its visitor in here either.
    requireSameOrigin(request, { publicUrl, originless: "accept" });
    return null;
  }

  async function admitUser(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const token = request.headers.authorization === undefined ? sessionTokenOf(request) : null;
    const session =
      token === null ? null : await readSession(db, token, languageOfBrowser(request.headers["accept-language"]));
    if (token !== null && !session && (await wasRemoved(db, token))) throw removed();
    if (!session || !isAdmissible(session, sessionPolicy)) throw await refusal(request, NOT_SIGNED_IN);
    const verdict = await userLimiter.consume(String(session.user.id));
    rateHeaders(reply, USER_POLICY, verdict);
    if (!verdict.allowed) throw tooMany(verdict);
    requireSameOrigin(request, { publicUrl, originless: "refuse", upload: spec.upload !== undefined });
    const workspace = askedWorkspace(session, workspaceHeaderOf(request));
    if (!workspace) throw notFound("workspace");
    const principal = userPrincipal(session, workspace);
    request.principal = principal;
    request.session = { ...session, workspace };
    if (!spec.beforeSecondFactor && needsSecondFactor(session, { workspace, ...sessionPolicy }))
      throw forbidden("Two-factor sign-in is required here. Set it up under Account security, then continue.");
    if (spec.access !== "any" && spec.access !== "public" && !principal.scopes.has(spec.access))
      throw forbidden(`The role ${workspace.role} lacks the scope ${spec.access}.`);
    if (spec.roles && !spec.roles.includes(workspace.role))
      throw forbidden(`The role ${workspace.role} may not do this.`);
    return principal;
  }

  /** A wrong credential counts against its address; a valid one from there is never affected by that. */
  async function refusal(request: FastifyRequest, sentence: string): Promise<Fault> {
    const verdict = await authFailures.consume(addressGroup(request.ip));
    return verdict.allowed
      ? new Fault("UNAUTHORIZED", sentence)
      : tooMany(verdict, "Too many failed authentications from this address.");
  }

  return { toApi, toDashboard };
}

/**
 * Against the limit of the key, then against that of its workspace: a key that creates more keys gets no further. What
 * the first refuses does not count for the second, and a key without a limit counts for neither.
 */
async function countRequest(
  { tiers, workspaceLimiter }: Pick<AccessOptions, "tiers" | "workspaceLimiter">,
  { tier, workspaceId, apiKeyId }: KeyPrincipal,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await tiers.consume(tier, `${workspaceId}:${apiKeyId}`);
  if (!verdict) return;
  rateHeaders(reply, tier, verdict);
  if (!verdict.allowed) throw tooMany(verdict);
  const together = await workspaceLimiter?.consume(String(workspaceId));
  if (!together || together.allowed) return;
  rateHeaders(reply, WORKSPACE_POLICY, together);
  throw tooMany(together, "Too many requests of this workspace.");
}

/** `details` is what the dashboard looks at. */
const removed = (): Fault =>
  new Fault("UNAUTHORIZED", "You were removed from this workspace.", { details: { workspace: ["You were removed."] } });

/** Reads are served until the workspace has moved to its new cell; from then on only that cell has current data. */
function requireNotMoving(
  { state, cell }: NonNullable<KeyPrincipal["move"]>,
  spec: RouteSpec,
  reply: FastifyReply,
): void {
  if (state === "moving") {
    if (spec.method !== "GET") throw unavailable(MOVING);
    return;
  }
  reply.header("x-parley-cell", String(cell));
  throw new Fault("MISDIRECTED_REQUEST", `This workspace has moved to cell ${cell}.`);
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

export const tooMany = (verdict: Verdict, message = "Too many requests."): Fault =>
  new Fault("RATE_LIMIT_EXCEEDED", message, { retryAfter: seconds(verdict.resetMs) });

/** The IETF draft's fields and the widespread older ones. */
function rateHeaders(reply: FastifyReply, tier: string, { limit, remaining, resetMs }: Verdict): void {
  const reset = seconds(resetMs);
  reply.headers({
    "ratelimit-policy": `"${tier}";q=${limit.requests};w=${limit.windowSeconds}`,
    ratelimit: `"${tier}";r=${remaining};t=${reset}`,
    "x-ratelimit-limit": limit.requests,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": Math.ceil((Date.now() + resetMs) / 1000),
  });
}

/** An IPv6 customer has a /64 to choose from: failures are counted for all of it. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".");
}

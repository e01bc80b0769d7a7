import type { FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { isWithin } from "../auth/allowed-ips.ts";
import type { Principal, Verifier } from "../auth/verifier.ts";
import { Fault, forbidden } from "../core/errors.ts";
import type { Limiter, TierLimiter, Verdict } from "../rate-limit/limiter.ts";
import type { RouteSpec } from "./route.ts";

export interface AccessOptions {
  verifier: Verifier;
  tiers: TierLimiter;
  authFailures: Limiter;
}

/** Who may come in, in the contract's order: 401, then 429, then 403. */
export function createAccess({ verifier, tiers, authFailures }: AccessOptions) {
  return async function admit(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const secret = bearerOf(request.headers.authorization);
    const found = secret === null ? null : verifier.verify(secret);
    const principal = found instanceof Promise ? await found : found;
    if (!principal) throw await refusal(request);
    const verdict = await tiers.consume(principal.tier, `${principal.workspaceId}:${principal.keyId}`);
    if (verdict) {
      rateHeaders(reply, principal.tier, verdict);
      if (!verdict.allowed) throw tooMany(verdict);
    }
    if (principal.allowedIps && !isWithin(request.ip, principal.allowedIps))
      throw forbidden("This API key may not be used from this address.");
    if (spec.access !== "any" && spec.access !== "public" && !principal.scopes.has(spec.access))
      throw forbidden(`This API key lacks the scope ${spec.access}.`);
    return principal;
  };

  /** A wrong key counts against its address; a valid one from there is never touched by that. */
  async function refusal(request: FastifyRequest): Promise<Fault> {
    const verdict = await authFailures.consume(addressGroup(request.ip));
    return verdict.allowed
      ? new Fault("UNAUTHORIZED", "The API key is missing, invalid or revoked.")
      : tooMany(verdict, "Too many failed authentications from this address.");
  }
}

/** Node reads header bytes as Latin-1; a bootstrap key may be any string, and clients send its UTF-8. */
function bearerOf(header = ""): string | null {
  if (!/^bearer[ \t]/i.test(header)) return null;
  const secret = header.slice("bearer ".length).trim();
  return secret === "" ? null : /^[\x20-\x7e]*$/.test(secret) ? secret : Buffer.from(secret, "latin1").toString("utf8");
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const tooMany = (verdict: Verdict, message = "Too many requests."): Fault =>
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
function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".");
}

import type { FastifyRequest } from "fastify";
import type { RelyingParty } from "../../../accounts/passkeys.ts";
import { baseUrlOf } from "../../pipeline/base-url.ts";

/** Passkeys are bound to the public URL's host; without one, to the host that the browser asked for. */
export function relyingPartyOf(request: FastifyRequest, publicUrl: string | null): RelyingParty {
  const { origin, hostname } = new URL(baseUrlOf(request, publicUrl));
  return { id: hostname, origin };
}

import * as oidc from "openid-client";
import { Fault, unavailable } from "../core/errors.ts";

/** What the provider sends back with the browser while it has problems of its own (OAuth 2.0, section 4.1.2.1). */
const PROVIDER_FAILS = ["server_error", "temporarily_unavailable"];

/** Never with the provider's own description: the author of a link to our page could choose its words. */
export function ssoFault(error: unknown): Fault {
  const reported = error instanceof oidc.AuthorizationResponseError ? error.error : null;
  if (isUnreachable(error) || PROVIDER_FAILS.includes(reported ?? "")) return providerUnavailable(error);
  if (reported === "access_denied")
    return new Fault("UNAUTHORIZED", "The identity provider denied this sign-in, or it was canceled there.");
  return new Fault("UNAUTHORIZED", "The identity provider did not confirm this sign-in. Start again.");
}

export const providerUnavailable = (cause: unknown): Fault =>
  unavailable("The identity provider cannot be reached. Try again soon.", cause);

/** No connection, no response in time, or an error page instead of the provider's JSON. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  return error.message === "fetch failed" || error.name === "TimeoutError" || isUnreachable(error.cause);
}

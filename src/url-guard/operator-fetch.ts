import { Agent, fetch as undiciFetch } from "undici";

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Requests to services that the operator named in the settings (the identity provider). Their addresses are the
 * operator's choice, so the policy for webhooks does not apply; redirects are not followed here either, and time and size
 * are bounded.
 */
export function createOperatorFetch(): { fetch: typeof globalThis.fetch; close(): Promise<void> } {
  const dispatcher = new Agent({ connect: { timeout: TIMEOUT_MS }, maxResponseSize: BODY_BYTES_MAX });
  const fetch = ((input: string | URL, init: object = {}) =>
    undiciFetch(input, {
      ...init,
      redirect: "manual",
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })) as unknown as typeof globalThis.fetch;
  return { fetch, close: () => dispatcher.close() };
}

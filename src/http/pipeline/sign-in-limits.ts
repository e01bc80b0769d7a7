import type { Limit, Limiter } from "../../rate-limit/limiter.ts";
import { addressGroup, tooMany } from "./access.ts";

const WINDOW_SECONDS = 15 * 60;
/** Failures per quarter of an hour. Per person *and* address: strangers elsewhere cannot lock anybody out. */
const PER_PERSON_MAX = 10;
const PER_ADDRESS_MAX = 100;
/** Requests for a link that sets a new password from one address, whomever they name. */
const RESETS_PER_ADDRESS_MAX = 20;

const FAILED = "Too many failed attempts. Wait before trying again.";

export interface SignInLimits {
  /**
   * Counts a guess before it is checked, so that many sent at once all count, and refuses it past the limits. A correct
   * guess calls the result, which refunds it. `person` is a normalised e-mail address or an id, never text as typed:
   * every spelling of an address must count as the same person. Null: what is sent cannot be guessed, so only the client
   * address is counted, and one person's failures do not keep their colleagues behind the same address out.
   */
  attempt(person: string | null, ip: string): Promise<() => Promise<void>>;
  /** Counts a request for a link that sets a new password. */
  requestReset(ip: string): Promise<void>;
}

/** `limiterOf`: how attempts are counted, over all nodes together. */
export function createSignInLimits(limiterOf: (limit: Limit, name: string) => Limiter): SignInLimits {
  const people = limiterOf({ requests: PER_PERSON_MAX, windowSeconds: WINDOW_SECONDS }, "sign-in-person");
  const addresses = limiterOf({ requests: PER_ADDRESS_MAX, windowSeconds: WINDOW_SECONDS }, "sign-in-address");
  const resets = limiterOf({ requests: RESETS_PER_ADDRESS_MAX, windowSeconds: WINDOW_SECONDS }, "password-reset");
  const count = async (limiter: Limiter, key: string, sentence = FAILED): Promise<void> => {
    const verdict = await limiter.consume(key);
    if (!verdict.allowed) throw tooMany(verdict, sentence);
  };
  return {
    async attempt(person, ip) {
      const address = addressGroup(ip);
      const pair = person === null ? null : `${address} ${person}`;
      await count(addresses, address);
      if (pair !== null) await count(people, pair);
      return async () => {
        await addresses.refund(address);
        if (pair !== null) await people.refund(pair);
      };
    },
    requestReset: (ip) =>
      count(resets, addressGroup(ip), "Too many requests for a new password. Wait before trying again."),
  };
}

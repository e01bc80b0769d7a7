import { createLimiter, type Limiter } from "../../rate-limit/limiter.ts";
import { addressGroup, tooMany } from "./access.ts";

const WINDOW_SECONDS = 15 * 60;
/** Failures per quarter of an hour. Per person *and* address: strangers elsewhere cannot lock anybody out. */
const PER_PERSON_MAX = 10;
const PER_ADDRESS_MAX = 100;

export interface SignInLimits {
  /**
   * Counts a guess before it is checked, so that many sent at once all count, and refuses it past the limits. A correct
   * guess calls the result, which refunds it. `person` is a normalised e-mail address or an id, never text as typed:
   * every spelling of an address must count as the same person. Null: what is sent cannot be guessed, so only the client
   * address is counted, and one person's failures do not keep their colleagues behind the same address out.
   */
  attempt(person: string | null, ip: string): Promise<() => Promise<void>>;
}

export function createSignInLimits(): SignInLimits {
  const people = createLimiter({ requests: PER_PERSON_MAX, windowSeconds: WINDOW_SECONDS });
  const addresses = createLimiter({ requests: PER_ADDRESS_MAX, windowSeconds: WINDOW_SECONDS });
  const count = async (limiter: Limiter, key: string): Promise<void> => {
    const verdict = await limiter.consume(key);
    if (!verdict.allowed) throw tooMany(verdict, "Too many failed attempts. Wait before trying again.");
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
  };
}

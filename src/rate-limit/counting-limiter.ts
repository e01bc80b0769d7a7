import { createHash } from "node:crypto";
import { createLru } from "../core/lru.ts";
import type { Limit, Limiter, Verdict } from "./limiter.ts";

/** Where attempts are counted for all nodes. */
interface AttemptCounters {
  count(name: string, limit: Limit): Promise<{ attempts: number; endsInMs: number }>;
  refund(name: string): Promise<void>;
}

const REFUSED_MAX = 10_000;
/** Not longer: a correct attempt that is in progress may make room. */
const REFUSED_MS_MAX = 1_000;

/**
 * A limit that is exact over all nodes, for one statement per attempt, and one per second of a key past its limit. Keys are stored as digests: people type passwords into the field for the address.
 */
export function createCountingLimiter(limit: Limit, name: string, counters: AttemptCounters): Limiter {
  const refused = createLru<string, { verdict: Verdict; at: number }>(REFUSED_MAX);
  const nameOf = (key: string): string => `${name}:${createHash("sha256").update(key).digest("base64url")}`;
  return {
    async consume(key) {
      const held = refused.get(key);
      if (held && performance.now() - held.at < REFUSED_MS_MAX) return held.verdict;
      const { attempts, endsInMs } = await counters.count(nameOf(key), limit);
      const remaining = Math.max(0, limit.requests - attempts);
      const verdict = { allowed: attempts <= limit.requests, limit, remaining, resetMs: endsInMs };
      if (!verdict.allowed) refused.set(key, { verdict, at: performance.now() });
      return verdict;
    },
    refund: (key) => counters.refund(nameOf(key)),
  };
}

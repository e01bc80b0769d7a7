import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface Limit {
  requests: number;
  windowSeconds: number;
}

/** Requests per minute by tier; null: no limit. Operators can override them. */
export const DEFAULT_TIERS: Readonly<Record<string, Limit | null>> = {
  low: { requests: 60, windowSeconds: 60 },
  standard: { requests: 1_000, windowSeconds: 60 },
  high: { requests: 10_000, windowSeconds: 60 },
  unlimited: null,
};

export interface Verdict {
  allowed: boolean;
  limit: Limit;
  remaining: number;
  /** Until the window ends. */
  resetMs: number;
}

/** Counts in fixed windows. */
export interface Limiter {
  consume(key: string): Promise<Verdict>;
  /** Reverts one `consume`, for limits on failures: counted first, so that guesses sent at once all count. */
  refund(key: string): Promise<void>;
}

export function createLimiter(limit: Limit): Limiter {
  const store = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  const verdict = (result: RateLimiterRes, { allowed }: Pick<Verdict, "allowed">): Verdict => ({
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetMs: result.msBeforeNext,
  });
  return {
    async consume(key) {
      try {
        return verdict(await store.consume(key), { allowed: true });
      } catch (refused) {
        // The library rejects with the result when the limit is exceeded, and with an Error when it failed.
        if (refused instanceof RateLimiterRes) return verdict(refused, { allowed: false });
        throw refused;
      }
    },
    async refund(key) {
      await store.reward(key);
    },
  };
}

/** How many keys of the largest tier one workspace may use at their full rate, where the operator sets no other limit. */
const LARGEST_KEYS_PER_WORKSPACE = 10;

/** What the limited keys of one workspace may use together; null: there is no tier with a limit. */
export function defaultWorkspaceLimit(configured: Record<string, Limit | null>): Limit | null {
  const rateOf = ({ requests, windowSeconds }: Limit): number => requests / windowSeconds;
  const [largest] = Object.values({ ...DEFAULT_TIERS, ...configured })
    .filter((limit) => limit !== null)
    .sort((a, b) => rateOf(b) - rateOf(a));
  return largest ? { ...largest, requests: largest.requests * LARGEST_KEYS_PER_WORKSPACE } : null;
}

export interface TierLimiter {
  readonly names: readonly string[];
  /** Requests per second; infinite where there is no limit. */
  rateOf(tier: string): number;
  /** Null: this tier has no limit. */
  consume(tier: string, key: string): Promise<Verdict | null>;
}

/** `limiterOf`: how a tier is counted; by each node for itself unless something else is given. */
export function createTierLimiter(
  configured: Record<string, Limit | null>,
  limiterOf: (limit: Limit, tier: string) => Limiter = createLimiter,
): TierLimiter {
  const tiers = { ...DEFAULT_TIERS, ...configured };
  const limiters = new Map(
    Object.entries(tiers).map(([name, limit]) => [name, limit && limiterOf(limit, name)] as const),
  );
  // A tier that the operator has since removed counts as standard rather than as unlimited.
  const known = (tier: string): string => (limiters.has(tier) ? tier : "standard");
  return {
    names: Object.keys(tiers),
    rateOf(tier) {
      const limit = tiers[known(tier)];
      return limit ? limit.requests / limit.windowSeconds : Number.POSITIVE_INFINITY;
    },
    async consume(tier, key) {
      const limiter = limiters.get(known(tier));
      return limiter ? limiter.consume(key) : null;
    },
  };
}

import { createLru } from "../core/lru.ts";
import { createLimiter, type Limit, type Limiter, type Verdict } from "./limiter.ts";

/** What several nodes have in common: a window per key, of which each node leases small shares. */
export interface LeaseStore {
  /** Nodes that serve requests now, this one included. */
  nodes(): number;
  /** Takes up to `want` requests out of the current window; fewer, or none, when the window has no more. */
  lease(key: string, want: number, limit: Limit): Promise<Lease>;
}

export interface Lease {
  granted: number;
  /** How many requests the window can still grant, to any node. */
  left: number;
  endsInMs: number;
}

/** Unused shares of other nodes are lost to a key: one half percent per node stays below the 2 % that may be lost. */
const SHARES_PER_WINDOW = 200;
/** A request waits for its share this long and not longer; then the node counts by itself. */
const WAIT_MS = 25;
const KEYS_MAX = 100_000;

interface Share {
  /** Leased and not yet spent; below zero: admitted without a lease, to be leased as soon as the database responds. */
  balance: number;
  /** Admitted by this node in this window. */
  admitted: number;
  left: number;
  endsAt: number;
  /** The window has nothing left for any node. */
  isExhausted: boolean;
  renewal: Promise<boolean> | null;
}

/**
 * One limit over all nodes, without a round trip per request: a node leases shares of the window from the database and
 * spends them in memory. Alone it leases nothing. While the database does not respond, no request waits: each node admits
 * its part of the limit, less what it has admitted already, and leases that part afterwards.
 */
export function createSharedLimiter(
  limit: Limit,
  name: string,
  store: LeaseStore,
  { waitMs = WAIT_MS, onFallback = () => {} }: { waitMs?: number; onFallback?: () => void } = {},
): Limiter {
  const alone = createLimiter(limit);
  const shares = createLru<string, Share>(KEYS_MAX);
  const batch = Math.max(1, Math.floor(limit.requests / SHARES_PER_WINDOW));
  let isFailing = false;

  function shareOf(key: string): Share {
    const held = shares.get(key);
    if (held && performance.now() < held.endsAt) return held;
    const share = freshShare(limit);
    shares.set(key, share);
    return share;
  }

  async function renewOnce(key: string, share: Share): Promise<boolean> {
    try {
      const want = batch + Math.max(0, -share.balance);
      addLease(share, await store.lease(`${name}:${key}`, want, limit), limit);
      isFailing = false;
    } catch {
      isFailing = true;
    }
    share.renewal = null;
    return !isFailing;
  }

  function renew(key: string, share: Share): Promise<boolean> {
    share.renewal ??= renewOnce(key, share);
    return share.renewal;
  }

  function admit(share: Share): Verdict {
    share.balance--;
    share.admitted++;
    return { allowed: true, limit, remaining: Math.max(0, share.left + share.balance), resetMs: resetMsOf(share) };
  }

  const refuse = (share: Share): Verdict => ({ allowed: false, limit, remaining: 0, resetMs: resetMsOf(share) });

  const resetMsOf = ({ endsAt }: Share): number =>
    Math.max(0, Math.min(endsAt - performance.now(), limit.windowSeconds * 1_000));

  async function consume(key: string): Promise<Verdict> {
    if (store.nodes() <= 1) return alone.consume(key);
    const share = shareOf(key);
    if (share.balance <= 0 && !share.isExhausted) {
      const renewal = renew(key, share);
      if (isFailing || !(await within(renewal, waitMs))) {
        isFailing = true;
        onFallback();
        return mayAdmitAlone(share, limit, store.nodes()) ? admit(share) : refuse(share);
      }
      // Others that waited for the same share may have spent it.
      if (share.balance <= 0 && !share.isExhausted) return consume(key);
    }
    if (share.balance <= 0) return refuse(share);
    const admitted = admit(share);
    if (share.balance < batch / 2 && !share.isExhausted) void renew(key, share);
    return admitted;
  }

  return {
    consume,
    async refund(key) {
      const share = shares.get(key);
      if (store.nodes() <= 1 || !share) return alone.refund(key);
      share.balance++;
      share.admitted--;
    },
  };
}

const freshShare = ({ requests }: Limit): Share => ({
  balance: 0,
  admitted: 0,
  left: requests,
  endsAt: Number.POSITIVE_INFINITY,
  isExhausted: false,
  renewal: null,
});

/** Whether this node's part of the limit admits one more, for as long as the database does not respond. */
function mayAdmitAlone(share: Share, limit: Limit, nodes: number): boolean {
  const part = Math.max(1, Math.floor(limit.requests / Math.max(1, nodes)));
  if (share.endsAt === Number.POSITIVE_INFINITY) share.endsAt = performance.now() + limit.windowSeconds * 1_000;
  return share.admitted < part;
}

function addLease(share: Share, { granted, left, endsInMs }: Lease, { windowSeconds }: Limit): void {
  const endsAt = performance.now() + endsInMs;
  // A lease of the next window does not add to what is left of this one.
  if (endsAt > share.endsAt + windowSeconds * 500) Object.assign(share, { balance: 0, admitted: 0 });
  share.endsAt = endsAt;
  share.balance += granted;
  share.left = left;
  share.isExhausted = granted === 0;
}

async function within(work: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

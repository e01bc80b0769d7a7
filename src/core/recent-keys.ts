export interface RecentKeys {
  remember(key: string | number): void;
  /** Whether a key other than this one was remembered not long ago. */
  hasOther(key: string | number): boolean;
}

interface Visit {
  key: string | number | null;
  at: number;
}

/** So long after it was remembered a key counts as recent. */
const RECENT_MS = 1_000;

/** Tells work that is alone from work that others may have to wait for. */
export function createRecentKeys(now: () => number = () => performance.now()): RecentKeys {
  // The two keys that came last: whichever asks, one of them is another one.
  let latest: Visit = { key: null, at: 0 };
  let previous = latest;
  return {
    remember(key) {
      if (latest.key !== key) previous = latest;
      latest = { key, at: now() };
    },
    hasOther(key) {
      const since = now() - RECENT_MS;
      return [latest, previous].some((visit) => visit.key !== null && visit.key !== key && visit.at > since);
    },
  };
}

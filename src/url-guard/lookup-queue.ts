import { createLru } from "../core/lru.ts";
import { dnsError, type Lookup, type LookupOptions, type ResolvedAddress } from "./lookup.ts";

interface LookupLimits {
  /** Lookups in progress at once, in all. */
  max: number;
  /** Lookups in progress at once for one group. */
  perGroupMax: number;
  /** After a name server stayed silent for a name, the name is not asked for again for this long; doubled each time. */
  backOffMs: number;
  backOffMsMax: number;
}

const DEFAULT_LIMITS: LookupLimits = { max: 256, perGroupMax: 16, backOffMs: 2_000, backOffMsMax: 30_000 };
const SLOW_NAMES_MAX = 10_000;

interface Job {
  group: string;
  callers: Set<LookupOptions>;
  promise: Promise<ResolvedAddress[]>;
  start: () => void;
  stop: AbortController;
  /** No later caller joins it. */
  forget: () => void;
}

interface Group {
  running: number;
  /** When one of its lookups was last started, as a count over all groups. */
  servedAt: number;
  waiting: Job[];
}

/** Names whose servers stayed silent, and until when they are not asked for again. */
function createSlowNames(backOffMs: number, backOffMsMax: number) {
  const names = createLru<string, { failures: number; until: number }>(SLOW_NAMES_MAX);
  return {
    isBackedOff: (hostname: string): boolean => (names.get(hostname)?.until ?? 0) > performance.now(),
    forget: (hostname: string): boolean => names.delete(hostname),
    backOff(hostname: string): void {
      const failures = (names.get(hostname)?.failures ?? 0) + 1;
      const pauseMs = Math.min(backOffMsMax, backOffMs * 2 ** (failures - 1));
      names.set(hostname, { failures, until: performance.now() + pauseMs });
    },
  };
}

/**
 * Puts a bound on lookups in progress, in all and for each group, so that a group whose name servers never respond
 * delays only itself. Groups take turns. Lookups of one name by one group at the same time are joined; nothing is kept
 * once it has ended, so each later connection is judged by a fresh result.
 */
export function queueLookups(lookup: Lookup, limits: Partial<LookupLimits> = {}): Lookup {
  const { max, perGroupMax, backOffMs, backOffMsMax } = { ...DEFAULT_LIMITS, ...limits };
  const jobs = new Map<string, Job>();
  const groups = createGroups(max, perGroupMax);
  const slowNames = createSlowNames(backOffMs, backOffMsMax);

  function createJob(hostname: string, group: string): Job {
    const key = `${group} ${hostname}`;
    const stop = new AbortController();
    const { promise: turn, resolve: start } = withResolvers();
    const run = async (): Promise<ResolvedAddress[]> => {
      await turn;
      try {
        const found = await lookup(hostname, { group, signal: stop.signal });
        slowNames.forget(hostname);
        return found;
      } catch (error) {
        if (isSilence(error)) slowNames.backOff(hostname);
        throw error;
      } finally {
        forget();
        groups.ended(group);
      }
    };
    const job: Job = { group, callers: new Set(), promise: run(), start, stop, forget };
    // Callers that left have no handler of their own.
    job.promise.catch(() => {});
    return job;

    function forget(): void {
      if (jobs.get(key) === job) jobs.delete(key);
    }
  }

  return async (hostname, options = {}) => {
    if (slowNames.isBackedOff(hostname)) throw dnsError("EBACKOFF");
    const group = options.group ?? "";
    const key = `${group} ${hostname}`;
    const known = jobs.get(key);
    const job = known ?? createJob(hostname, group);
    job.callers.add(options);
    if (!known) {
      jobs.set(key, job);
      groups.add(job);
    }
    if (groups.isWaiting(job)) options.onQueued?.();
    return waitFor(job, options, () => {
      job.forget();
      if (!groups.remove(job)) job.stop.abort();
    });
  };
}

/** Starts jobs within the bounds: the group whose last start is longest ago comes first. */
function createGroups(max: number, perGroupMax: number) {
  const groups = new Map<string, Group>();
  let running = 0;
  let served = 0;

  function startNext(): void {
    while (running < max) {
      const next = longestUnserved([...groups.values()].filter((group) => group.running < perGroupMax));
      const job = next?.waiting.shift();
      if (!next || !job) return;
      next.servedAt = ++served;
      next.running++;
      running++;
      for (const { onStarted } of job.callers) onStarted?.();
      job.start();
    }
  }

  function dropIfIdle(name: string): void {
    const group = groups.get(name);
    if (group?.running === 0 && group.waiting.length === 0) groups.delete(name);
  }

  return {
    add(job: Job): void {
      const group = groups.get(job.group) ?? { running: 0, servedAt: 0, waiting: [] };
      groups.set(job.group, group);
      group.waiting.push(job);
      startNext();
    },
    isWaiting: (job: Job): boolean => groups.get(job.group)?.waiting.includes(job) ?? false,
    /** False: it has started already. */
    remove(job: Job): boolean {
      const waiting = groups.get(job.group)?.waiting ?? [];
      const index = waiting.indexOf(job);
      if (index < 0) return false;
      waiting.splice(index, 1);
      dropIfIdle(job.group);
      return true;
    },
    ended(name: string): void {
      const group = groups.get(name);
      if (group) group.running--;
      running--;
      dropIfIdle(name);
      startNext();
    },
  };
}

/** A caller that is canceled leaves; the last one to leave takes the job with it. */
function waitFor(job: Job, options: LookupOptions, cancel: () => void): Promise<ResolvedAddress[]> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      job.callers.delete(options);
      reject(dnsError("ECANCELLED"));
      if (job.callers.size === 0) cancel();
    };
    if (options.signal?.aborted) return leave();
    options.signal?.addEventListener("abort", leave, { once: true });
    const done = () => options.signal?.removeEventListener("abort", leave);
    job.promise.then(resolve, reject).finally(done);
  });
}

const longestUnserved = (groups: readonly Group[]): Group | undefined =>
  groups
    .filter(({ waiting }) => waiting.length > 0)
    .reduce<Group | undefined>((best, group) => (best && best.servedAt <= group.servedAt ? best : group), undefined);

const isSilence = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ETIMEOUT";

/** Node 22 has `Promise.withResolvers`; Node 20 does not. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

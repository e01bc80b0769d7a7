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
  hostname: string;
  callers: Set<LookupOptions>;
  promise: Promise<ResolvedAddress[]>;
  start: () => void;
  stop: AbortController;
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
  const groups = new Map<string, Group>();
  const slowNames = createSlowNames(backOffMs, backOffMsMax);
  let running = 0;
  let served = 0;

  function startNext(): void {
    while (running < max) {
      const next = longestUnserved([...groups.values()].filter((group) => group.running < perGroupMax));
      const job = next?.waiting.shift();
      if (!next || !job) return;
      next.servedAt = ++served;
      job.start();
    }
  }

  function groupOf(name: string): Group {
    const known = groups.get(name);
    if (known) return known;
    const group: Group = { running: 0, servedAt: 0, waiting: [] };
    groups.set(name, group);
    return group;
  }

  function createJob(hostname: string, groupName: string): Job {
    const { promise: turn, resolve: takeTurn } = withResolvers();
    const key = `${groupName} ${hostname}`;
    const group = groupOf(groupName);
    const stop = new AbortController();
    const job: Job = { hostname, callers: new Set(), promise: run(), start, stop };
    // Callers that left have no handler of their own.
    job.promise.catch(() => {});
    return job;

    function start(): void {
      group.running++;
      running++;
      for (const { onStarted } of job.callers) onStarted?.();
      takeTurn();
    }

    async function run(): Promise<ResolvedAddress[]> {
      await turn;
      try {
        const found = await lookup(hostname, { group: groupName, signal: stop.signal });
        slowNames.forget(hostname);
        return found;
      } catch (error) {
        if (isSilence(error)) slowNames.backOff(hostname);
        throw error;
      } finally {
        jobs.delete(key);
        group.running--;
        running--;
        if (group.running === 0 && group.waiting.length === 0) groups.delete(groupName);
        startNext();
      }
    }
  }

  return async (hostname, options = {}) => {
    if (slowNames.isBackedOff(hostname)) throw dnsError("EBACKOFF");
    const groupName = options.group ?? "";
    const key = `${groupName} ${hostname}`;
    const group = groupOf(groupName);
    let job = jobs.get(key);
    if (!job) {
      job = createJob(hostname, groupName);
      jobs.set(key, job);
      group.waiting.push(job);
    }
    const own = job;
    own.callers.add(options);
    startNext();
    if (group.waiting.includes(own)) options.onQueued?.();
    return waitFor(own, options, () => cancel(own, groupName));
  };

  function cancel(job: Job, groupName: string): void {
    const group = groups.get(groupName);
    const index = group?.waiting.indexOf(job) ?? -1;
    jobs.delete(`${groupName} ${job.hostname}`);
    if (group && index >= 0) {
      group.waiting.splice(index, 1);
      if (group.running === 0 && group.waiting.length === 0) groups.delete(groupName);
    } else job.stop.abort();
  }
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

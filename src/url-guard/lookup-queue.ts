import { createFairQueue } from "../core/fair-queue.ts";
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
  callers: Set<LookupOptions>;
  /** For the turn of its group. */
  isWaiting: boolean;
  promise: Promise<ResolvedAddress[]>;
  stop: AbortController;
  /** No later caller joins it. */
  forget: () => void;
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
  const turns = createFairQueue({ concurrency: max, perKey: perGroupMax });
  const slowNames = createSlowNames(backOffMs, backOffMsMax);

  /** Resolves with the end of the turn; at once where it has come already. */
  function turnOf(group: string, job: Job): (() => void) | Promise<() => void> {
    const end = turns.enterNow(group);
    job.isWaiting = end === null;
    return (
      end ??
      turns.enter(group, job.stop.signal).then((endLater) => {
        job.isWaiting = false;
        return endLater;
      })
    );
  }

  async function run(job: Job, hostname: string, group: string): Promise<ResolvedAddress[]> {
    try {
      const endTurn = await turnOf(group, job);
      for (const { onStarted } of job.callers) onStarted?.();
      try {
        const found = await lookup(hostname, { group, signal: job.stop.signal });
        slowNames.forget(hostname);
        return found;
      } finally {
        job.forget();
        endTurn();
      }
    } catch (error) {
      if (isSilence(error)) slowNames.backOff(hostname);
      throw error;
    }
  }

  function start(key: string, hostname: string, first: LookupOptions): Job {
    const job: Job = {
      callers: new Set([first]),
      isWaiting: false,
      promise: Promise.resolve([]),
      stop: new AbortController(),
      forget(): void {
        if (jobs.get(key) === job) jobs.delete(key);
      },
    };
    jobs.set(key, job);
    job.promise = run(job, hostname, first.group ?? "");
    // Callers that left have no handler of their own.
    job.promise.catch(() => {});
    return job;
  }

  return async (hostname, options = {}) => {
    if (slowNames.isBackedOff(hostname)) throw dnsError("EBACKOFF");
    const key = `${options.group ?? ""} ${hostname}`;
    const job = jobs.get(key) ?? start(key, hostname, options);
    job.callers.add(options);
    if (job.isWaiting) options.onQueued?.();
    return waitFor(job, options, () => {
      job.forget();
      job.stop.abort();
    });
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

const isSilence = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ETIMEOUT";

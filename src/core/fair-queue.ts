import { createRecentKeys, type RecentKeys } from "./recent-keys.ts";

interface FairQueueOptions {
  /** Work in progress at once, of all keys together; no bound by default. */
  concurrency?: number;
  /** Work in progress at once of one key. */
  perKey: number;
  /** The same while another key has work too, or had within the last second; as `perKey` by default. */
  perContendedKey?: number;
  /** Work of one key that waits for its turn; no bound by default. */
  waitingPerKeyMax?: number;
  /** What further work is refused with. */
  onFull?: () => Error;
  /** Which keys have work, where that is also known from elsewhere. */
  recent?: RecentKeys;
}

interface Line {
  key: string | number;
  running: number;
  waiting: (() => void)[];
}

/** A bound on work in progress under which keys take turns: one that brings much work delays itself, not the others. */
export function createFairQueue(options: FairQueueOptions) {
  const { waitingPerKeyMax = Number.POSITIVE_INFINITY, onFull } = options;
  const lines = createLines(options);

  /** The same as `enter` where the turn has come already; null: it would have to wait. */
  function enterNow(key: string | number): (() => void) | null {
    const line = lines.of(key);
    if (lines.startNow(line)) return () => lines.leave(line);
    lines.endIfIdle(line);
    return null;
  }

  /**
   * Resolves with the end of the turn when it has come. Rejects with `onFull()` when too much of this key is waiting
   * already, and when the signal aborts before the turn.
   */
  async function enter(key: string | number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const line = lines.of(key);
    if (!lines.startNow(line)) {
      if (onFull && line.waiting.length >= waitingPerKeyMax) throw onFull();
      await waitFor(line, signal);
    }
    return () => lines.leave(line);
  }

  /** Resolves when the line's turn has come, and has been started. */
  function waitFor(line: Line, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", withdraw);
        resolve();
      };
      const withdraw = () => {
        lines.withdraw(line, begin);
        reject(signal?.reason);
      };
      lines.wait(line, begin);
      signal?.addEventListener("abort", withdraw, { once: true });
    });
  }

  return {
    enter,
    enterNow,
    /** Whether work of this key is in progress or waits for its turn. */
    has: lines.has,
    /** Work in progress, of all keys. */
    get running() {
      return lines.running;
    },
    /** Runs the work when its turn has come. */
    async run<T>(key: string | number, work: () => Promise<T>): Promise<T> {
      const end = await enter(key);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}

/** Who is working and who waits; decides whose turn it is. */
function createLines({
  concurrency = Number.POSITIVE_INFINITY,
  perKey,
  perContendedKey = perKey,
  recent = createRecentKeys(),
}: FairQueueOptions) {
  const lines = new Map<string | number, Line>();
  // In the order of their turns; a line that was served goes to the end.
  const waitingLines = new Set<Line>();
  let running = 0;

  const mayStart = (line: Line): boolean =>
    running < concurrency && line.running < (recent.hasOther(line.key) ? perContendedKey : perKey);

  function start(line: Line): void {
    running++;
    line.running++;
  }

  function startNext(): void {
    for (const line of waitingLines) {
      if (running >= concurrency) return;
      if (!mayStart(line)) continue;
      waitingLines.delete(line);
      const resume = line.waiting.shift();
      if (line.waiting.length > 0) waitingLines.add(line);
      if (resume) {
        start(line);
        resume();
      }
    }
  }

  function endIfIdle(line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(line.key);
  }

  return {
    endIfIdle,
    get running() {
      return running;
    },
    has: (key: string | number): boolean => lines.has(key),
    of(key: string | number): Line {
      recent.remember(key);
      const line = lines.get(key) ?? { key, running: 0, waiting: [] };
      lines.set(key, line);
      return line;
    },
    startNow(line: Line): boolean {
      const isFree = line.waiting.length === 0 && mayStart(line);
      if (isFree) start(line);
      return isFree;
    },
    wait(line: Line, begin: () => void): void {
      line.waiting.push(begin);
      waitingLines.add(line);
    },
    withdraw(line: Line, begin: () => void): void {
      line.waiting.splice(line.waiting.indexOf(begin), 1);
      if (line.waiting.length === 0) waitingLines.delete(line);
      endIfIdle(line);
    },
    leave(line: Line): void {
      running--;
      line.running--;
      endIfIdle(line);
      // It has had its turn, also where it did not have to wait for it.
      if (waitingLines.delete(line)) waitingLines.add(line);
      if (waitingLines.size > 0) startNext();
    },
  };
}

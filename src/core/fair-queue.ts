import { createRecentKeys } from "./recent-keys.ts";

interface FairQueue {
  /** Resolves with the end of the turn when it has come. Rejects with `onFull()` when too much of this key is waiting already. */
  enter(key: string | number): Promise<() => void>;
  /** Runs the work when its turn has come. */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>;
}

interface FairQueueOptions {
  /** Work in progress at once, of all keys together; no bound by default. */
  concurrency?: number;
  /** Work in progress at once of one key. */
  perKey: number;
  /** The same while another key has work too, or had within the last second; as `perKey` by default. */
  perContendedKey?: number;
  /** Work of one key that waits for its turn. */
  waitingPerKeyMax: number;
  onFull: () => Error;
}

interface Line {
  key: string | number;
  running: number;
  waiting: (() => void)[];
}

/** A bound on work in progress under which keys take turns: one that brings much work delays itself, not the others. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency = Number.POSITIVE_INFINITY, perKey, waitingPerKeyMax, onFull } = options;
  const { perContendedKey = perKey } = options;
  const lines = new Map<string | number, Line>();
  // In the order of their turns; a line that was served goes to the end.
  const waitingLines = new Set<Line>();
  let running = 0;
  const recent = createRecentKeys();

  const mayStart = (line: Line): boolean =>
    running < concurrency && line.running < (recent.hasOther(line.key) ? perContendedKey : perKey);

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

  function start(line: Line): void {
    running++;
    line.running++;
  }

  function leave(key: string | number, line: Line): void {
    running--;
    line.running--;
    if (line.running === 0 && line.waiting.length === 0) lines.delete(key);
    // It has had its turn, also where it did not have to wait for it.
    if (waitingLines.delete(line)) waitingLines.add(line);
    if (waitingLines.size > 0) startNext();
  }

  async function enter(key: string | number): Promise<() => void> {
    recent.remember(key);
    const line = lines.get(key) ?? { key, running: 0, waiting: [] };
    lines.set(key, line);
    if (line.waiting.length === 0 && mayStart(line)) start(line);
    else {
      if (line.waiting.length >= waitingPerKeyMax) throw onFull();
      await new Promise<void>((resolve) => {
        line.waiting.push(resolve);
        waitingLines.add(line);
      });
    }
    return () => leave(key, line);
  }

  return {
    enter,
    async run(key, work) {
      const end = await enter(key);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}

export interface Loop {
  /** A turn at once, or right after the one in progress. */
  now(): void;
  /** Waits for the turn in progress. */
  close(): Promise<void>;
}

interface LoopOptions {
  work: () => Promise<void>;
  /** Between the end of a turn and the next one, which GRID_MS may shorten. A function is called after each turn. */
  pauseMs: number | (() => number);
  /** The pause is ten times the length of the turn where that is more, up to this; by default it is always the same. */
  pauseMsMax?: number;
  /** How many processes take turns with this work: after a turn that did not fail, each waits as many times longer. */
  sharedBy?: () => number;
  /** Called for the first of several failures in a row: the next turn tries again anyway. */
  onError: (error: Error) => void;
}

/**
 * Turns begin at multiples of this, so that the loops of a process wake up together: that takes less processor time, and
 * what they ask the database goes in one statement (db/due.ts).
 */
const GRID_MS = 250;
/** Timers may fire a little before their time. */
const EARLY_MS = 5;

/** Does work again and again, one turn at a time, the first one at once. */
export function startLoop({ work, pauseMs, pauseMsMax, sharedBy = () => 1, onError }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let failing = false;

  async function turn(): Promise<void> {
    const startedAt = performance.now();
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) onError(error as Error);
      failing = true;
    }
    running = null;
    if (closed) return;
    if (again) {
      again = false;
      run();
      return;
    }
    const leastMs = typeof pauseMs === "number" ? pauseMs : pauseMs();
    const pause = Math.min(pauseMsMax ?? leastMs, Math.max(leastMs, 10 * (performance.now() - startedAt)));
    timer = setTimeout(run, onGrid(failing ? pause : pause * sharedBy()));
  }

  function run(): void {
    if (closed) return;
    clearTimeout(timer);
    if (running) again = true;
    else running = turn();
  }

  timer = setTimeout(run, 0);
  return {
    now: run,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function onGrid(pauseMs: number): number {
  if (pauseMs <= GRID_MS) return pauseMs;
  const now = performance.now();
  return Math.floor((now + pauseMs + EARLY_MS) / GRID_MS) * GRID_MS - now;
}

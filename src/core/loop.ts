export interface Loop {
  /** A turn at once, or right after the one in progress. */
  now(): void;
  /** Waits for the turn in progress. */
  close(): Promise<void>;
}

interface LoopOptions {
  work: () => Promise<void>;
  /** Between the end of a turn and the next one. */
  pauseMs: number;
  /** The pause is ten times the length of the turn where that is more, up to this; by default it is always the same. */
  pauseMsMax?: number;
  /** How many processes take turns with this work: after a turn that did not fail, each waits as many times longer. */
  sharedBy?: () => number;
  /** Called for the first of several failures in a row: the next turn tries again anyway. */
  onError: (error: Error) => void;
}

/** Does work again and again, one turn at a time, the first one at once. */
export function startLoop({ work, pauseMs, pauseMsMax = pauseMs, sharedBy = () => 1, onError }: LoopOptions): Loop {
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
    const pause = Math.min(pauseMsMax, Math.max(pauseMs, 10 * (performance.now() - startedAt)));
    timer = setTimeout(run, failing ? pause : pause * sharedBy());
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

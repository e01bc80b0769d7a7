/** After this long without a further event, the server has sent everything that was missed. */
const CAUGHT_UP_AFTER_MS = 250;
/** In a busy workspace there is always a further event: what was missed is read again no later than this. */
const CATCHING_UP_MS_MAX = 2_000;

interface CatchUp {
  /** A connection is open after a gap. */
  start: () => void;
  /** An event has arrived. */
  extend: () => void;
  stop: () => void;
}

/**
 * Waits until the server has replayed what was missed, then reads the cache again: what was replayed is not trusted to be
 * everything.
 */
export function createCatchUp(options: { readAgain: () => Promise<unknown>; onDone: () => void }): CatchUp {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startedAt = 0;

  async function finish(): Promise<void> {
    const finished = startedAt;
    timer = undefined;
    await options.readAgain();
    // Another connection since then reads again for itself.
    if (startedAt === finished) options.onDone();
  }

  function wait(): void {
    clearTimeout(timer);
    const remaining = Math.max(0, startedAt + CATCHING_UP_MS_MAX - performance.now());
    timer = setTimeout(() => void finish(), Math.min(CAUGHT_UP_AFTER_MS, remaining));
  }

  return {
    start() {
      startedAt = performance.now();
      wait();
    },
    extend() {
      // Not once the cache is being read again: events from here on patch it, and are read once more where needed.
      if (timer !== undefined) wait();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

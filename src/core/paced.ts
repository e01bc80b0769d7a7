const TICK_MS = 10;
/** In each tick this part of what waits is done, and one at least: hundreds take about two seconds, a few no time. */
const PART = 128;

/**
 * Work that arrives hundreds at a time, is not urgent, and causes more work: it is spread over a few seconds, so that what
 * follows from it does not come all at once either.
 */
export function createPaced<T>(run: (piece: T) => void): (piece: T) => void {
  let waiting: T[] = [];
  let scheduled = false;

  function tick(): void {
    const due = Math.ceil(waiting.length / PART);
    const pieces = waiting.slice(0, due);
    waiting = waiting.slice(due);
    scheduled = waiting.length > 0;
    if (scheduled) setTimeout(tick, TICK_MS);
    for (const piece of pieces) run(piece);
  }

  return (piece) => {
    waiting.push(piece);
    if (scheduled) return;
    scheduled = true;
    setImmediate(tick);
  };
}

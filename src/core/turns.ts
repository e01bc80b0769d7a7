/** In one turn of the event loop, at most, and for how long: whatever else waits in this process comes next. */
const PER_TURN = 16;
const TURN_MS = 1;

/**
 * Work that arrives hundreds at a time and is done a few pieces at a time, so that a request to the API does not wait behind
 * all of it. `take` returns the next piece, or undefined. Call the result whenever there is more to take.
 */
export function createTurns<T>(take: () => T | undefined, run: (piece: T) => void): () => void {
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    scheduled = false;
    const until = performance.now() + TURN_MS;
    for (let done = 0; done < PER_TURN && performance.now() < until; done++) {
      const piece = take();
      if (piece === undefined) return;
      run(piece);
    }
    schedule();
  }

  return schedule;
}

/** What is done in one turn of the event loop, at most, and for how long: whatever else waits in this process comes next. */
const PIECES_PER_SLICE = 16;
const SLICE_MS = 1;

/**
 * Work that arrives hundreds at a time and is done a few pieces at a time, so that a request to the API does not wait behind
 * all of it. `take` returns the next piece, or undefined. Call the result whenever there is more to take.
 */
export function createTimeSlicer<T>(take: () => T | undefined, run: (piece: T) => void): () => void {
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(runSlice);
  }

  function runSlice(): void {
    scheduled = false;
    const until = performance.now() + SLICE_MS;
    for (let done = 0; done < PIECES_PER_SLICE && performance.now() < until; done++) {
      const piece = take();
      if (piece === undefined) return;
      run(piece);
    }
    schedule();
  }

  return schedule;
}

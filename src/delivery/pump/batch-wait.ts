/** How long a batch waits for more before it is written. `ms` is how long its first item may wait. */
export function createBatchWait(ms: number) {
  let begunAt: number | null = null;
  let isEnded = false;
  let stopWaiting: () => void = () => {};

  return {
    /** The batch has an item: if it is the first one, the time starts. */
    begin(): void {
      begunAt ??= performance.now();
    },
    /** The batch is not to wait any longer. */
    end(): void {
      isEnded = true;
      stopWaiting();
    },
    /** Resolves when the batch is to be written; the next item begins the next batch. */
    async over(): Promise<void> {
      const leftMs = begunAt === null ? 0 : begunAt + ms - performance.now();
      if (!isEnded && leftMs > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          stopWaiting = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      // What is added in the same turn of the event loop goes into the same batch.
      await new Promise((resolve) => setImmediate(resolve));
      begunAt = null;
      isEnded = false;
    },
  };
}

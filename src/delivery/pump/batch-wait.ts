/** How long a batch waits for more before it is written. */
interface BatchWait {
  /** The batch has an item: if it is the first one, the time starts. */
  begin(): void;
  /** The batch is not to wait any longer. */
  end(): void;
  /** Resolves when the batch is to be written; the next item begins the next batch. */
  over(): Promise<void>;
}

/** `ms` is how long the first item of a batch may wait. */
export function createBatchWait(ms: number): BatchWait {
  let begunAt: number | null = null;
  let isEnded = false;
  let stopWaiting: () => void = () => {};

  return {
    begin() {
      begunAt ??= performance.now();
    },
    end() {
      isEnded = true;
      stopWaiting();
    },
    async over() {
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

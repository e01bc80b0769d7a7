/** How long a batch waits for more before it is written. */
interface BatchWait {
  /** The batch got one more item. */
  added(item: { isUrgent: boolean }): void;
  /** Resolves when the batch is to be written; the next item starts the next batch. */
  over(): Promise<void>;
}

interface BatchWaitOptions {
  /** How long the first item of a batch may wait. */
  ms: number;
  /** Whether the batch is full, or nothing more will come. Checked with each item. */
  isComplete: () => boolean;
}

export function createBatchWait({ ms, isComplete }: BatchWaitOptions): BatchWait {
  let startedAt: number | null = null;
  let isDue = false;
  let end: (() => void) | null = null;

  return {
    added({ isUrgent }) {
      startedAt ??= performance.now();
      isDue ||= isUrgent || isComplete();
      if (isDue) end?.();
    },
    async over() {
      const leftMs = startedAt === null ? 0 : startedAt + ms - performance.now();
      if (!isDue && leftMs > 0 && !isComplete())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      // What is added in the same turn of the event loop goes into the same batch.
      await new Promise((resolve) => setImmediate(resolve));
      startedAt = null;
      isDue = false;
      end = null;
    },
  };
}

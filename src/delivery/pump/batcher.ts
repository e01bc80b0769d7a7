const BATCH_MAX = 250;

/**
 * Collects what is added in one turn of the event loop and hands it over as one batch; one batch at a time. The other
 * batchers differ where they must: the settler waits for more and keeps what could not be written, core/batch-writer.ts
 * adds up by id and writes by the clock, and db/write-batcher.ts gives each caller its own result. `work` must not throw.
 */
export function createBatcher<Item>(work: (items: Item[]) => Promise<void>) {
  let waiting: Item[] = [];
  let running = false;
  let working = 0;

  async function run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(batch.length);
      working = batch.length;
      await work(batch);
      working = 0;
    }
    running = false;
  }

  return {
    /** What has been added and is not done. */
    get pending(): number {
      return waiting.length + working;
    },
    add(item: Item): void {
      waiting.push(item);
      if (running) return;
      running = true;
      void run();
    },
  };
}

/** Collects what is added in one turn of the event loop and hands it over as one batch; one batch at a time. */
interface Batcher<Item> {
  add(item: Item): void;
  /** What has been added and is not done. */
  readonly pending: number;
}

const BATCH_MAX = 250;

/** `work` must not throw. */
export function createBatcher<Item>(work: (items: Item[]) => Promise<void>): Batcher<Item> {
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
    get pending() {
      return waiting.length + working;
    },
    add(item) {
      waiting.push(item);
      if (running) return;
      running = true;
      void run();
    },
  };
}

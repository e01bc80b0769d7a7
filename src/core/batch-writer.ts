import { startLoop } from "./loop.ts";

interface BatchWriterOptions<T> {
  flushMs: number;
  /** Folds a second item of the same id into the first. */
  merge: (held: T, item: T) => void;
  write: (items: T[]) => Promise<unknown>;
  /** The batch is kept and written with the next one. */
  onError: (error: Error) => void;
}

/** Collects what happens often and writes it together: one row per id and flush, however often the id occurred. */
export function createBatchWriter<T>({ flushMs, merge, write, onError }: BatchWriterOptions<T>) {
  let pending = new Map<number, T>();
  let writing: Promise<void> = Promise.resolve();

  function add(id: number, item: T): void {
    const held = pending.get(id);
    if (held === undefined) pending.set(id, item);
    else merge(held, item);
  }

  async function writeBatch(): Promise<void> {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await write([...batch.values()]);
    } catch (error) {
      for (const [id, item] of batch) add(id, item);
      onError(error as Error);
    }
  }

  /** Resolves when everything added before the call is written, or kept for the next attempt: one batch at a time. */
  function flush(): Promise<void> {
    writing = writing.then(writeBatch);
    return writing;
  }

  const loop = startLoop({ work: flush, pauseMs: flushMs, onError });
  return {
    add,
    flush,
    /** Writes what is left. */
    async close(): Promise<void> {
      await loop.close();
      await flush();
    },
  };
}

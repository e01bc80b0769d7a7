import { isStatementError } from "./errors.ts";

/**
 * Writes rows of concurrent requests together: at 32 callers most of the time of single writes goes into waking
 * PostgreSQL's processes and waiting for the disk, and one statement with one commit does that once for all of them.
 *
 * Each batch is one statement, so its rows are stored together or not at all.
 */
interface WriteBatcher<Input, Written> {
  /**
   * Up to SINGLES_MAX rows are written concurrently, each at once and by itself. Once that many are in flight, further
   * rows wait; they are written in batches until no row waits and no batch is in flight.
   */
  write(input: Input): Promise<Written>;
}

interface WriteBatcherOptions<Input, Written> {
  writeOne: (input: Input) => Promise<Written>;
  /** In one statement, which must not wait long for a lock. Returns the result of each input, in their order. */
  writeBatch: (inputs: Input[]) => Promise<Written[]>;
}

interface Waiting<Input, Written> {
  input: Input;
  resolve: (written: Written) => void;
  reject: (error: unknown) => void;
}

/** At most this many single writes run concurrently; further ones wait. */
const SINGLES_MAX = 4;
const BATCHES_MAX = 2;
/** Fewer rows than this wait until more arrive, until no statement is in flight, or for WAIT_MS_MAX. */
const BATCH_MIN = 4;
/** Longer than a statement usually takes. One that takes longer may wait for a lock. */
const WAIT_MS_MAX = 20;
const BATCH_MAX = 64;

export function createWriteBatcher<Input, Written>(
  options: WriteBatcherOptions<Input, Written>,
): WriteBatcher<Input, Written> {
  const { writeOne } = options;
  let waiting: Waiting<Input, Written>[] = [];
  let singles = 0;
  let batches = 0;
  let isFlushPlanned = false;

  function flushLater(): void {
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    setTimeout(() => {
      isFlushPlanned = false;
      flushWaiting(1);
    }, WAIT_MS_MAX);
  }

  function flushWaiting(batchMin = BATCH_MIN): void {
    while (waiting.length > 0 && batches < BATCHES_MAX && (waiting.length >= batchMin || singles + batches === 0)) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(batch.length);
      batches++;
      void writeBatch(batch).finally(() => {
        batches--;
        flushWaiting();
      });
    }
    if (waiting.length > 0) flushLater();
  }

  async function writeBatch(batch: Waiting<Input, Written>[]): Promise<void> {
    try {
      const written = await options.writeBatch(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => {
        resolve(written[index] as Written);
      });
    } catch (error) {
      // Nothing was stored if the statement itself failed, so each row gets its own result. After a lost connection
      // the batch may have been stored, and must not be written again: its callers get the 503 that a single write gets.
      // The next batch does not wait for them: one of them may wait for a lock.
      if (isStatementError(error)) for (const row of batch) void writeAlone(row);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function writeAlone({ input, resolve, reject }: Waiting<Input, Written>): Promise<void> {
    try {
      resolve(await writeOne(input));
    } catch (error) {
      reject(error);
    }
  }

  return {
    async write(input) {
      if (batches > 0 || waiting.length > 0 || singles >= SINGLES_MAX)
        return new Promise((resolve, reject) => {
          waiting.push({ input, resolve, reject });
          flushWaiting();
        });
      singles++;
      try {
        return await writeOne(input);
      } finally {
        singles--;
        flushWaiting();
      }
    },
  };
}

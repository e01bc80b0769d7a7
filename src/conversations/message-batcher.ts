import type { Database } from "../db/database.ts";
import { isStatementError } from "../db/errors.ts";
import type { Outbox } from "../events/outbox.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { insertMessages, type MessageInput } from "./message-insert.ts";

/**
 * Writes messages of concurrent requests together: at 32 callers most of the time of single writes goes into waking
 * PostgreSQL's processes and waiting for the disk, and one statement with one commit does that once for all of them.
 *
 * Each batch is one statement, so its messages are stored together or not at all.
 */
interface MessageBatcher {
  /**
   * Up to SINGLES_MAX messages are written concurrently, each at once and by itself. Once that many are in flight, further
   * messages wait; they are written in batches until none waits and no batch is in flight.
   *
   * Null: the conversation does not exist, or has to be reopened.
   */
  write(input: MessageInput): Promise<MessageRecord | null>;
}

interface Waiting {
  input: MessageInput;
  resolve: (message: MessageRecord | null) => void;
  reject: (error: unknown) => void;
}

/** At most this many single writes run concurrently; further ones wait. */
const SINGLES_MAX = 4;
const BATCHES_MAX = 2;
/** Fewer messages than this wait until more arrive, until no statement is in flight, or for WAIT_MS_MAX. */
const BATCH_MIN = 4;
/** Longer than a statement usually takes. One that takes longer may wait for a locked conversation. */
const WAIT_MS_MAX = 20;
const BATCH_MAX = 64;

export function createMessageBatcher(db: Database, outbox: Outbox): MessageBatcher {
  let waiting: Waiting[] = [];
  let singles = 0;
  let batches = 0;
  let isFlushPlanned = false;

  const insertOne = async (input: MessageInput) =>
    (await db.single((tx) => insertMessages(tx, outbox, [input])))[0] ?? null;
  const insertBatch = (inputs: MessageInput[]) =>
    db.single((tx) => insertMessages(tx, outbox, inputs, { lockWait: "short" }));

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

  async function writeBatch(batch: Waiting[]): Promise<void> {
    try {
      const written = await insertBatch(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => {
        resolve(written[index] ?? null);
      });
    } catch (error) {
      // Nothing was stored if the statement itself failed, so each message gets its own result. After a lost connection
      // the batch may have been stored, and must not be written again: its callers get the 503 that a single write gets.
      // The next batch does not wait for them: one of them may wait for a locked conversation.
      if (isStatementError(error)) for (const message of batch) void writeAlone(message);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function writeAlone({ input, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await insertOne(input));
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
        return await insertOne(input);
      } finally {
        singles--;
        flushWaiting();
      }
    },
  };
}

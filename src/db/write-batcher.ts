import { createFairQueue } from "../core/fair-queue.ts";
import { createLru } from "../core/lru.ts";
import { createRecentKeys } from "../core/recent-keys.ts";
import { isStatementError } from "./errors.ts";

/**
 * Writes rows of concurrent requests together: at 32 callers most of the time of single writes goes into waking
 * PostgreSQL's processes and waiting for the disk, and one statement with one commit does that once for all of them.
 *
 * Each batch is one statement, so its rows are stored together or not at all. No workspace can hold up the rows of
 * another one: a row that is large, or of a workspace whose batch has just failed (as it does where a row is locked), is
 * written apart from those of other workspaces. Rows to a locked target wait for each other without a connection.
 */
interface WriteBatcher<Input, Written> {
  /**
   * Up to 4 rows are written concurrently, each at once and by itself. Once that many are in flight, further
   * rows wait; they are written in batches until no row waits and no batch is in flight.
   */
  write(input: Input): Promise<Written>;
}

interface WriteBatcherOptions<Input, Written> {
  workspaceOf: (input: Input) => number;
  /** What it may have to wait for, such as its conversation; null: nothing. */
  targetOf: (input: Input) => string | null;
  /** About how large it is. */
  sizeOf: (input: Input) => number;
  writeOne: (input: Input) => Promise<Written>;
  /** In one statement, which must not wait long for a lock. Returns the result of each input, in their order. */
  writeBatch: (inputs: Input[]) => Promise<Written[]>;
}

interface Row<Input, Written> {
  input: Input;
  workspaceId: number;
  target: string | null;
  size: number;
  resolve: (written: Written) => void;
  reject: (error: unknown) => void;
}

/** Rows that may share a statement: those of all workspaces, or those of one that are written apart. */
interface Line<Input, Written> {
  /** Null: of all workspaces. */
  workspaceId: number | null;
  waiting: Row<Input, Written>[];
  batches: number;
  /** Writes what waits although it is little. */
  timer?: NodeJS.Timeout | undefined;
}

/** Rows that are written by themselves because no other one waits; of one workspace fewer while others write too. */
const SINGLES = { concurrency: 4, perKey: 4, perContendedKey: 2 };
const BATCHES_MAX = 2;
/** Fewer rows than this wait until more arrive, until no statement is in flight, or for WAIT_MS_MAX. */
const BATCH_MIN = 4;
/** Longer than a statement usually takes. One that takes longer may wait for a lock. */
const WAIT_MS_MAX = 20;
const BATCH_MAX = 64;
const BATCH_SIZE_MAX = 131_072;
/** Indexing the words of a text of this size takes 20 ms and more. */
const LARGE_SIZE = 16_384;
/** How long the rows of a workspace are written apart after one of its batches has failed. */
const APART_MS = 10_000;
const APART_MAX = 10_000;
/** Rows of one workspace that are written by themselves at once after their batch has failed, each to another target. */
const RETRIES_OF_ONE = 4;

export function createWriteBatcher<Input, Written>(
  options: WriteBatcherOptions<Input, Written>,
): WriteBatcher<Input, Written> {
  const { writeOne } = options;
  const recent = createRecentKeys();
  const singles = createFairQueue({ ...SINGLES, recent });
  const lines = createLines<Input, Written>();
  const retries = createRetries();

  /** Of a workspace whose rows are written apart, one batch at a time while others write too. */
  const batchesMax = ({ workspaceId }: Line<Input, Written>): number =>
    workspaceId !== null && recent.hasOther(workspaceId) ? 1 : BATCHES_MAX;

  const isIdle = (line: Line<Input, Written>): boolean =>
    line.batches === 0 && (line !== lines.shared || singles.running === 0);

  function flush(line: Line<Input, Written>, batchMin = line === lines.shared ? BATCH_MIN : 1): void {
    const { waiting } = line;
    while (waiting.length > 0 && line.batches < batchesMax(line) && (waiting.length >= batchMin || isIdle(line))) {
      line.batches++;
      void writeBatch(takeBatch(waiting)).finally(() => {
        line.batches--;
        flush(line);
      });
    }
    if (waiting.length === 0) lines.endIfEmpty(line);
    else
      line.timer ??= setTimeout(() => {
        line.timer = undefined;
        flush(line, 1);
      }, WAIT_MS_MAX);
  }

  async function writeBatch(batch: Row<Input, Written>[]): Promise<void> {
    try {
      const written = await options.writeBatch(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => {
        resolve(written[index] as Written);
      });
    } catch (error) {
      // Nothing was stored if the statement itself failed, so each row gets its own result. After a lost connection
      // the batch may have been stored, and must not be written again: its callers get the 503 that a single write gets.
      // The next batch does not wait for them: one of them may wait for a lock.
      if (isStatementError(error)) for (const row of batch) writeAlone(row);
      else for (const { reject } of batch) reject(error);
    }
  }

  function writeAlone(row: Row<Input, Written>): void {
    lines.keepApart(row.workspaceId);
    retries.run(row, () => writeOne(row.input)).then(row.resolve, row.reject);
  }

  function add(row: Row<Input, Written>): void {
    recent.remember(row.workspaceId);
    if (retries.isInProgress(row)) {
      writeAlone(row);
      return;
    }
    const line = lines.of(row);
    const isFree = line === lines.shared && line.batches === 0 && line.waiting.length === 0;
    const end = isFree ? singles.enterNow(row.workspaceId) : null;
    if (end) {
      const written = writeOne(row.input).finally(end);
      written.finally(() => flush(line)).then(row.resolve, row.reject);
    } else {
      line.waiting.push(row);
      flush(line);
    }
  }

  return {
    write: (input) =>
      new Promise((resolve, reject) => {
        const [workspaceId, target] = [options.workspaceOf(input), options.targetOf(input)];
        add({ input, workspaceId, target, size: options.sizeOf(input), resolve, reject });
      }),
  };
}

function createLines<Input, Written>() {
  const shared: Line<Input, Written> = { workspaceId: null, waiting: [], batches: 0 };
  const ofWorkspaces = new Map<number, Line<Input, Written>>();
  const apart = createLru<number, true>(APART_MAX, { ttl: APART_MS });
  return {
    shared,
    keepApart: (workspaceId: number) => void apart.set(workspaceId, true),
    of({ workspaceId, size }: Row<Input, Written>): Line<Input, Written> {
      if (size < LARGE_SIZE && !apart.has(workspaceId)) return shared;
      const line = ofWorkspaces.get(workspaceId) ?? { workspaceId, waiting: [], batches: 0 };
      ofWorkspaces.set(workspaceId, line);
      return line;
    },
    endIfEmpty({ workspaceId, batches }: Line<Input, Written>): void {
      if (workspaceId !== null && batches === 0) ofWorkspaces.delete(workspaceId);
    },
  };
}

type Retried = Pick<Row<never, never>, "workspaceId" | "target">;

/** Rows that are written by themselves after their batch has failed: to each target one at a time. */
function createRetries() {
  const targets = createFairQueue({ perKey: 1 });
  const workspaces = createFairQueue({ perKey: RETRIES_OF_ONE });
  const nameOf = ({ workspaceId, target }: Retried): string | null => target && `${workspaceId}/${target}`;

  return {
    isInProgress: (row: Retried): boolean => targets.has(nameOf(row) ?? ""),
    run<T>(row: Retried, write: () => Promise<T>): Promise<T> {
      const name = nameOf(row);
      const inShare = () => workspaces.run(row.workspaceId, write);
      return name === null ? inShare() : targets.run(name, inShare);
    },
  };
}

/** Takes the first rows, as many as one statement may have. */
function takeBatch<R extends { size: number }>(waiting: R[]): R[] {
  let count = 0;
  for (let size = 0; count < Math.min(waiting.length, BATCH_MAX); count++) {
    size += waiting[count]?.size ?? 0;
    if (count > 0 && size > BATCH_SIZE_MAX) break;
  }
  return waiting.splice(0, count);
}

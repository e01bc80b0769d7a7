import pg from "pg";
import { unavailable } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { createDueQuestions } from "./due.ts";
import { asFault, isCanceledByTimeout, isTimeout, isTransient } from "./errors.ts";
import { createSharedReads } from "./shared-reads.ts";
import { createStorageWatch } from "./storage-watch.ts";
import { createTransactionShares } from "./transaction-shares.ts";
import { parsers } from "./types.ts";

type Row = Record<string, unknown>;

/** Prepared once per connection under its name. Without that, the server handled 30 % fewer requests per second. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How long it may take, where that is less than the database's own limit. */
  readonly msMax?: number;
  /** It only reads: outside of a transaction, equal ones may share their rows. */
  readonly isShared?: true;
}

export const sql = (name: string, text: string): Statement => ({ name, text });

/** A list or a search: it is canceled early, because people do not wait long for it and it must not hold up others. */
export const listSql = (name: string, text: string): Statement => ({
  name,
  text,
  msMax: LIST_MS_MAX,
  isShared: true,
});

export interface Queryable {
  query<T extends object = Row>(statement: Statement, values?: readonly unknown[]): Promise<T[]>;
}

/** The row of a statement that always returns one. */
export const queryOne = async <T extends object>(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<T> => (await db.query<T>(statement, values))[0] as T;

/** A transaction in progress. Domain functions that write take one of these, never the pool. */
export interface Tx extends Queryable {
  /** Runs as the last work of the transaction: what locks a row that many transactions change. */
  beforeCommit(action: () => Promise<void>): void;
  /** Runs once the transaction has committed, before its caller continues: cache drops and wake-ups. */
  afterCommit(action: () => void): void;
  /** It consists of one statement, whose end is the commit. */
  readonly isSingleStatement: boolean;
  /**
   * Gives the transaction up before its first statement: its change is written together with those of others instead. From
   * then on it takes no statement. False: the change has to be written here.
   */
  leave(): boolean;
}

interface TransactionOptions {
  /** Its whole work is one change, so it may be left. */
  mayLeave?: boolean;
  /** The workspace that it is for: only a share of the connections may be in its transactions. */
  workspaceId?: number;
}

export interface Database extends Queryable {
  /** Begins with its first statement. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A transaction of one statement, which commits by itself: one round trip, not three. A second statement is refused. */
  singleStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Whether a condition of SQL holds: background work asks this first, for all loops of the process in one statement. */
  isDue(condition: string): Promise<boolean>;
  readonly pool: pg.Pool;
  /** What is wrong with the disk of the database, if a statement failed for it lately. */
  storageProblem(): string | null;
  close(): Promise<void>;
}

interface DatabaseOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  logger: Logger;
  applicationName: string;
  /** How long one statement may take; 0 is without limit (migrations). */
  queryMsMax?: number;
}

const CONNECT_MS_MAX = 5_000;
export const QUERY_MS_MAX = 10_000;
const LIST_MS_MAX = 3_000;
const TRANSACTION_TRIES = 4;

export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const sharedReads = createSharedReads();
  const enterTransaction = createTransactionShares(options.poolSize);
  const storage = createStorageWatch();
  const retried = <T>(once: () => Promise<T>) =>
    retryTransient(once, options).catch((error: unknown) => {
      storage.notice(error);
      throw asFault(error);
    });
  async function query<T extends object>(statement: Statement, values: readonly unknown[] = []): Promise<T[]> {
    const read = () => run<T>(pool.pool, statement, values);
    try {
      return await (statement.isShared ? sharedReads.run(keyOf(statement, values), read) : read());
    } catch (error) {
      storage.notice(error);
      throw statement.msMax !== undefined && isTimeout(error) ? tooSlow() : asFault(error);
    }
  }

  return {
    pool: pool.pool,
    storageProblem: storage.problem,
    query,
    isDue: createDueQuestions(query),
    transaction: (work, { mayLeave = false, workspaceId } = {}) =>
      retried(() =>
        runTransaction(
          connectLater(pool.pool, () => enterTransaction(workspaceId)),
          work,
          mayLeave,
        ),
      ),
    singleStatement: (work) => retried(() => runSingleStatement(pool.pool, work)),
    close: pool.close,
  };
}

const keyOf = ({ name, text }: Statement, values: readonly unknown[]): string => JSON.stringify([name || text, values]);

/** What every connection is opened with. */
export const limitsOf = (queryMsMax: number) => ({
  query_timeout: queryMsMax,
  statement_timeout: queryMsMax,
  idle_in_transaction_session_timeout: 60_000,
});

function createPool(options: DatabaseOptions): { pool: pg.Pool; close: () => Promise<void> } {
  const { connection, poolSize, logger, applicationName, queryMsMax = QUERY_MS_MAX } = options;
  const pool = new pg.Pool({
    ...connection,
    ...limitsOf(queryMsMax),
    max: poolSize,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    types: parsers,
  });
  // A connection that is lost while idle is replaced by the pool; without a listener it would end the process.
  let closing = false;
  pool.on("error", (error) => {
    if (!closing) logger.warn({ err: error.message }, "an idle database connection was lost");
  });
  // The pool removes its own listener as it hands a connection over; the caller adds one a moment later. A connection
  // lost in between, as when its last response and its end come in one packet, is noticed at its use.
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    pool,
    close() {
      closing = true;
      return pool.end();
    },
  };
}

async function run<T extends object>(
  client: pg.Pool | pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<T[]> {
  const { name, text, msMax } = statement;
  const query = { name, text, values: values as unknown[], ...(msMax === undefined ? {} : { query_timeout: msMax }) };
  // A connection whose statement timed out is closed by the pool; the embedded server then cancels the statement.
  const result = await client.query<T & pg.QueryResultRow>(query);
  return result.rows;
}

async function runTransaction<T>(
  connection: ReturnType<typeof connectLater>,
  work: (tx: Tx) => Promise<T>,
  mayLeave: boolean,
): Promise<T> {
  const lastWork: (() => Promise<void>)[] = [];
  const actions: (() => void)[] = [];
  let hasLeft = false;
  try {
    const result = await work({
      async query(statement, values = []) {
        if (hasLeft) throw new Error("A transaction that was left was given a statement.");
        return run(await connection.begin(), statement, values);
      },
      beforeCommit: (action) => lastWork.push(action),
      afterCommit: (action) => actions.push(action),
      isSingleStatement: false,
      leave() {
        hasLeft = mayLeave && !connection.hasBegun();
        return hasLeft;
      },
    });
    for (const action of lastWork) await action();
    await connection.commit();
    await runAfterCommit(actions);
    return result;
  } catch (error) {
    await connection.rollback(error);
    throw error;
  } finally {
    connection.release();
  }
}

/** A connection that is taken from the pool, and its transaction begun, when the first statement comes. */
function connectLater(pool: pg.Pool, enter: () => Promise<() => void>) {
  let endTurn: () => void = () => {};
  let client: pg.PoolClient | null = null;
  let begun: Promise<pg.PoolClient> | null = null;
  let hasCommitted = false;
  // Each error here means that the connection's state is unknown: it is destroyed, not reused.
  let broken: Error | undefined;
  const onClientError = (error: Error): void => {
    broken = error;
  };

  async function connect(): Promise<pg.PoolClient> {
    endTurn = await enter();
    client = await pool.connect();
    client.on("error", onClientError);
    await client.query("begin");
    return client;
  }

  return {
    hasBegun: () => begun !== null,
    begin() {
      begun ??= connect();
      return begun;
    },
    async commit(): Promise<void> {
      await client?.query("commit").catch((error: Error) => {
        broken = error;
        throw error;
      });
      hasCommitted = true;
    },
    async rollback(error: unknown): Promise<void> {
      // A connection that no longer responds would hold the caller for another statement's time. It is destroyed instead,
      // and the database rolls back what lost its connection.
      if (isConnectionLoss(error)) broken = error as Error;
      else if (!broken && !hasCommitted) await client?.query("rollback").catch(onClientError);
    },
    release(): void {
      client?.off("error", onClientError);
      client?.release(broken);
      endTurn();
    },
  };
}

async function runSingleStatement<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  let used = false;
  const result = await work({
    async query(statement, values = []) {
      if (used) throw new Error("A transaction of one statement was given a second one.");
      used = true;
      return run(pool, statement, values);
    },
    beforeCommit() {
      throw new Error("A transaction of one statement ends with it.");
    },
    afterCommit: (action) => actions.push(action),
    isSingleStatement: true,
    leave: () => false,
  });
  await runAfterCommit(actions);
  return result;
}

/**
 * A pool hands an idle connection over in the next tick. The caller waits for that tick, so that a claim which an action began
 * is sent before the caller writes its response.
 */
async function runAfterCommit(actions: readonly (() => void)[]): Promise<void> {
  for (const action of actions) action();
  if (actions.length > 0) await new Promise<void>((resolve) => process.nextTick(resolve));
}

/**
 * A transaction that lost to another one is tried again, and one that was canceled long before its time limit: PostgreSQL
 * computes the limit from the wall clock, so a clock that is set ahead cancels statements that wait for a lock.
 */
async function retryTransient<T>(
  once: () => Promise<T>,
  { queryMsMax = QUERY_MS_MAX }: Pick<DatabaseOptions, "queryMsMax">,
): Promise<T> {
  for (let left = TRANSACTION_TRIES - 1; ; left--) {
    const startedAt = performance.now();
    try {
      return await once();
    } catch (error) {
      const isEarly = performance.now() - startedAt < queryMsMax / 2;
      if (left > 0 && (isTransient(error) || (isEarly && isCanceledByTimeout(error)))) continue;
      throw error;
    }
  }
}

const tooSlow = () => unavailable("Reading this took too long. Narrow it down with filters, or try again soon.");

/** No response came, so the state of the connection is unknown. PostgreSQL's own timeouts are responses. */
const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof pg.DatabaseError) && /timeout|terminated/i.test(error.message);

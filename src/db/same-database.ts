import { randomInt } from "node:crypto";
import type pg from "pg";
import { withClient } from "./client.ts";

const CONNECT_MS_MAX = 5_000;
const KEY_MAX = 2 ** 47;

/**
 * Whether two connections lead to one and the same database. Advisory locks belong to a database, ask for no privilege,
 * and within a transaction they hold through a pooler as well; a standby, which passes on no notifications, has its own.
 */
export async function isSameDatabase(first: pg.ClientConfig, second: pg.ClientConfig): Promise<boolean> {
  const lock = `pg_try_advisory_xact_lock(${randomInt(KEY_MAX)})`;
  return inTransaction(first, async (holder) => {
    await holder.query(`select ${lock}`);
    return inTransaction(second, async (other) => {
      const { rows } = await other.query<{ free: boolean }>(`select ${lock} as free`);
      return rows[0]?.free === false;
    });
  });
}

const inTransaction = <T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ ...config, connectionTimeoutMillis: CONNECT_MS_MAX }, async (client) => {
    await client.query("begin");
    try {
      return await work(client);
    } finally {
      await client.query("rollback").catch(() => {});
    }
  });

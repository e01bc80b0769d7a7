import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { ADMIN, TEMPLATE } from "./global-setup.ts";

export interface TestDatabase {
  name: string;
  url: string;
  /** Direct SQL, for what no public interface shows (or to look for what must not be there). */
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

export interface OwnTestDatabase extends TestDatabase {
  /** What only a superuser may do. */
  asAdmin<T extends pg.QueryResultRow>(text: string): Promise<T[]>;
}

/** A fresh copy of the migrated template (or an empty database). */
export async function createTestDatabase({ empty = false } = {}): Promise<OwnTestDatabase> {
  const host = inject("databaseHost");
  const name = `test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const asAdmin = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => {
    const admin = new pg.Client({ host, user: ADMIN, database: "postgres" });
    await admin.connect();
    const { rows } = await admin.query<T>(text);
    await admin.end();
    return rows;
  };
  await asAdmin(`create database ${name} owner parley ${empty ? "" : `template ${TEMPLATE} strategy file_copy`}`);
  const pool = new pg.Pool({ host, user: "parley", database: name, max: 2 });
  pool.on("error", () => {});
  return {
    name,
    url: `postgresql:///${name}?host=${encodeURIComponent(host)}&user=parley`,
    query: async (text, values) => (await pool.query(text, values)).rows,
    asAdmin,
    async drop() {
      await pool.end();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

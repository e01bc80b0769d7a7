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

/** A fresh copy of the migrated template (or an empty database). */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const host = inject("databaseHost");
  const name = `test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const asAdmin = async (text: string) => {
    const admin = new pg.Client({ host, user: ADMIN, database: "postgres" });
    await admin.connect();
    await admin.query(text);
    await admin.end();
  };
  await asAdmin(`create database ${name} owner parley ${empty ? "" : `template ${TEMPLATE}`}`);
  const pool = new pg.Pool({ host, user: "parley", database: name, max: 2 });
  pool.on("error", () => {});
  return {
    name,
    url: `postgresql:///${name}?host=${encodeURIComponent(host)}&user=parley`,
    query: async (text, values) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

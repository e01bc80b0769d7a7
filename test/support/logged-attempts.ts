import { countAttempts, hourSql } from "../../src/stats/delivery-stats.ts";
import type { TestDatabase } from "./database.ts";

/** Runs an `insert into delivery_attempts` and counts its rows, as the product does in one statement. */
export const insertAttempts = (database: Pick<TestDatabase, "query">, insert: string, values: unknown[]) =>
  database.query(`with logged as (${insert} returning *) ${countAttempts("logged", hourSql("created_at"))}`, values);

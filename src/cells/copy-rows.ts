import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { identifier } from "../db/identifier.ts";

interface CopyOptions {
  readonly source: pg.Client;
  readonly target: pg.Client;
  readonly table: string;
  /** SQL that holds only numbers and names from the database's catalogue. */
  readonly where: string;
  /** Absent: all, as they are. */
  readonly columns?: readonly { readonly name: string; readonly expression: string }[];
}

/** From one database straight into the other, in PostgreSQL's own text form. Returns how many rows. */
export async function copyRows({ source, target, table, where, columns }: CopyOptions): Promise<number> {
  const selected = columns?.map(({ expression }) => expression).join(", ") ?? "*";
  const named = columns ? ` (${columns.map(({ name }) => identifier(name)).join(", ")})` : "";
  const rows = source.query(copyTo(`copy (select ${selected} from ${identifier(table)} where ${where}) to stdout`));
  const loaded = target.query(copyFrom(`copy ${identifier(table)}${named} from stdin`));
  await pipeline(rows as Readable, loaded as Writable);
  return loaded.rowCount;
}

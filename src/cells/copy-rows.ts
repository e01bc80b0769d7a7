import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { quoted } from "./tables.ts";

interface CopyOptions {
  readonly source: pg.Client;
  readonly target: pg.Client;
  readonly table: string;
  /** SQL; numbers and names of the catalogue only. */
  readonly where: string;
  /** Absent: all, as they are. */
  readonly columns?: readonly { readonly name: string; readonly expression: string }[];
}

/** From one database straight into the other, in PostgreSQL's own text form. Returns how many rows. */
export async function copyRows({ source, target, table, where, columns }: CopyOptions): Promise<number> {
  const selected = columns?.map(({ expression }) => expression).join(", ") ?? "*";
  const named = columns ? ` (${columns.map(({ name }) => quoted(name)).join(", ")})` : "";
  const rows = source.query(copyTo(`copy (select ${selected} from ${quoted(table)} where ${where}) to stdout`));
  const loaded = target.query(copyFrom(`copy ${quoted(table)}${named} from stdin`));
  await pipeline(rows as Readable, loaded as Writable);
  return loaded.rowCount;
}

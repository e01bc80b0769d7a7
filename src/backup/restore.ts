import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { identifier } from "../db/identifier.ts";
import { LOG_PARTITION } from "../db/table-levels.ts";
import { COUNT_ATTEMPTS } from "../queue/restore.ts";
import {
  ALTERED,
  type BackupHead,
  BackupRefusal,
  type BackupTail,
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  type TableHead,
  TRUNCATED,
} from "./format.ts";
import { LineReader } from "./line-reader.ts";
import { readTables, type TableShape } from "./tables.ts";

interface RestoreOptions {
  readonly input: Readable;
  /** Prepares an empty database with the schema of the backup and returns how to connect to it. */
  readonly prepare: (head: BackupHead) => Promise<pg.ClientConfig>;
}

// The original installation may still run, and has sent and fetched mail since: nothing may happen twice by itself.
const PAUSE_MAILBOXES = "update mailboxes set paused = true, version = version + 1 where not paused";

const BATCH_BYTES = 256 * 1024;
/** Earlier versions wrote a day of logs that retention was removing as if it were a table. */
const REMOVED_LOG = new RegExp(LOG_PARTITION);
/** A partition's bounds are SQL text: nothing but two quoted values is accepted from a file. */
const BOUND = /^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/;

/** Loads a backup into an empty database, in one transaction that commits only after its checksum was verified. */
export async function restoreBackup({ input, prepare }: RestoreOptions) {
  const hash = createHash("sha256");
  const lines = new LineReader(unzip(input));
  const head = await readHead(lines, hash);
  const client = new pg.Client({ ...(await prepare(head)), application_name: "parley-restore" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("set idle_in_transaction_session_timeout = 0");
    await client.query("begin");
    const known = await readTables(client);
    await requireEmpty(client);
    await client.query(`truncate ${known.map(({ name }) => identifier(name)).join(", ")}`);
    await createPartitions(client, head, known);
    // What triggers would write (counters, search) is in the backup itself.
    await eachTable(client, known, "disable trigger user");
    const result = await loadTables({ client, lines, hash, known });
    await client.query(COUNT_ATTEMPTS);
    const hasMailboxes = known.some(({ name }) => name === "mailboxes");
    const paused = hasMailboxes ? await client.query(PAUSE_MAILBOXES) : null;
    await eachTable(client, known, "enable trigger user");
    await client.query("commit");
    return { head, ...result, pausedMailboxes: paused?.rowCount ?? 0 };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Damage shows in the compressed stream first: its errors become refusals. */
async function* unzip(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let hasBegun = false;
  input.on("error", (error) => gunzip.destroy(error));
  input.pipe(gunzip);
  try {
    for await (const chunk of gunzip) {
      hasBegun = true;
      yield chunk as Buffer;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!hasBegun && /incorrect header check/.test(message)) throw new BackupRefusal(NOT_A_BACKUP);
    if (code === "Z_BUF_ERROR") throw new BackupRefusal(TRUNCATED);
    throw code?.startsWith("Z_") ? new BackupRefusal(ALTERED) : error;
  }
}

const NOT_A_BACKUP = "This is not a backup of Parley.";

async function readHead(lines: LineReader, hash: Hash): Promise<BackupHead> {
  const line = await lines.next();
  const head = line && parse<BackupHead>(line);
  if (!line || head?.format !== FORMAT) throw new BackupRefusal(NOT_A_BACKUP);
  if (head.version !== FORMAT_VERSION)
    throw new BackupRefusal("This backup was written by a newer Parley. Restore it with that version.");
  update(hash, line);
  return head;
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select from workspaces limit 1");
  if (rows.length > 0)
    throw new BackupRefusal(
      "The target database is not empty. Restore into a new PARLEY_DATA_DIR, or an empty database named by DATABASE_URL.",
    );
}

async function createPartitions(client: pg.Client, head: BackupHead, known: readonly TableShape[]): Promise<void> {
  for (const { name, parent, bound } of head.partitions) {
    if (!BOUND.test(bound) || !known.some((table) => table.name === parent)) throw new BackupRefusal(ALTERED);
    await client.query(`create table if not exists ${identifier(name)} partition of ${identifier(parent)} ${bound}`);
  }
}

async function eachTable(client: pg.Client, tables: readonly TableShape[], action: string): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${identifier(name)} ${action}`);
}

interface Loading {
  readonly client: pg.Client;
  readonly lines: LineReader;
  readonly hash: Hash;
  readonly known: readonly TableShape[];
}

async function loadTables(loading: Loading): Promise<{ tables: number; rows: number }> {
  const { client, lines, hash, known } = loading;
  let tables = 0;
  let rows = 0;
  for (;;) {
    const line = await lines.next();
    if (!line) throw new BackupRefusal(TRUNCATED);
    const part = parse<TableHead & BackupTail>(line);
    if (part?.end) {
      const { sha256, ...tail } = part;
      update(hash, Buffer.from(JSON.stringify(tail)));
      // Read to its end: the compressed stream has a checksum of its own, and nothing may follow the tail.
      if (!(await lines.isAtEnd()) || sha256 !== hash.digest("hex") || part.rows !== rows)
        throw new BackupRefusal(ALTERED);
      await setSequences(client, part);
      return { tables, rows };
    }
    if (REMOVED_LOG.test(part?.table ?? "")) {
      update(hash, line);
      rows += await skipRows(loading);
      continue;
    }
    const shape = known.find(({ name }) => name === part?.table);
    if (!part || !shape || !part.columns?.every((column) => shape.columns.includes(column)))
      throw new BackupRefusal(ALTERED);
    update(hash, line);
    rows += await loadRows(loading, part);
    tables += 1;
  }
}

/** The next row of the table that is being read; null: that was its last one. */
async function nextRow({ lines, hash }: Loading): Promise<Buffer | null> {
  const line = await lines.next();
  if (!line) throw new BackupRefusal(TRUNCATED);
  update(hash, line);
  return line.length === END_OF_ROWS.length && line.toString() === END_OF_ROWS ? null : line;
}

async function skipRows(loading: Loading): Promise<number> {
  for (let rows = 0; ; rows++) if ((await nextRow(loading)) === null) return rows;
}

async function loadRows(loading: Loading, { table, columns }: TableHead): Promise<number> {
  const { client } = loading;
  const list = columns.map(identifier).join(", ");
  const copy = client.query(copyFrom(`copy ${identifier(table)} (${list}) from stdin`));
  const done = finished(copy as Writable);
  // PostgreSQL may refuse a row long before the end; the stream cannot be written to or destroyed after that.
  let refusal: Error | null = null;
  done.catch((error: Error) => {
    refusal = error;
  });
  let batch: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (refusal) throw refusal;
    if (bytes > 0 && !copy.write(Buffer.concat(batch))) await Promise.race([once(copy, "drain"), done]);
    batch = [];
    bytes = 0;
  };
  const newline = Buffer.from("\n");
  try {
    for (let line = await nextRow(loading); line; line = await nextRow(loading)) {
      batch.push(line, newline);
      bytes += line.length + 1;
      if (bytes >= BATCH_BYTES) await flush();
    }
    await flush();
    copy.end();
    await done;
    return copy.rowCount;
  } catch (error) {
    if (!refusal) copy.destroy();
    // A row that PostgreSQL refuses (class 22, 23) is damage, not a fault of the database.
    const { code = "", message } = error as Error & { code?: string };
    throw /^2[23]/.test(code) ? new BackupRefusal(`${ALTERED} (${table}: ${message})`) : error;
  }
}

async function setSequences(client: pg.Client, { sequences }: BackupTail): Promise<void> {
  for (const { name, last_value, is_called } of sequences)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [identifier(name), last_value, is_called]);
}

function update(hash: Hash, line: Buffer): void {
  hash.update(line).update("\n");
}

function parse<T>(line: Buffer): T | null {
  try {
    return JSON.parse(line.toString("utf8")) as T;
  } catch {
    return null;
  }
}

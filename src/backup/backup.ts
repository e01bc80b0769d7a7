import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { identifier } from "../db/identifier.ts";
import { type BackupHead, BackupRefusal, END_OF_ROWS, FORMAT, FORMAT_VERSION } from "./format.ts";
import { sealWithPassphrase } from "./passphrase.ts";
import { readPartitions, readSequences, readTables } from "./tables.ts";

export interface BackupOptions {
  readonly connection: pg.ClientConfig;
  readonly output: Writable;
  /** Puts the secret keys into the backup, sealed by the passphrase. */
  readonly secret?: { readonly keys: readonly string[]; readonly passphrase: string } | undefined;
  /** Ends it early, with an error. */
  readonly signal?: AbortSignal;
}

export interface BackupResult {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Writes all rows as of one moment, while the installation keeps working. One repeatable-read transaction: whatever
 * was acknowledged before it began is in it, and no row of it is from later. Rows are streamed and never held in memory.
 */
export async function writeBackup({ connection, output, secret, signal }: BackupOptions): Promise<BackupResult> {
  const client = new pg.Client({ ...connection, application_name: "parley-backup" });
  client.on("error", () => {});
  await client.connect();
  const result = { tables: 0, rows: 0 };
  try {
    await client.query("set statement_timeout = 0");
    await client.query("set idle_in_transaction_session_timeout = 0");
    await client.query("begin transaction isolation level repeatable read, read only");
    await pipeline(lines(client, secret, result), createGzip({ level: 6 }), output, ...(signal ? [{ signal }] : []));
    await client.query("commit");
    return result;
  } finally {
    // In the middle of a table the server still sends rows, and closing the connection normally would wait for all of them.
    if (signal?.aborted) (client as pg.Client & { connection: { stream: Socket } }).connection.stream.destroy();
    else await client.end().catch(() => {});
  }
}

async function* lines(
  client: pg.Client,
  secret: BackupOptions["secret"],
  result: { tables: number; rows: number },
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const hashed = (chunk: Buffer): Buffer => {
    hash.update(chunk);
    return chunk;
  };
  const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  yield hashed(line(await readHead(client, secret)));
  for (const { name, columns } of await readTables(client)) {
    yield hashed(line({ table: name, columns }));
    const list = columns.map(identifier).join(", ");
    const rows = client.query(copyTo(`copy (select ${list} from ${identifier(name)}) to stdout`));
    for await (const chunk of rows as Readable) yield hashed(chunk as Buffer);
    result.rows += rows.rowCount;
    result.tables += 1;
    yield hashed(Buffer.from(`${END_OF_ROWS}\n`));
  }
  // After the rows: a sequence is not part of the snapshot, and its value must not be behind theirs.
  const sequences = await readSequences(client);
  const tail = { end: true, rows: result.rows, sequences };
  hashed(line(tail));
  yield line({ ...tail, sha256: hash.digest("hex") });
}

async function readHead(client: pg.Client, secret: BackupOptions["secret"]): Promise<BackupHead> {
  const { rows: found } = await client.query("select to_regclass('schema_migrations') is not null as present");
  if (!found[0].present)
    throw new BackupRefusal("There is no installation of Parley in this database: there is nothing to back up.");
  const { rows: migrations } = await client.query<BackupHead["migrations"][number]>(
    "select version, name, checksum from schema_migrations order by version",
  );
  const { rows: facts } = await client.query<{ postgres: string; secret_key_id: string | null; now: Date }>(
    "select current_setting('server_version') as postgres, secret_key_id, now() from installation",
  );
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    created_at: (facts[0]?.now ?? new Date()).toISOString(),
    postgres: facts[0]?.postgres ?? "",
    migrations,
    partitions: await readPartitions(client),
    secret_key_id: facts[0]?.secret_key_id ?? null,
    sealed_secret_keys: secret ? sealWithPassphrase(secret.keys.join(","), secret.passphrase) : null,
  };
}

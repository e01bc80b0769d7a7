import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../core/package-files.ts";
import type { Database, Tx } from "./database.ts";
import { sql } from "./database.ts";

interface Migration {
  version: number;
  name: string;
  checksum: string;
  text: string;
}

const DIRECTORY = join(CODE_ROOT, "db", "migrations");
const MAJOR_MIN = 15;

/**
 * Brings the schema up to date, forward only. Each migration is one transaction that first takes an advisory lock held
 * to its commit: of two nodes that start at once the second waits, looks again and finds the work done; a killed one
 * leaves nothing behind. (Transaction-level locks, so it also works through a transaction pooler.)
 */
export async function migrate(
  db: Database,
  report: (name: string) => void = () => {},
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  await requireServerVersion(db);
  const migrations = readMigrations().filter(({ version }) => version <= upTo);
  let applied = 0;
  while (await db.transaction((tx) => applyNext(tx, migrations, report))) applied++;
  return applied;
}

export async function schemaVersion(db: Database): Promise<number> {
  const [found] = await db.query<{ present: boolean }>(
    sql("migrations_table", "select to_regclass('schema_migrations') is not null as present"),
  );
  if (!found?.present) return 0;
  const [row] = await db.query<{ version: number }>(
    sql("schema_version", "select coalesce(max(version), 0)::int as version from schema_migrations"),
  );
  return row?.version ?? 0;
}

export function readMigrations(directory = DIRECTORY): Migration[] {
  return readdirSync(directory)
    .filter((file) => /^\d{6}_.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(`${directory}/${file}`, "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      return { version: Number(file.slice(0, 6)), name: file.replace(/\.sql$/, ""), checksum, text };
    });
}

async function applyNext(tx: Tx, migrations: Migration[], report: (name: string) => void): Promise<boolean> {
  await tx.query(sql("migrate_lock", "select pg_advisory_xact_lock(hashtext('parley.migrate'))"));
  await tx.query(
    sql(
      "migrate_table",
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
    ),
  );
  const done = await tx.query<{ version: number; name: string; checksum: string }>(
    sql("migrate_done", "select version, name, checksum from schema_migrations order by version"),
  );
  const first = done[0];
  if (first?.version === 1 && first.name !== migrations[0]?.name)
    throw new Error(
      "This database was created by Parley 0.1, whose data this version cannot read: " +
        "set PARLEY_DATA_DIR to a new directory, or DATABASE_URL to an empty database.",
    );
  for (const row of done) {
    const ours = migrations.find((migration) => migration.version === row.version);
    if (!ours)
      throw new Error(
        `The database has migration ${row.name}, which this version of Parley does not know. Run a newer one.`,
      );
    if (ours.checksum !== row.checksum) throw new Error(`Migration ${row.name} was changed after it had been applied.`);
  }
  const next = migrations.find((migration) => !done.some((row) => row.version === migration.version));
  if (!next) return false;
  report(next.name);
  // Several statements, so not prepared: the simple protocol, under an empty name.
  await tx.query({ name: "", text: next.text });
  await tx.query(sql("migrate_record", "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)"), [
    next.version,
    next.name,
    next.checksum,
  ]);
  return true;
}

async function requireServerVersion(db: Database): Promise<void> {
  const [row] = await db.query<{ number: number }>(
    sql("server_version", "select current_setting('server_version_num')::int as number"),
  );
  const major = Math.floor((row?.number ?? 0) / 10_000);
  if (major < MAJOR_MIN) throw new Error(`PostgreSQL ${MAJOR_MIN} or newer is needed; this server is ${major}.`);
}

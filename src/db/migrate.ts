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
  /** The oldest schema version whose nodes still work once this migration has been applied. */
  compatibleFrom: number;
}

const DIRECTORY = join(CODE_ROOT, "db", "migrations");
const MAJOR_MIN = 15;

/** Sent when a migration has been applied; in the form of notifications.ts. */
export const SCHEMA_CHANNEL = "parley_schema";

/**
 * Brings the schema up to date, forward only. Each migration is one transaction that first takes an advisory lock held
 * to its commit: of two nodes that start at once the second waits, looks again and finds the work done; a killed one
 * leaves nothing behind. (Transaction-level locks, so it also works through a transaction pooler.)
 *
 * A migration says which older nodes still work with it: `compatible-from: N` is the oldest schema version of them. It
 * is stored, so that an older node finds out that it has to stop (schema-watch.ts). See docs/operations.md, "Upgrades".
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

/** The newest migration that this version of Parley knows. */
export const ownSchemaVersion = (): number => readMigrations().at(-1)?.version ?? 0;

export function readMigrations(directory = DIRECTORY): Migration[] {
  return readdirSync(directory)
    .filter((file) => /^\d{6}_.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(`${directory}/${file}`, "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      const version = Number(file.slice(0, 6));
      return { version, name: file.replace(/\.sql$/, ""), checksum, text, compatibleFrom: compatibleFrom(text, file) };
    });
}

function compatibleFrom(text: string, file: string): number {
  const [, number] = /^-- compatible-from: (\d+)$/m.exec(text) ?? [];
  if (number === undefined)
    throw new Error(
      `Migration ${file} does not say which nodes still work with it: ` +
        "begin it with a line `-- compatible-from: N`, N being the oldest schema version of them.",
    );
  return Number(number);
}

const recordStatement = sql(
  "migrate_record",
  `insert into schema_migrations (version, name, checksum, compatible_from)
   values ($1, $2, $3, $4)`,
);

const appliedStatement = sql(
  "migrate_done",
  "select version, name, checksum, compatible_from from schema_migrations order by version",
);

async function applyNext(tx: Tx, migrations: Migration[], report: (name: string) => void): Promise<boolean> {
  await tx.query(sql("migrate_lock", "select pg_advisory_xact_lock(hashtext('parley.migrate'))"));
  await tx.query(
    sql(
      "migrate_table",
      `create table if not exists schema_migrations (
         version integer primary key,
         name text not null,
         checksum text not null,
         compatible_from integer not null,
         applied_at timestamptz not null default now()
       )`,
    ),
  );
  const done = await tx.query<AppliedMigration>(appliedStatement);
  requireKnown(done, migrations);
  const next = migrations.find((migration) => !done.some((row) => row.version === migration.version));
  if (!next) return false;
  report(next.name);
  // Several statements, so not prepared: the simple protocol, under an empty name.
  await tx.query({ name: "", text: next.text });
  await tx.query(recordStatement, [next.version, next.name, next.checksum, next.compatibleFrom]);
  await tx.query(sql("migrate_notify", "select pg_notify($1, $2)"), [SCHEMA_CHANNEL, `migrate|${next.version}`]);
  return true;
}

interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
  compatible_from: number;
}

/** Why `migrate` would refuse the database; null: it would not. */
export async function findSchemaProblem(db: Database): Promise<string | null> {
  if ((await schemaVersion(db)) === 0) return null;
  try {
    requireKnown(await db.query<AppliedMigration>(appliedStatement), readMigrations());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Refuses a database that this version cannot work with. One of a newer version is fine as long as that allows it. */
function requireKnown(done: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const first = done[0];
  if (first?.version === 1 && first.name !== migrations[0]?.name)
    throw new Error(
      "This database was created by Parley 0.1, whose data this version cannot read: " +
        "set PARLEY_DATA_DIR to a new directory, or DATABASE_URL to an empty database.",
    );
  for (const row of done) {
    const ours = migrations.find((migration) => migration.version === row.version);
    if (!ours && row.compatible_from > ownSchemaVersion())
      throw new Error(
        `The database has migration ${row.name}, which this version of Parley does not know. Run a newer one.`,
      );
    if (ours && ours.checksum !== row.checksum)
      throw new Error(`Migration ${row.name} was changed after it had been applied.`);
  }
}

async function requireServerVersion(db: Database): Promise<void> {
  const [row] = await db.query<{ number: number }>(
    sql("server_version", "select current_setting('server_version_num')::int as number"),
  );
  const major = Math.floor((row?.number ?? 0) / 10_000);
  if (major < MAJOR_MIN) throw new Error(`PostgreSQL ${MAJOR_MIN} or newer is needed; this server is ${major}.`);
}

import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMigrations } from "../../src/db/migrate.ts";
import { ensureBuilt, spawnParley } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { scale } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const MIGRATIONS = readMigrations();
const LATEST = MIGRATIONS.length;
const versionOf = (name: string) => MIGRATIONS.findIndex((migration) => migration.name.includes(name)) + 1;
const KEYS_SINCE = versionOf("api_keys");
const MESSAGES_SINCE = versionOf("conversations");
const SECRET = "a-key-from-before-the-migration-of-32-characters";
const TEXTS = Array.from({ length: 20 }, (_, i) => `kept ${i}`);

let database: TestDatabase;
beforeEach(async () => {
  await ensureBuilt();
  database = await createTestDatabase({ empty: true });
});
afterEach(() => database.drop());

/** The database as an older Parley left it: the schema of that version, and something in it. */
async function leftBy(version: number): Promise<void> {
  await database.query(
    `create table schema_migrations (
       version integer primary key,
       name text not null,
       checksum text not null,
       compatible_from integer not null,
       applied_at timestamptz not null default now()
     )`,
  );
  for (const { version: number, name, checksum, text, compatibleFrom } of MIGRATIONS.slice(0, version)) {
    await database.query(text);
    await database.query("insert into schema_migrations values ($1, $2, $3, $4)", [
      number,
      name,
      checksum,
      compatibleFrom,
    ]);
  }
  if (version >= KEYS_SINCE) await leaveKey();
  if (version >= MESSAGES_SINCE) await leaveMessages();
}

async function leaveKey(): Promise<void> {
  await database.query("insert into workspaces (uuid, name) values ($1, 'Before')", [randomUUID()]);
  await database.query(
    `insert into api_keys (workspace_id, uuid, name, type, abilities, rate_limit_tier)
     values (1, $1, 'from before', 'full', '{*}', 'unlimited')`,
    [randomUUID()],
  );
  await database.query("insert into api_key_digests (digest, workspace_id, api_key_id) values ($1, 1, 1)", [
    createHash("sha256").update(SECRET).digest(),
  ]);
}

async function leaveMessages(): Promise<void> {
  await database.query("insert into contacts (workspace_id, uuid, name) values (1, $1, 'Ann')", [randomUUID()]);
  await database.query(
    "insert into conversations (workspace_id, uuid, contact_id, subject, last_seq) values (1, $1, 1, 'Before', $2)",
    [randomUUID(), TEXTS.length],
  );
  await database.query(
    `insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body)
     select 1, gen_random_uuid(), 1, place, 'in', 'contact', text from unnest($1::text[]) with ordinality t (text, place)`,
    [TEXTS],
  );
}

/** The database processes that wait for a lock. */
async function waiting(): Promise<number[]> {
  const rows = await database.query<{ pid: number }>(
    `select distinct l.pid from pg_locks l join pg_stat_activity a using (pid)
     where a.datname = current_database() and not l.granted and l.locktype in ('relation', 'advisory')`,
  );
  return rows.map(({ pid }) => pid);
}

const schemaVersions = async (): Promise<number[]> =>
  (await database.query<{ version: number }>("select version from schema_migrations order by version")).map(
    ({ version }) => version,
  );

async function requireKept(version: number, server: ParleyProcess): Promise<void> {
  if (version >= KEYS_SINCE) {
    const me = await server.call("GET", "/me", { key: SECRET });
    expect(me.body.data.api_key.name).toBe("from before");
  }
  if (version >= MESSAGES_SINCE) {
    const { body } = await server.call("GET", "/conversations/1/messages", { key: SECRET });
    expect(body.data.map((message: { body: string }) => message.body).sort()).toEqual([...TEXTS].sort());
  }
  expect((await server.call("POST", "/conversations", { body: { subject: "after" } })).status).toBe(201);
}

it.for(scale([LATEST - 1], [...MIGRATIONS.keys()]))(
  "a killed migration that follows version %i is completed by the next start, and nothing is lost",
  async (version) => {
    await leftBy(version);
    // A process that may not record that a migration is done waits with all of it made and nothing committed.
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("lock table schema_migrations in share mode");

    const killed = spawnParley(["migrate"], { DATABASE_URL: database.url });
    await until("it is in the middle", async () => (await waiting()).length > 0, { timeoutMs: 30_000 });
    const first = await waiting();
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(await schemaVersions()).toHaveLength(version);

    // For the lock of the killed one, or, where the database has noticed by then that its client is gone, for the table.
    const starting = startProcess("serve", database);
    const isNextWaiting = async () => (await waiting()).some((pid) => !first.includes(pid));
    await until("the next one waits", isNextWaiting, { timeoutMs: 30_000 });
    await holder.query("rollback");
    await holder.end();
    const server = await starting;
    try {
      expect(await schemaVersions()).toEqual(MIGRATIONS.map((migration) => migration.version));
      await requireKept(version, server);
    } finally {
      await server.end("SIGKILL");
    }
  },
);

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeBackup } from "../../src/backup/backup.ts";
import { writeBackupFile } from "../../src/backup/backup-file.ts";
import { BackupRefusal } from "../../src/backup/format.ts";
import { openWithPassphrase, sealWithPassphrase } from "../../src/backup/passphrase.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { startBackupSchedule } from "../../src/backup/schedule.ts";
import { createLogger } from "../../src/core/logger.ts";
import { migrate } from "../../src/db/migrate.ts";
import { migrateWith } from "../../src/store.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { callApi, startParley, type TestParley } from "../support/parley.ts";
import { respondWith } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

const WRITERS = 4;

let source: WebhookFixture;
let backup: Buffer;
/** Bodies of messages that were acknowledged before the backup began. */
let acknowledged: string[];
let waiting: { id: number; path: string };
/** More than one chunk, with every byte there is. */
const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));
let fileId: number;

beforeAll(async () => {
  // What fails waits three seconds: its delivery is queued when the backup is taken.
  source = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "3" });
  waiting = await source.createWebhook({ retry_count: 10 });
  source.receiver.behave(respondWith(500), waiting.path);
  const uploaded = await source.parley.call("POST", "/files?name=kept.bin", { rawBody: FILE });
  fileId = uploaded.body.data.id;
  const ledger: string[] = [];
  let writing = true;
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; writing; n++) {
      const text = `writer ${writer}: message ${n}\twith a tab, a \\ and\na new line`;
      await source.write(text);
      ledger.push(text);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  try {
    await until("some messages are acknowledged", () => ledger.length >= 40, { timeoutMs: 40_000 });
    const before = [...ledger];
    backup = await backUp(source.parley.database);
    acknowledged = before;
  } finally {
    writing = false;
    await Promise.all(writers);
  }
});
afterAll(() => source?.close());

async function backUp(database: TestDatabase): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const secret = { keys: ["the secret key"], passphrase: "a passphrase" };
  await writeBackup({ connection: { connectionString: database.url }, output, secret });
  return Buffer.concat(chunks);
}

async function restoreInto(database: TestDatabase, bytes: Buffer) {
  const connection = { connectionString: database.url };
  const settings = { connection, logger: createLogger("silent"), applicationName: "test" };
  return restoreBackup({
    input: Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
    prepare: async () => {
      await migrateWith(settings, (db) => migrate(db));
      return connection;
    },
  });
}

describe("a backup that was taken under load", () => {
  let target: TestDatabase;
  let parley: TestParley;
  let queued: number;
  beforeAll(async () => {
    target = await createTestDatabase({ empty: true });
    source.receiver.behave(respondWith(200), waiting.path);
    await restoreInto(target, backup);
    const [row] = await target.query<{ queued: string }>("select count(*) as queued from deliveries");
    queued = Number(row?.queued);
    parley = await startParley({ PARLEY_RETRY_SCHEDULE: "0.1" }, target);
  });
  afterAll(async () => {
    await parley?.close();
    await target?.drop();
  });

  it("holds the files, byte by byte", async () => {
    const { body } = await parley.call("GET", `/files/${fileId}`);
    expect(body.data).toMatchObject({ name: "kept.bin", size_bytes: FILE.length });
    expect(Buffer.from(await (await fetch(body.data.url)).arrayBuffer()).equals(FILE)).toBe(true);
  });

  it("holds every message that was acknowledged before it began, in the order of its conversation", async () => {
    const rows = await target.query<{ body: string; seq: string }>("select body, seq from messages order by seq");
    const restored = new Set(rows.map(({ body }) => body));
    expect(acknowledged.filter((text) => !restored.has(text))).toEqual([]);
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1));
  });

  it("is consistent: each message has its event, and keys, secrets and new ids work as before", async () => {
    const [counts] = await target.query<{ messages: string; events: string }>(
      `select (select count(*) from messages) as messages,
              (select count(*) from events where type = 'message.created') as events`,
    );
    expect(counts?.events).toBe(counts?.messages);
    const reply = await callApi(parley.url, "POST", "/contacts", { body: { name: "After the restore" } });
    expect(reply.status, reply.text).toBe(201);
    const secret = await callApi(parley.url, "GET", `/webhooks/${waiting.id}/secret`);
    expect(secret.body.data.secret).toMatch(/^whsec_/);
  });

  it("sends the deliveries that were queued", async () => {
    expect(queued).toBeGreaterThan(0);
    await until(
      "nothing is queued",
      async () => {
        const [row] = await target.query<{ left: string }>("select count(*) as left from deliveries");
        return row?.left === "0";
      },
      { timeoutMs: 45_000 },
    );
    const { body } = await callApi(parley.url, "GET", `/webhooks/${waiting.id}/logs?status=success&per_page=1`);
    expect(body.meta.pagination.total).toBeGreaterThan(0);
  });
});

describe("a backup that was taken while retention removed a day of logs", () => {
  const DAY = "delivery_attempts_20200101";
  let target: TestDatabase;
  beforeAll(async () => {
    const { query } = source.parley.database;
    // As the removal leaves it between the detach and the drop.
    await query("select create_attempt_partition('2020-01-01')");
    await query(
      `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
         response_code, response_time_ms, attempt, detail, created_at)
       select workspace_id, id, 1, 1, uuid, 'message.created', true, 200, 1, 1, '{}', '2020-01-01 12:00Z'
       from webhooks`,
    );
    await query("update delivery_lanes set attempts_total = attempts_total + 1");
    await query(`alter table delivery_attempts detach partition ${DAY}`);
  });
  beforeEach(async () => {
    target = await createTestDatabase();
  });
  afterEach(() => target.drop());
  afterAll(async () => {
    await source.parley.database.query(`drop table ${DAY}`);
    await source.parley.database.query("update delivery_lanes set attempts_total = attempts_total - 1");
  });

  /** What the lanes count, and what the log holds. */
  const totals = async () =>
    (
      await target.query<{ counted: string; logged: string }>(
        `select (select sum(attempts_total) from delivery_lanes) as counted,
                (select count(*) from delivery_attempts) as logged`,
      )
    )[0];

  it("is restored without that day, and no total counts it", async () => {
    await restoreInto(target, await backUp(source.parley.database));
    expect(await target.query("select to_regclass($1) as found", [DAY])).toEqual([{ found: null }]);
    const { counted, logged } = (await totals()) ?? {};
    expect(Number(logged)).toBeGreaterThan(0);
    expect(counted).toBe(logged);
  });

  it("is restored without it also from a file in which an earlier version wrote that day as a table", async () => {
    const [rows] = await source.parley.database.query<{ lines: string }>(
      `select string_agg(concat_ws(E'\\t', workspace_id, id, detail), E'\\n') as lines from ${DAY}`,
    );
    await restoreInto(target, withTable(await backUp(source.parley.database), DAY, rows?.lines ?? ""));
    const { counted, logged } = (await totals()) ?? {};
    expect(Number(logged)).toBeGreaterThan(0);
    expect(counted).toBe(logged);
  });
});

/** The backup with one more table at its end, as valid as before. */
function withTable(bytes: Buffer, table: string, rows: string): Buffer {
  const lines = gunzipSync(bytes).toString("latin1").trimEnd().split("\n");
  const { sha256: _, ...tail } = JSON.parse(lines.pop() ?? "");
  tail.rows += rows.split("\n").length;
  const head = JSON.stringify({ table, columns: ["workspace_id", "id", "detail"] });
  const text = [...lines, head, rows, "\\.", ""].join("\n");
  const sha256 = createHash("sha256")
    .update(text, "latin1")
    .update(`${JSON.stringify(tail)}\n`)
    .digest("hex");
  return gzipSync(Buffer.from(`${text}${JSON.stringify({ ...tail, sha256 })}\n`, "latin1"));
}

describe("a backup is refused, and nothing is restored,", () => {
  const whole = (): Buffer => gunzipSync(backup);
  const rewritten = (pattern: RegExp, text: string) => Buffer.from(whole().toString("utf8").replace(pattern, text));
  const cases: [name: string, bytes: () => Buffer, message: RegExp][] = [
    ["when its end is missing", () => backup.subarray(0, backup.length - 200), /truncated/],
    ["when it ends after a table", () => gzipSync(whole().subarray(0, whole().lastIndexOf("\\.\n") + 3)), /truncated/],
    ["when a byte of the compressed file changed", () => flip(backup, backup.length >> 1), /altered|truncated/],
    [
      "when a message was rewritten",
      () => gzipSync(Buffer.from(whole().toString("utf8").replace("writer 0: message 1", "writer 0: message X"))),
      /altered/,
    ],
    ["when its last byte is missing", () => backup.subarray(0, backup.length - 1), /truncated/],
    [
      "when its last line was rewritten",
      () => gzipSync(rewritten(/"last_value":"\d+"/g, '"last_value":"1"')),
      /altered/,
    ],
    ["when something follows its end", () => Buffer.concat([backup, gzipSync("more")]), /altered/],
    [
      "when a row cannot be read and much more of its table follows",
      () => gzipSync(rewritten(/^\{"table":"messages".*\n/m, `$&${"not a row\n".repeat(400_000)}`)),
      /altered/,
    ],
    ["when it is something else", () => Buffer.from("not a backup at all, just text"), /not a backup/],
    ["when it is another gzip file", () => gzipSync("hello\n"), /not a backup/],
  ];
  /** For all cases: each leaves it as empty as it was. */
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createTestDatabase({ empty: true });
  });
  afterAll(() => target?.drop());

  it.each(cases)("%s", async (_name, bytes, message) => {
    const error = await restoreInto(target, bytes()).then(
      () => null,
      (cause: Error) => cause,
    );
    expect(error).toBeInstanceOf(BackupRefusal);
    expect(error?.message).toMatch(message);
    const [row] = await target.query<{ count: string }>("select count(*) from workspaces");
    expect(row?.count).toBe("0");
  });

  it("when the target is not empty", async () => {
    await expect(restoreInto(source.parley.database, backup)).rejects.toThrow("The target database is not empty.");
  });
});

describe("scheduled backups", () => {
  it("are written when the newest one is too old, can be restored, and only the newest are kept", async () => {
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const connection = { connectionString: source.parley.database.url };
    for (const day of ["01", "02", "03"]) {
      const file = join(directory, `parley-202001${day}T000000Z.backup`);
      writeFileSync(file, "old");
      utimesSync(file, new Date("2020-01-03"), new Date("2020-01-03"));
    }
    writeFileSync(join(directory, "notes.txt"), "not a backup");
    // Of a server that was killed in the middle of a backup.
    writeFileSync(join(directory, "parley-20200104T000000Z.backup.partial"), "the beginning of a backup");
    const schedule = () =>
      startBackupSchedule({ directory, everyHours: 1, keep: 2, connection, logger: createLogger("silent") });
    const first = schedule();
    try {
      const names = await until("a new backup is there and old ones are gone", () => {
        const found = readdirSync(directory).sort();
        return found.length === 3 && found.every((name) => !name.endsWith(".partial")) ? found : null;
      });
      expect(names).toEqual(["notes.txt", "parley-20200103T000000Z.backup", expect.stringMatching(/^parley-\d{8}T/)]);
      const bytes = readFileSync(join(directory, names[2] ?? ""));
      expect(gunzipSync(bytes).toString("utf8")).toContain('"format":"parley-backup"');
      await first.close();
      // The newest one is fresh now: the next start writes none.
      const second = schedule();
      second.now();
      await second.close();
      expect(readdirSync(directory).sort()).toEqual(names);
    } finally {
      await first.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("scheduled backups after the clock was set back", () => {
  it("are written although the newest has a time in the future, once per interval, replacing the oldest", async () => {
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const connection = { connectionString: source.parley.database.url };
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    const ahead = ["parley-29990101T000000Z.backup", "parley-29990102T000000Z.backup"];
    for (const name of ahead) {
      writeFileSync(join(directory, name), "from before the clock was set back");
      utimesSync(join(directory, name), tomorrow, tomorrow);
    }
    const schedule = () =>
      startBackupSchedule({ directory, everyHours: 1, keep: 2, connection, logger: createLogger("silent") });
    const first = schedule();
    try {
      const names = await until("a backup is written and one is removed", () => {
        const found = readdirSync(directory).sort();
        return found.length === 2 && found[0] !== ahead[0] ? found : null;
      });
      expect(names).toEqual([expect.stringMatching(/^parley-2\d{7}T\d{6}Z\.backup$/), ahead[1]]);
      await first.close();
      const second = schedule();
      second.now();
      await second.close();
      expect(readdirSync(directory).sort()).toEqual(names);
    } finally {
      await first.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("a backup that cannot be written", () => {
  it("is an error of the command that says why, and leaves nothing behind", async () => {
    const connection = { connectionString: source.parley.database.url };
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const written = writeBackupFile({ connection, file: join(directory, "missing", "one.backup") });
    await expect(written).rejects.toThrow(/^The backup cannot be written: ENOENT/);
    const unreachable = { connectionString: "postgres://nobody@127.0.0.1:1/none" };
    const elsewhere = writeBackupFile({ connection: unreachable, file: join(directory, "one.backup") });
    await expect(elsewhere).rejects.toThrow(/ECONNREFUSED/);
    expect(readdirSync(directory)).toEqual([]);
    rmSync(directory, { recursive: true });
  });

  it("is refused where a device or a pipe is, and replaces the file that a link leads to", async () => {
    const connection = { connectionString: source.parley.database.url };
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const [pipe, link, file] = [join(directory, "pipe"), join(directory, "link"), join(directory, "one.backup")];
    execFileSync("mkfifo", [pipe]);
    await expect(writeBackupFile({ connection, file: pipe })).rejects.toThrow(
      /^The backup cannot be written: .*pipe is not a file\. For a device or a pipe, write to standard output: -\.$/,
    );
    writeFileSync(file, "an earlier backup");
    symlinkSync(file, link);
    await writeBackupFile({ connection, file: link });
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(lstatSync(file).size).toBeGreaterThan(1_000);
    rmSync(file);
    await expect(writeBackupFile({ connection, file: link })).rejects.toThrow(/^The backup cannot be written: ENOENT/);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    rmSync(directory, { recursive: true });
  });

  it("because the server stops ends at once, however much is left of it", async () => {
    const stopping = new AbortController();
    const connection = { connectionString: source.parley.database.url };
    let chunks = 0;
    // Takes the first chunk and never asks for another one.
    const output = new Writable({ highWaterMark: 1, write: () => void chunks++ });
    const written = writeBackup({ connection, output, signal: stopping.signal });
    const failed = expect(written).rejects.toThrow(/abort/);
    await until("it is in the middle", () => chunks === 1);
    stopping.abort();
    await failed;
    await until("its session has ended", async () => {
      const sessions =
        "select from pg_stat_activity where application_name = 'parley-backup' and datname = current_database()";
      return (await source.parley.database.query(sessions)).length === 0;
    });
  });
});

describe("the secret key in a backup", () => {
  it("opens with its passphrase only, and is not in the file in the clear", () => {
    const head = JSON.parse(gunzipSync(backup).toString("utf8").split("\n")[0] ?? "");
    expect(openWithPassphrase(head.sealed_secret_keys, "a passphrase")).toBe("the secret key");
    expect(() => openWithPassphrase(head.sealed_secret_keys, "another one")).toThrow("does not open the secret key");
    expect(gunzipSync(backup).includes("the secret key")).toBe(false);
    expect(sealWithPassphrase("x", "y")).not.toBe(sealWithPassphrase("x", "y"));
  });

  it("belongs to a file whose checksum covers everything, its last line included", () => {
    const text = gunzipSync(backup).toString("latin1").trimEnd();
    const end = text.lastIndexOf("\n") + 1;
    const { sha256, ...tail } = JSON.parse(text.slice(end)) as { sha256: string };
    expect(
      createHash("sha256")
        .update(Buffer.from(text.slice(0, end), "latin1"))
        .update(`${JSON.stringify(tail)}\n`)
        .digest("hex"),
    ).toBe(sha256);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

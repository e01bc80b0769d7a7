import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renameWorkspace } from "../../src/auth/workspace-changes.ts";
import { cleanMoved } from "../../src/cells/clean.ts";
import { cancelMove, inspectMove, type MoveOptions, moveWorkspace } from "../../src/cells/move.ts";
import { nextAbove } from "../../src/cells/sequences.ts";
import { readMovedTables } from "../../src/cells/tables.ts";
import { workspaceOf } from "../../src/cli/keys.ts";
import { createLogger } from "../../src/core/logger.ts";
import { CELL_IDS_FROM } from "../../src/db/cell.ts";
import { type Browser, join, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { ensureBuilt, parleyCommand } from "../support/cli.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { createTestDatabase } from "../support/database.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const WORKSPACE = 1;
const CELL = 7;
const SECRET = "a-secret-key-for-tests-of-32-characters-or-more";
/** Filled and emptied by loops of both cells: compared by what the API shows of them. */
const FOLDED = new Set([
  "alert_states",
  "conversation_counts",
  "conversation_deltas",
  "conversation_stat_deltas",
  "conversation_stats",
  "delivery_stat_deltas",
  "delivery_stats",
  "events_unsequenced",
  "label_counts",
  "label_deltas",
  "list_count_deltas",
  "list_counts",
]);

let source: TestParley;
let target: TestParley;
let receiver: Receiver;
let owner: Browser;
let other: { id: number; key: string };
let conversation: Any;
let file: Any;
let cursor: string;
let before: Record<string, Any[]>;
const here = wordsOf(() => source);
const there = wordsOf(() => target);

const options = (report: (line: string) => void = () => {}): MoveOptions => ({
  workspaceId: WORKSPACE,
  source: { connectionString: source.database.url },
  target: { connectionString: target.database.url },
  db: source.app.store.db,
  logger: createLogger("silent"),
  waitMs: 20_000,
  report,
});

/** A move that fails when it reports this. */
const breakOff = (words: string) =>
  moveWorkspace(
    options((line) => {
      if (line.startsWith(words)) throw new Error(`interrupted: ${line}`);
    }),
  );

const write = (call = source.call, key = source.key) => call("POST", "/contacts", { key, body: { name: "A contact" } });

async function tablesOf(parley: TestParley): Promise<{ name: string; workspaceColumn: string }[]> {
  const client = new pg.Client({ connectionString: parley.database.url });
  await client.connect();
  try {
    return await readMovedTables(client);
  } finally {
    await client.end();
  }
}

/** Every row of the workspace, as JSON. */
async function rowsOf(parley: TestParley): Promise<Record<string, Any[]>> {
  const rows: Record<string, Any[]> = {};
  for (const { name, workspaceColumn } of await tablesOf(parley))
    rows[name] = (
      await parley.database.query<{ row: Any }>(
        `select to_jsonb(t) as row from "${name}" t where ${workspaceColumn} = $1 order by t::text`,
        [WORKSPACE],
      )
    ).map(({ row }) => row);
  return rows;
}

/** As in a cell that is far ahead: what is created after the move must still come later. */
const FAR_AHEAD = 2 ** 41;

/** What is written only when mail comes or goes. */
async function fillMailTables(): Promise<void> {
  const { id: mailbox } = await here.made("/mailboxes", { name: "Support", address: "support@example.com" });
  const [message] = await source.database.query<{ id: number }>(`select min(id)::int as id from messages`);
  const values = `${WORKSPACE}, ${mailbox}`;
  await source.database.query(
    `insert into mailbox_states (workspace_id, mailbox_id) values (${values}) on conflict do nothing`,
  );
  await source.database.query(
    `insert into mails_in (workspace_id, mailbox_id, digest, message_id) values (${values}, 'd', ${message?.id})`,
  );
  await source.database.query(
    `insert into mailbox_uids (workspace_id, mailbox_id, uidvalidity, uid) values (${values}, 1, 1)`,
  );
  await source.database.query(
    `insert into mail_ids (workspace_id, mailbox_id, id_digest, message_id) values (${values}, 'd', ${message?.id})`,
  );
  await source.database.query(
    `insert into conversation_addresses (workspace_id, conversation_id, address)
     values (${WORKSPACE}, ${conversation.id}, 'zoe@example.com')`,
  );
  await source.database.query(
    `with mail as (
       insert into outgoing_mails (workspace_id, mailbox_id, message_id, raw_file_id, header_id)
       values (${values}, ${message?.id}, ${file.id}, 'a@example.com')
       returning workspace_id, id)

     insert into outgoing_recipients (workspace_id, mail_id, position, address, kind)
     select workspace_id, id, 1, 'zoe@example.com', 'to'
     from mail`,
  );
}

/** What is written only when a visitor comes. */
async function fillVisitorTables(): Promise<void> {
  const widget = await here.made("/widgets", { name: "Shop", allowed_origins: ["https://shop.example"] });
  await source.database.query(
    `with session as (
       insert into visitor_sessions (workspace_id, token_digest, widget_id)
       values (${WORKSPACE}, 'd', ${widget.id})
       returning workspace_id, id)

     insert into visitor_messages (workspace_id, session_id, client_id, conversation_uuid)
     select workspace_id, id, gen_random_uuid(), '${conversation.uuid}'
     from session`,
  );
}

async function fill(): Promise<void> {
  for (const sequence of ["event_position_seq", "contacts_id_seq"])
    await source.database.query(`select setval('${sequence}', ${FAR_AHEAD})`);
  const contact = await here.made("/contacts", { name: "Zoë", email: "zoe@example.com" });
  conversation = await here.made("/conversations", { contact_id: contact.id, subject: "Lamp", labels: ["vip"] });
  const ben = await join(source, owner, "agent", "ben@example.com");
  await owner.call("POST", "/invitations", { email: "ida@example.com", role: "agent" });
  const olive = (await owner.call("GET", "/session")).body.data.user.id;
  await here.patched(`/conversations/${conversation.id}`, { assignee_id: olive });
  file = await here.made("/files?name=a.txt", undefined, {
    rawBody: "hello",
    headers: { "content-type": "text/plain" },
  });
  const messages = `/conversations/${conversation.id}/messages`;
  await here.made(messages, { body: "the lighthouse", direction: "in" });
  await here.made(messages, { body: "a reply", attachments: [{ file_id: file.id }] });
  await ben.call("POST", `//api/v1${messages}`, { body: "from Ben" });
  await ben.call("POST", `//api/v1/conversations/${conversation.id}/drafts`, { body: "a draft" });
  await ben.call("POST", `//api/v1/conversations/${conversation.id}/read`, {});
  const note = await owner.call("POST", `/contacts/${contact.id}/notes`, { body: "likes tea" });
  expect(note.status, note.text).toBe(201);
  await here.made(messages, { body: "a note", private: true, mentions: [olive] });
  await here.made("/saved-replies", { name: "Hello", body: "Hello" });
  await ben.call("POST", "//api/v1/views", { name: "Mine", filters: { assignee_id: "me" } });
  await here.made("/contacts", { name: "twice" }, { headers: { "idempotency-key": "once" } });
  receiver.behave(respondWith(500), "/later");
  receiver.behave(respondWith(500), "/never");
  const events = ["contact.created"];
  await here.made("/webhooks", { name: "ok", url: receiver.url("/ok"), events });
  await here.made("/webhooks", { name: "later", url: receiver.url("/later"), events, retry_count: 5 });
  await here.made("/webhooks", { name: "never", url: receiver.url("/never"), events, retry_count: 0 });
  await here.made("/contacts", { name: "Delivered" });
  await receiver.waitFor(3);
  await source.database.query(
    `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
     values (${WORKSPACE}, 1, '2026-01-01', 5, 0, 0)`,
  );
  await source.database.query(
    `insert into notifications (uuid, workspace_id, channel, kind, content_sealed, attempts, next_attempt_at, expires_at)
     values (gen_random_uuid(), ${WORKSPACE}, 'slack', 'test', 'sealed', 7, now() + interval '1 hour', '2099-01-02')`,
  );
  await source.database.query(`insert into alert_settings (workspace_id) values (${WORKSPACE})`);
  await ben.call("PATCH", "/me/notifications", { sound: false });
  await source.database.query(`insert into notice_positions (workspace_id, position) values (${WORKSPACE}, 0)`);
  await source.database.query(
    `insert into conversation_notices (workspace_id, conversation_id, user_id, seq)
     values (${WORKSPACE}, ${conversation.id}, ${olive}, 1)`,
  );
  const consumer = await source.call("PUT", "/consumers/billing", { key: source.key, body: { start: "now" } });
  expect(consumer.status, consumer.text).toBe(201);
  await fillMailTables();
  await fillVisitorTables();
  const letters = () => source.database.query("select 1 from dead_letters");
  await until("a dead letter is written", async () => (await letters()).length > 0);
}

beforeAll(async () => {
  await ensureBuilt();
  receiver = await startReceiver();
  source = await startParley({ PARLEY_CELL: "0" });
  const key = "another-bootstrap-key-of-more-than-32-characters";
  target = await startParley({ PARLEY_CELL: String(CELL), PARLEY_BOOTSTRAP_API_KEY: key }, undefined, {
    deliver: false,
  });
  owner = await setUp(source, { workspace_name: "Shop" });
  // The same person has an account in the other cell already.
  await setUp(target, { workspace_name: "Elsewhere" });
  other = await source.createWorkspace();
  await fill();
  ({ cursor } = await here.eventsAfter());
});
afterAll(async () => {
  await source?.close();
  await target?.close();
  await receiver?.close();
});

describe("before a workspace moves", () => {
  it("a dry run says how many rows there are in each table and changes nothing", async () => {
    const { cell, state, sizes } = await inspectMove(options());
    expect([cell, state]).toEqual([CELL, null]);
    expect(sizes.find(({ table }) => table === "messages")?.rows).toBe(4);
    expect((await write()).status).toBe(201);
  });

  it("the fixture has a row in every table that moves, so that a new one is not forgotten", async () => {
    const rows = await rowsOf(source);
    const empty = Object.entries(rows).filter(([name, found]) => found.length === 0 && !FOLDED.has(name));
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it("a table that does not say which workspace its rows belong to is refused, one that does is moved", async () => {
    const client = new pg.Client({ connectionString: source.database.url });
    await client.connect();
    await client.query("begin");
    await client.query("create table reactions (message_uuid uuid primary key, emoji text)");
    await expect(readMovedTables(client)).rejects.toThrow(/rows of reactions .* cells\/tables\.ts/);
    await client.query("alter table reactions add column workspace_id bigint not null");
    expect((await readMovedTables(client)).map(({ name }) => name)).toContain("reactions");
    await client.query("rollback");
    await client.end();
  });

  it("every column that names a person is known, so that none points to a stranger in the other cell", async () => {
    const columns = await source.database.query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns
       where table_schema = 'public'
         and column_name ~ '(user|author|assignee|creator|actor|caller|uploader|sender|invited|member|owner)'
         and data_type = 'bigint'
         and table_name in (
           select table_name
           from information_schema.columns
           where column_name = 'workspace_id'
         )
       order by 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual([
      "api_keys.creator_id",
      "audit_logs.actor_id",
      "contact_notes.author_id",
      "conversation_counts.assignee_id",
      "conversation_deltas.assignee_id",
      "conversation_inbox.assignee_id",
      "conversation_notices.user_id",
      "conversation_reads.user_id",
      "conversations.assignee_id",
      "drafts.author_id",
      "files.uploader_id",
      "idempotency_keys.caller_id",
      "invitations.invited_by",
      "labelled_conversations.assignee_id",
      "memberships.user_id",
      "message_mentions.user_id",
      "messages.sender_id",
      "notification_settings.user_id",
      "views.owner_id",
    ]);
  });

  it.each([
    ["to the same cell", () => ({ target: options().source }), "Both databases are cell 0"],
    ["to cell 0", () => ({ source: options().target, target: options().source }), "Cell 0 receives no workspaces"],
    ["of an unknown workspace", () => ({ workspaceId: 999_999 }), "There is no workspace 999999 here."],
  ])("a move %s is refused with the reason", async (_, change, message) => {
    await expect(moveWorkspace({ ...options(), ...change() })).rejects.toThrow(message);
    expect((await write()).status).toBe(201);
  });

  it("a move to a database that is not set up, or that seals with another key, is refused", async () => {
    const database = await createTestDatabase();
    const to = () => moveWorkspace({ ...options(), target: { connectionString: database.url } });
    await expect(to()).rejects.toThrow("The other database is not set up yet");
    await database.query("update installation set cell = 8, secret_key_id = 'other'");
    await expect(to()).rejects.toThrow("The cells seal secrets with different keys");
    await database.drop();
  });

  it("the next id of a cell is above any other, in its own class", () => {
    expect(nextAbove(5, 7)).toBe(2 ** 40 + 7);
    expect(nextAbove(2 ** 40 + 7, 7)).toBe(2 ** 40 + 1031);
    expect(nextAbove(2 ** 40 + 9, 7)).toBe(2 ** 40 + 1031);
    expect(nextAbove(2 ** 40 + 1024 + 3, 7)).toBe(2 ** 40 + 1031);
  });
});

describe("while a workspace moves", () => {
  beforeAll(() => expect(breakOff("Copying")).rejects.toThrow("interrupted"));

  it("writes get 503 with Retry-After while reads continue, and another workspace is not affected", async () => {
    const refused = await write();
    expect([refused.status, refused.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(refused.body.error.message).toContain("moved to another cell");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await source.call("GET", "/contacts")).status).toBe(200);
    const mixed = Array.from({ length: 20 }, (_, index) => (index % 2 ? write(source.call, other.key) : write()));
    expect((await Promise.all(mixed)).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? 201 : 503)),
    );
  });

  it("the database itself refuses a write, also of a process that has not noticed", async () => {
    const insert = (workspace: number) =>
      source.database.query("insert into contacts (workspace_id, uuid) values ($1, gen_random_uuid())", [workspace]);
    await expect(insert(WORKSPACE)).rejects.toMatchObject({ code: "PM001" });
    await insert(other.id);
    await expect(source.database.query(`delete from messages where workspace_id = ${WORKSPACE}`)).rejects.toMatchObject(
      {
        code: "PM001",
      },
    );
  });

  it("a message of another workspace in the same batch is written, also by a node that has not noticed", async () => {
    await source.database.query(`begin;
      select set_config('parley.mover', 'on', true);
      update workspaces set move_state = null, moved_to_cell = null where id = ${WORKSPACE};
      update auth_revision set value = value + 1;
      update api_keys set revision = (select value from auth_revision) where workspace_id = ${WORKSPACE};
      commit`);
    const invalid = () => source.call("POST", "/contacts", { body: { name: 7 } });
    await until("the node admits writes again", async () => (await invalid()).status === 422);
    const theirs = await here.made("/conversations", {}, { key: other.key });
    const path = (id: number) => `/conversations/${id}/messages`;
    const body = { body: "at once" };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2
          ? source.call("POST", path(theirs.id), { key: other.key, body })
          : source.call("POST", path(conversation.id), { body }),
      ),
    );
    expect(new Set(replies.filter((_, index) => index % 2).map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.filter((_, index) => index % 2 === 0).map(({ status }) => status))).toEqual(new Set([503]));
  });

  it("a move that is cancelled lets the workspace stay where it is, without any trigger left", async () => {
    await cancelMove(options());
    await until("the node has noticed", async () => (await write()).status === 201);
    const triggers = await source.database.query("select tgname from pg_trigger where tgname like 'moving%'");
    expect(triggers).toEqual([]);
  });
});

describe("a workspace that moves", () => {
  // As retention leaves a day of logs between its detach and its drop: still counted, and no longer part of the log.
  beforeAll(async () => {
    const { query } = source.database;
    await query("select create_attempt_partition('2020-01-01')");
    await query(
      `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
         response_code, response_time_ms, attempt, detail, created_at)
       select workspace_id, id, 1, 1, uuid, 'contact.created', true, 200, 1, 1, '{}', '2020-01-01 12:00Z'
       from webhooks`,
    );
    await query("update delivery_lanes set attempts_total = attempts_total + 1");
    await query("alter table delivery_attempts detach partition delivery_attempts_20200101");
  });

  it("resumes where it was after a failure at any step, and copies every row", async () => {
    for (const step of ["Refusing", "Waiting", "Copying", "Copied"]) {
      await expect(breakOff(step), step).rejects.toThrow("interrupted");
      const there = await target.database.query("select from workspaces where id = $1", [WORKSPACE]);
      expect(there, step).toEqual([]);
    }
    before = await rowsOf(source);
    await expect(breakOff("Workspace 1 is in cell")).rejects.toThrow("interrupted");
    await expect(cancelMove(options())).rejects.toThrow("is in cell 7 already");
    const { cell, keyDigests } = await moveWorkspace(options());
    expect([cell, keyDigests.length]).toEqual([CELL, 1]);
    const after = await rowsOf(target);
    const people = await target.database.query<{ id: string }>(
      "select id from users where email = 'olive@example.com'",
    );
    for (const [name, rows] of Object.entries(before)) {
      if (FOLDED.has(name)) continue;
      expect(withoutCell(name, after[name] ?? []), name).toEqual(
        withoutCell(name, mapped(rows, Number(people[0]?.id))),
      );
    }
  });

  it("leaves a day of logs behind that retention is removing, and no total counts it", async () => {
    const [lanes] = await target.database.query<{ counted: string; logged: string }>(
      `select (select sum(attempts_total) from delivery_lanes where workspace_id = ${WORKSPACE}) as counted,
              (select count(*) from delivery_attempts where workspace_id = ${WORKSPACE}) as logged`,
    );
    expect(Number(lanes?.logged)).toBeGreaterThan(0);
    expect(lanes?.counted).toBe(lanes?.logged);
  });

  it("is known in the other cell by its keys, with its lists, counts, search, files and secrets", async () => {
    const key = source.key;
    expect((await target.call("GET", `/conversations/${conversation.id}`, { key })).body.data.subject).toBe("Lamp");
    const hits = (await there.got("/search?q=lighthouse", { key })).data;
    expect(hits).toHaveLength(1);
    expect((await there.got("/labels", { key })).data).toEqual([{ name: "vip", count: 1 }]);
    expect((await there.got("/conversations/counts", { key })).data.by_status.open).toBe(1);
    expect((await there.got("/contacts?per_page=1", { key })).meta.pagination.total).toBe(before.contacts?.length);
    const { data: messages } = await there.got(`/conversations/${conversation.id}/messages`, { key });
    const url = messages.flatMap(({ attachments }: Any) => attachments)[0].url;
    expect(await (await fetch(url)).text()).toBe("hello");
    const [webhook] = (await there.got("/webhooks", { key })).data;
    const secret = (await there.got(`/webhooks/${webhook.id}/secret`, { key })).data.secret;
    expect(secret).toMatch(/^whsec_/);
  });

  it("has later ids than before in its lists, and its event cursors stay valid", async () => {
    await moveWorkspace(options());
    const key = source.key;
    const made = await there.made("/contacts", { name: "After" }, { key });
    const [first] = (await there.got("/contacts?limit=1", { key })).data;
    expect(first.id).toBe(made.id);
    const { events } = await there.eventsAfter(cursor, { key });
    expect(events.at(-1)).toMatchObject({ type: "contact.created", data: { id: made.id } });
    const repeat = await target.call("POST", "/contacts", {
      key,
      body: { name: "twice" },
      headers: { "idempotency-key": "once" },
    });
    expect(repeat.body.data.id).toBeLessThan(made.id);
  });

  it("is opened there by its members, those who were unknown with their own password", async () => {
    for (const email of ["ben@example.com", "olive@example.com"]) {
      const browser = openBrowser(target);
      const reply = await browser.call("POST", "/sign-in", { email, password: PASSWORD });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.data.session.workspaces.map(({ id }: Any) => id)).toContain(WORKSPACE);
    }
  });

  it("leaves a cell that starts as before, whose bootstrap key then belongs to a workspace that is there", async () => {
    await moveWorkspace(options());
    const start = (parley: TestParley, settings: Record<string, string>) =>
      startParley(settings, parley.database, { deliver: false });
    const restarted = await start(source, {});
    expect(restarted.logs()).toContain("has moved to another cell: set another key");
    expect((await restarted.call("GET", "/me")).status).toBe(421);
    await restarted.close();
    const secret = "a-third-bootstrap-key-of-more-than-32-characters";
    for (const [parley, workspaceOfOperator] of [
      [source, other.id],
      [target, CELL_IDS_FROM + CELL],
    ] as const) {
      const node = await start(parley, { PARLEY_BOOTSTRAP_API_KEY: secret });
      const { body } = await node.call("GET", "/me", { key: secret });
      await node.close();
      expect(body.data.workspace.id).toBe(workspaceOfOperator);
    }
  });

  it("is listed in the cell that it left with where it is, and changes to it there say so", async () => {
    await moveWorkspace(options());
    const { stdout } = await parleyCommand(["workspaces", "list"], {
      DATABASE_URL: source.database.url,
      PARLEY_SECRET_KEY: SECRET,
    });
    expect(stdout).toMatch(/^1 +Shop .*moved to cell 7$/m);
    expect(stdout).toMatch(new RegExp(`^${other.id} .*here$`, "m"));
    const { store } = source.app;
    const moved = "has moved to cell 7.";
    await expect(renameWorkspace(store.db, WORKSPACE, "Another")).rejects.toThrow(moved);
    await expect(workspaceOf(store, { workspace: String(WORKSPACE) })).rejects.toThrow(moved);
  });

  it("receives 421 with the number of its cell from the one that it left, also after that was cleaned", async () => {
    const lost = async () => {
      const reply = await source.call("GET", "/me");
      expect([reply.status, reply.body.error?.code]).toEqual([421, "MISDIRECTED_REQUEST"]);
      expect(reply.headers.get("x-parley-cell")).toBe(String(CELL));
    };
    await until("the node has noticed", async () => (await source.call("GET", "/me")).status === 421);
    await lost();
    expect((await write()).status).toBe(421);
    expect((await owner.call("GET", "/session")).status).toBe(401);
    expect(await cleanMoved({ connectionString: source.database.url }, WORKSPACE)).toBeGreaterThan(20);
    const left = Object.entries(await rowsOf(source)).filter(([name, rows]) => rows.length > 0 && !COUNTED.has(name));
    expect(left.map(([name]) => name).sort()).toEqual(["api_key_digests", "api_keys", "workspaces"]);
    await lost();
    expect((await write(source.call, other.key)).status).toBe(201);
    await expect(cleanMoved({ connectionString: source.database.url }, other.id)).rejects.toThrow("has not moved");
  });
});

describe("a move whose commit is waiting in the other cell", () => {
  /** As if for a standby: what it has written cannot be seen yet. */
  const HELD = "'a commit that waits'";
  let holder: pg.Client;
  let workspace: { id: number; key: string };
  let mover: Promise<unknown>;
  const theirs = (waitMs: number) => ({ ...options(), workspaceId: workspace.id, waitMs });
  /** And waits for their end, with which their locks go. */
  const endConnections = (parley: TestParley) =>
    parley.database.query(
      `select pg_terminate_backend(pid, 10000)
       from pg_stat_activity
       where application_name = 'parley-move'
         and datname = current_database()`,
    );
  /** How many wait for an advisory lock in the other cell. */
  const waiting = async () =>
    (
      await target.database.query(
        `select
         from pg_locks lock
         join pg_stat_activity session on session.pid = lock.pid
         where lock.locktype = 'advisory'
           and not lock.granted
           and session.application_name = 'parley-move'
           and session.datname = current_database()`,
      )
    ).length;

  beforeAll(async () => {
    holder = new pg.Client({ connectionString: target.database.url });
    await holder.connect();
    await holder.query(`select pg_advisory_lock(hashtext(${HELD}))`);
    await target.database.query(`
      create function wait_at_commit() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext(${HELD}));
        return null;
      end $$;
      create constraint trigger wait_at_commit
      after insert on workspaces
      deferrable initially deferred
      for each row execute function wait_at_commit()`);
    workspace = await source.createWorkspace();
    mover = moveWorkspace(theirs(20_000)).catch((error: Error) => error);
    await until("the mover commits", async () => (await waiting()) === 1);
    await endConnections(source);
  });
  afterAll(async () => {
    await holder.end();
    await mover;
    await target.database.query("drop function if exists wait_at_commit cascade");
  });

  it("is not canceled before it is known whether the workspace arrived, so it never works in both cells", async () => {
    await expect(cancelMove(theirs(100))).rejects.toThrow("still busy with an earlier run");
    const writes = () => write(source.call, workspace.key);
    expect((await writes()).status).toBe(503);
    const canceled = cancelMove(theirs(20_000)).then(
      () => "canceled",
      (error: Error) => error.message,
    );
    await until("the cancellation waits for the commit", async () => (await waiting()) === 2);
    await holder.query(`select pg_advisory_unlock(hashtext(${HELD}))`);
    expect(await canceled).toContain("is in cell 7 already");
    expect((await writes()).status).toBe(503);
    await moveWorkspace(theirs(20_000));
    await until("the node has noticed", async () => (await writes()).status === 421);
    expect((await write(target.call, workspace.key)).status).toBe(201);
  });

  it("copies nothing if its mover lost the source while it waited for the other cell", async () => {
    const late = await source.createWorkspace();
    await holder.query("select pg_advisory_lock(hashtextextended('parley.move', $1))", [late.id]);
    const moved = moveWorkspace({ ...options(), workspaceId: late.id }).catch((error: Error) => error);
    await until("the mover waits", async () => (await waiting()) === 1);
    await endConnectionThatHolds(source, late.id);
    await holder.query("select pg_advisory_unlock(hashtextextended('parley.move', $1))", [late.id]);
    expect(await moved).toBeInstanceOf(Error);
    await cancelMove({ ...options(), workspaceId: late.id });
    expect(await target.database.query("select from workspaces where id = $1", [late.id])).toEqual([]);
    await until("the node has noticed", async () => (await write(source.call, late.key)).status === 201);
  });
});

/** Only the connection with the lock of the move: the one that copies stays. */
async function endConnectionThatHolds(parley: TestParley, workspaceId: number): Promise<void> {
  const ended = await parley.database.query(
    `select pg_terminate_backend(lock.pid, 10000)
     from pg_locks lock
     join pg_database database on database.oid = lock.database
     where lock.locktype = 'advisory'
       and database.datname = current_database()
       and (lock.classid::bigint << 32) + lock.objid::bigint = hashtextextended('parley.move', $1)`,
    [workspaceId],
  );
  expect(ended).toHaveLength(1);
}

/** The old cell keeps counting the requests that it refuses, and writes the counts every few seconds. */
const COUNTED = new Set(["api_key_last_used", "api_key_usage"]);

/** What differs between the cells on purpose. */
function withoutCell(name: string, rows: Any[]): string[] {
  return rows
    .filter(({ hour }) => name !== "api_key_usage" || hour < "2026-01-02")
    .map((row) => {
      const { revision: _, bootstrap: __, move_state: ___, moved_to_cell: ____, paused: _____, ...rest } = row;
      // Written with a delay, and for the requests of this test too.
      if (name === "api_key_last_used") delete rest.last_used_at;
      // Counted again from the log.
      if (name === "delivery_lanes") delete rest.attempts_total;
      return JSON.stringify(rest);
    })
    .sort();
}

/** The person who has another id in the other cell. */
function mapped(rows: Any[], olive: number): Any[] {
  const people = ["user_id", "invited_by", "assignee_id", "author_id"];
  const kinds = {
    sender_id: "sender_type",
    actor_id: "actor_type",
    caller_id: "caller_type",
    creator_id: "creator_type",
  };
  return rows.map((row) => {
    const copy = { ...row };
    for (const column of people) if (copy[column] === 1 && copy.author_type !== "api_key") copy[column] = olive;
    for (const [column, kind] of Object.entries(kinds))
      if (copy[column] === 1 && copy[kind] === "user") copy[column] = olive;
    if (copy.resource_id === 1 && ["user", "member"].includes(copy.resource_type)) copy.resource_id = olive;
    if (Array.isArray(copy.mentions)) copy.mentions = copy.mentions.map((id: number) => (id === 1 ? olive : id));
    return copy;
  });
}

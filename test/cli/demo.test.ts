import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileLimitsOf } from "../../src/app/settings.ts";
import { createKey } from "../../src/auth/keys.ts";
import { operatorCaller } from "../../src/auth/operator.ts";
import { readConfig } from "../../src/config/index.ts";
import { createDemo, type Demo, type DemoOptions, removeDemo } from "../../src/demo/demo.ts";
import { runLive } from "../../src/demo/live.ts";
import { redirectWebhooks, startDemoReceiver } from "../../src/demo/receiver.ts";
import { createFileLinks } from "../../src/files/links.ts";
import { keyOptionsOf } from "../../src/store.ts";
import { parleyCommand } from "../support/cli.ts";
import type { Any } from "../support/conversations.ts";
import { startMailParley } from "../support/mail-parley.ts";
import type { MailServer } from "../support/mail-server.ts";
import type { TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

const DAY_MS = 86_400_000;

let parley: TestParley;
let mail: MailServer;
let before: Record<string, number>;
let demo: Demo;
beforeAll(async () => {
  ({ parley, mail } = await startMailParley());
  const { db, secretBox } = parley.app.store;
  before = await rowsByTable(0);
  demo = await createDemo(optionsOf(), "small");
  function optionsOf() {
    return demoOptions({ db, secretBox });
  }
});
afterAll(async () => {
  await parley.close();
  await mail.close();
});

const demoOptions = (store: Pick<DemoOptions, "db" | "secretBox">): DemoOptions => ({
  ...store,
  keys: keyOptionsOf(readConfig({})),
  links: createFileLinks(store.secretBox, () => parley.url),
  fileLimits: fileLimitsOf(readConfig({})),
  hashPassword: async () => "no password",
});

const rows = (text: string, values: unknown[] = [demo.workspace.id]): Promise<Any[]> =>
  parley.database.query<Any>(text, values);
const one = async (text: string): Promise<Any> => (await rows(text))[0];

/** Leaves out what every running server writes about itself. */
const OWN_TABLES = ["workers", "nodes", "schema_migrations"];

/** Rows of the demo's workspace where a table knows workspaces, all rows where it does not. */
async function rowsByTable(workspaceId: number): Promise<Record<string, number>> {
  const tables = await parley.database.query<Any>(
    `select c.relname as name, a.attname is not null as tenant
     from pg_class c
     left join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
  );
  const counts: Record<string, number> = {};
  for (const { name, tenant } of tables) {
    if (OWN_TABLES.includes(name)) continue;
    const where = tenant ? `where workspace_id = ${workspaceId}` : "";
    const [row] = await parley.database.query<Any>(`select count(*) as rows from ${name} ${where}`);
    counts[name] = Number(row.rows);
  }
  return counts;
}

describe("the demo", () => {
  it("has conversations of two months in every state, with contacts, labels, suggestions and saved replies", async () => {
    const { oldest, newest, conversations } = await one(
      "select min(created_at) as oldest, max(created_at) as newest, count(*) as conversations from conversations where workspace_id = $1",
    );
    expect(Number(conversations)).toBe(60);
    expect(Date.now() - Date.parse(oldest)).toBeGreaterThan(40 * DAY_MS);
    expect(Date.now() - Date.parse(newest)).toBeLessThan(2 * DAY_MS);
    const statuses = await rows("select distinct status from conversations where workspace_id = $1 order by status");
    expect(statuses.map(({ status }) => status)).toEqual(["open", "pending", "resolved", "snoozed"]);
    const counts = await one(`select
      (select count(*) from contacts where workspace_id = $1) as contacts,
      (select count(*) from messages where workspace_id = $1) as messages,
      (select count(*) from drafts where workspace_id = $1 and author_type = 'bot') as suggestions,
      (select count(*) from saved_replies where workspace_id = $1) as replies,
      (select count(*) from conversations where workspace_id = $1 and waiting_since is not null and status = 'open') as waiting,
      (select count(distinct label) from conversations, unnest(labels) label where workspace_id = $1) as labels`);
    const strangers = await one(`select count(*) as strangers
      from memberships m
      join users u on u.id = m.user_id
      where m.workspace_id = $1 and (u.last_seen_at is null or u.last_seen_at < now() - interval '1 day')`);
    expect(Number(strangers.strangers)).toBe(0);
    // Some of them have written before.
    expect(Number(counts.contacts)).toBeGreaterThan(40);
    expect(Number(counts.contacts)).toBeLessThan(60);
    expect(Number(counts.messages)).toBeGreaterThan(150);
    for (const name of ["suggestions", "replies", "waiting", "labels"])
      expect(Number(counts[name]), name).toBeGreaterThan(0);
  });

  it("keeps every time in order: messages within their conversation, events with their records", async () => {
    const wrong = await one(`select
      (select count(*) from messages m join messages next using (workspace_id, conversation_id)
       where m.workspace_id = $1 and next.seq = m.seq + 1 and next.created_at < m.created_at) as order,
      (select count(*) from conversations c where c.workspace_id = $1 and c.last_message_at is distinct from (
        select max(created_at) from messages m where m.workspace_id = $1 and m.conversation_id = c.id)) as last,
      (select count(*) from messages where workspace_id = $1 and created_at > now()) as future,
      (select count(*) from events e where e.workspace_id = $1 and e.type = 'message.created'
        and abs(extract(epoch from (e.payload::json ->> 'timestamp')::timestamptz - e.created_at)) > 1) as events,
      (select count(*) from events e where e.workspace_id = $1 and e.type = 'message.created'
        and (e.payload::json -> 'data' ->> 'created_at') <> (e.payload::json ->> 'timestamp')) as data,
      (select count(*) from conversations c where c.workspace_id = $1 and abs(c.first_response_seconds - (
        select extract(epoch from min(m.created_at) - c.created_at) from messages m where m.workspace_id = $1
          and m.conversation_id = c.id and m.direction = 'out' and not m.private)) > 2) as responses`);
    expect(wrong).toEqual({ order: "0", last: "0", future: "0", events: "0", data: "0", responses: "0" });
    const { counted, written } = await one(`select sum(amount)::int as counted,
        (select count(*)::int from messages where workspace_id = $1) as written
      from (select * from conversation_stats union all select * from conversation_stat_deltas) counted
      where workspace_id = $1 and kind <> 'first_response'
        and hour < date_trunc('hour', now() - interval '1 hour', 'UTC')`);
    expect(counted).toBeGreaterThan(written / 2);
  });

  it("writes what happened in the order in which it happened, after the workspace was set up", async () => {
    const wrong = await one(`select
      (select count(*) from (
         select created_at < lag(created_at) over (order by id) as back from events
         where workspace_id = $1 and type not like 'api_key.%') e where back) as events,
      (select count(*) from (
         select created_at < lag(created_at) over (partition by webhook_id order by id) as back from delivery_attempts
         where workspace_id = $1) a where back) as attempts,
      (select count(*) from (
         select created_at from api_keys where workspace_id = $1
         union all select created_at from memberships where workspace_id = $1
         union all select created_at from webhooks where workspace_id = $1
         union all select created_at from audit_logs where workspace_id = $1
         union all select created_at from events where workspace_id = $1 and type like 'api_key.%') early
       where created_at > (select min(created_at) from conversations where workspace_id = $1)) as late`);
    expect(wrong).toEqual({ events: "0", attempts: "0", late: "0" });
    const usage = await one(`select count(*)::int as hours, min(requests)::int as least
      from api_key_usage where workspace_id = $1`);
    expect(usage.hours).toBeGreaterThan(24 * 60);
    expect(usage.least).toBeGreaterThanOrEqual(0);
  });

  it("has a healthy webhook, one that recovered and one that fails, with logs of days and nothing queued", async () => {
    const logged = await rows(`select w.name, count(*) filter (where a.delivered) as delivered,
        count(*) filter (where not a.delivered) as failed,
        max(a.created_at) - min(a.created_at) > interval '3 days' as spread,
        (select failing_since is not null from delivery_lanes l where l.workspace_id = $1 and l.webhook_id = w.id) as failing
      from webhooks w join delivery_attempts a on a.workspace_id = w.workspace_id and a.webhook_id = w.id
      where w.workspace_id = $1
      group by w.id, w.name order by w.id`);
    expect(logged.map(({ name, failing }) => [name, failing])).toEqual([
      ["CRM sync", false],
      ["Data warehouse", false],
      ["Old chat bot", true],
    ]);
    expect(logged.every(({ spread }) => spread)).toBe(true);
    expect(Number(logged[2].failed)).toBeGreaterThan(Number(logged[0].failed));
    expect((await one("select count(*) from deliveries where workspace_id = $1")).count).toBe("0");
    const stats = await one(`select sum(attempts)::int as attempts,
        (select count(*)::int from delivery_attempts where workspace_id = $1) as logged
      from (select attempts from delivery_stats where workspace_id = $1
        union all select attempts from delivery_stat_deltas where workspace_id = $1) counted`);
    expect(stats.attempts).toBe(stats.logged);
    // An event counts once, with its last attempt; those that failed can be recovered.
    const ended = await one(`select sum(ended)::int as counted,
        (select count(distinct (webhook_id, event_id))::int from delivery_attempts where workspace_id = $1) as deliveries,
        (select count(*)::int from dead_letters where workspace_id = $1) as "deadLetters",
        (select count(distinct (webhook_id, event_id))::int from delivery_attempts a where workspace_id = $1
          and not exists (select from delivery_attempts d where d.workspace_id = $1 and d.webhook_id = a.webhook_id
            and d.event_id = a.event_id and d.delivered)) as undelivered
      from (select ended from delivery_stats where workspace_id = $1
        union all select ended from delivery_stat_deltas where workspace_id = $1) counted`);
    expect(ended.counted).toBe(ended.deliveries);
    expect(ended.deadLetters).toBe(ended.undelivered);
  });

  it("has conversations by mail, in which everything was sent long ago", async () => {
    const found = await one(`select count(distinct conversation_id)::int as conversations,
        count(*) filter (where direction = 'in')::int as "in",
        count(*) filter (where direction = 'out')::int as out,
        count(*) filter (where direction = 'out' and delivery ->> 'state' = 'sent')::int as sent,
        count(quoted)::int as quoted,
        count(*) filter (where abs(extract(epoch from (email ->> 'date')::timestamptz - created_at)) > 2)::int as late
      from messages
      where workspace_id = $1 and email is not null`);
    expect(found.conversations).toBeGreaterThan(10);
    expect(found.in).toBeGreaterThan(found.conversations);
    expect(found.quoted).toBeGreaterThan(0);
    expect([found.sent, found.late]).toEqual([found.out, 0]);
    const strangers = await one(`select
      (select count(*)::int from outgoing_mails where workspace_id = $1 and next_attempt_at is not null) as waiting,
      (select count(*)::int from outgoing_mails where workspace_id = $1 and created_at > now() - interval '1 minute') as recent,
      (select count(*)::int from messages where workspace_id = $1
        and (email ->> 'outside_sender' = 'true' or email ->> 'automatic' = 'true' or email ->> 'parse_error' is not null)) as marked`);
    expect(strangers).toEqual({ waiting: 0, recent: 0, marked: 0 });
  });

  it("sends replies without a mail server, and nothing over that of the installation", async () => {
    const { key } = await parley.app.store.db.transaction((tx) =>
      createKey(tx, keyOptionsOf(readConfig({})), operatorCaller(demo.workspace.id), { name: "tester" }),
    );
    const [{ id }] = await rows(
      "select max(conversation_id)::int as id from messages where workspace_id = $1 and email is not null",
    );
    const body = { body: "It is on its way.", email: { cc: [{ address: "a.real.person@example.com" }] } };
    const replied = await parley.call("POST", `/conversations/${id}/messages`, { key, body });
    expect(replied.status, replied.text).toBe(201);
    const path = `/conversations/${id}/messages/${replied.body.data.id}`;
    const delivery = async () => (await parley.call("GET", path, { key })).body.data.delivery;
    await until("the reply is sent", async () => (await delivery()).state === "sent");
    expect((await delivery()).recipients.map(({ state }: Any) => state)).toEqual(["sent", "sent"]);
    const [box] = (await parley.call("GET", "/mailboxes", { key })).body.data;
    expect(box).toMatchObject({ name: "Demo (nothing is sent)", outbound: null, status: { state: "ok" } });
    const checked = await parley.call("POST", `/mailboxes/${box.id}/check`, { key });
    expect(checked.body.data.outbound).toMatchObject({ ok: true, error: null });
    expect(mail.mails).toEqual([]);
  });

  it("delivers the messages of --live to its own receiver, where one webhook succeeds and one fails", async () => {
    const { secretBox } = parley.app.store;
    const stop = new AbortController();
    const receiver = await startDemoReceiver();
    const webhooks = { ...demo.writer, secretBox };
    await redirectWebhooks(webhooks, receiver.url);
    const live = runLive(demo.writer, { signal: stop.signal, pauseMs: 20, report: () => {} });
    await until("one webhook has succeeded and one has failed at the receiver", async () => {
      const codes = await rows(
        `select distinct w.name, a.response_code from delivery_attempts a join webhooks w using (workspace_id)
         where a.workspace_id = $1 and a.webhook_id = w.id and a.detail::text like '%' || $2 || '%'`,
        [demo.workspace.id, new URL(receiver.url).host],
      );
      const seen = codes.map(({ name, response_code }) => `${name} ${response_code}`);
      return seen.includes("CRM sync 200") && seen.includes("Old chat bot 503");
    });
    stop.abort();
    await live;
    await redirectWebhooks(webhooks, null);
    await receiver.close();
    const urls = await rows("select distinct url from webhooks where workspace_id = $1");
    expect(urls.every(({ url }) => new URL(url).hostname.endsWith(".example"))).toBe(true);
  });

  it("can exist once, and is removed without a trace while the server runs", async () => {
    const { db, secretBox } = parley.app.store;
    await expect(createDemo(demoOptions({ db, secretBox }), "small")).rejects.toThrow(/already/);
    await removeDemo(db);
    expect(await rowsByTable(demo.workspace.id)).toEqual(before);
    await expect(removeDemo(db)).rejects.toThrow(/does not exist/);
  });
});

describe("parley demo before the first start of a server", () => {
  it("sets up the installation that the server then serves, and --remove sets up none", async () => {
    const directory = mkdtempSync(join(tmpdir(), "parley-demo-"));
    // As root the database runs under another user, who needs access.
    chmodSync(directory, 0o755);
    const settings = { PARLEY_DATA_DIR: join(directory, "data") };
    try {
      const refused = await parleyCommand(["demo", "--remove"], settings);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no installation") });
      const created = await parleyCommand(["demo", "--json"], settings);
      expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining("Creating the database in ") });
      expect(JSON.parse(created.stdout)).toMatchObject({ conversations: 60, email: "mara@fernweh.example" });
      expect(JSON.parse(created.stdout).shop_url).toMatch(/\/demo\/shop$/);
      const second = await parleyCommand(["demo"], settings);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("There is a demo already") });
      expect(second.stderr).not.toContain("Writing");
      for (const help of ["users reset-password mara@fernweh.example", "demo --remove"]) {
        expect(second.stderr).toContain(` node bin/parley.mjs ${help}.`);
        expect(await parleyCommand([...help.split(" "), "--json"], settings)).toMatchObject({ code: 0 });
      }
      expect(await parleyCommand(["demo", "--json"], settings)).toMatchObject({ code: 0 });
      const listed = await parleyCommand(["workspaces", "list", "--json"], settings);
      expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 1 }, { name: "Fernweh (demo)", is_demo: true }]);
      const key = await parleyCommand(["keys", "create", "--name", "first", "--json"], settings);
      expect(key, "the demo is not taken for a second workspace").toMatchObject({ code: 0 });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

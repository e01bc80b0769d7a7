import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckOptions, runChecks } from "../../src/alerts/checks.ts";
import { enqueue } from "../../src/alerts/queue.ts";
import { newestBackupAt, prepareBackupDirectory, startBackupSchedule } from "../../src/backup/schedule.ts";
import { createLogger } from "../../src/core/logger.ts";
import { sql } from "../../src/db/database.ts";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { mailSettings, PUBLIC_URL, startMailParley, startTestMailServer } from "../support/mail-parley.ts";
import { type MailServer, NOT_LEASED, RETRY_NOW } from "../support/mail-server.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, respondWith, startReceiver } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

const OLIVE = "olive@example.com";
const ADAM = "adam@example.com";
/** No consumer is looked at. */
const consumers = { find: async () => ({ late: [], onTime: [], complete: false }) };
const SENDS = { sendsMail: true, publicUrl: PUBLIC_URL, consumers };

let parley: TestParley;
let second: TestParley;
let mail: MailServer;
let chat: Receiver;
let owner: Browser;
let workspaceId: number;
beforeAll(async () => {
  [{ parley, mail }, chat] = await Promise.all([startMailParley(), startReceiver()]);
  owner = await setUp(parley, {}, PUBLIC_URL);
  workspaceId = (await parley.call("GET", "/me")).body.data.workspace.id;
  second = await startParley(mailSettings(mail.port), parley.database);
  await parley.database.query(
    `with person as (
       insert into users (uuid, email, name, password_hash)
       values (gen_random_uuid(), '${ADAM}', 'Adam', 'x'), (gen_random_uuid(), 'agnes@example.com', 'Agnes', 'x')
       returning id, email)
     insert into memberships (workspace_id, user_id, role)
     select (select min(id) from workspaces), id, case email when '${ADAM}' then 'admin' else 'agent' end from person`,
  );
});
afterAll(async () => {
  await second.close();
  await parley.close();
  await Promise.all([mail.close(), chat.close()]);
});
beforeEach(() => {
  mail.mails.length = 0;
  chat.arrivals.length = 0;
});

const query = <T extends object>(text: string, values: unknown[] = []) => parley.database.query<T>(text, values);
const settings = (body?: object) => owner.call(body ? "PATCH" : "GET", "/alert-settings", body);
const nothingQueued = () =>
  until("the queue is empty", async () => (await query("select 1 from notifications")).length === 0);
const subjects = (address: string) => mail.to(address).map((one) => one.header("Subject"));

/** Both nodes look at the same moment, more than once; returns the subjects that reached the owner. */
async function check(): Promise<string[]> {
  const nodes = [parley, second, parley, second];
  await Promise.all(nodes.map(({ app }) => app.alerts.check()));
  await nothingQueued();
  return subjects(OLIVE);
}

async function createWebhook(name: string, path: string, fields: object = {}): Promise<number> {
  const body = { name, url: chat.url(path), events: ["contact.created"], ...fields };
  const reply = await parley.call("POST", "/webhooks", { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}
const failingFor = (id: number, interval: string) =>
  query(`update delivery_lanes set failing_since = now() - interval '${interval}' where webhook_id = $1`, [id]);

describe("the settings of alerts", () => {
  it("reach owners and admins by e-mail unless they choose otherwise, and never show the URL of a chat", async () => {
    const defaults = { email_available: true, email_enabled: true, slack_host: null };
    expect((await settings()).body.data).toEqual(defaults);
    const url = chat.url("/services/T0/B0/hush-hush");
    const host = new URL(url).host;
    const saved = await settings({ slack_url: url, email_enabled: false });
    expect(saved.body.data).toEqual({ ...defaults, email_enabled: false, slack_host: host });
    const audit = await owner.call("GET", "//api/v1/audit-logs?action=workspace.alert_settings_changed");
    expect(audit.body.data[0].changes).toEqual({
      email_enabled: { from: true, to: false },
      slack_host: { from: null, to: host },
    });
    const stored = await query("select * from alert_settings");
    for (const text of [saved.text, audit.text, JSON.stringify(stored), parley.logs()])
      expect(text).not.toContain("hush-hush");
    expect((await settings({ slack_url: "", email_enabled: true })).body.data).toEqual(defaults);
  });

  it("refuse a chat at a private address, and whatever is not a URL", async () => {
    for (const slack_url of ["http://10.0.0.1/hook", "http://169.254.169.254/latest", "ftp://example.com", "no url"]) {
      const reply = await settings({ slack_url });
      expect(reply.status, slack_url).toBe(422);
      expect(reply.body.error.details.slack_url).toHaveLength(1);
    }
  });

  it("are tried out by a test message to oneself and to the chat, which says why one was not sent", async () => {
    const test = (channel: string) => owner.call("POST", "/alert-settings/test", { channel });
    expect((await test("slack")).body.data).toEqual({ sent: false, error: "No chat is set." });
    await settings({ slack_url: chat.url("/chat") });
    expect((await test("slack")).body.data).toEqual({ sent: true, error: null });
    expect(chat.at("/chat").map(({ event }) => event)).toEqual([
      { text: expect.stringContaining("A test from Parley") },
    ]);
    chat.behave(respondWith(404, {}, "no_service"), "/chat");
    expect((await test("slack")).body.data).toEqual({ sent: false, error: "HTTP 404" });
    chat.behave(respondWith(200), "/chat");
    expect((await test("email")).body.data).toEqual({ sent: true, error: null });
    expect(mail.mails.map(({ to }) => to)).toEqual([[OLIVE]]);
    expect((await test("pigeon")).status).toBe(422);
  });
});

describe("a webhook that fails", () => {
  beforeAll(() => settings({ slack_url: chat.url("/chat") }));

  it("is reported after an hour and after a day, once each, to owners, admins and the chat", async () => {
    const id = await createWebhook("Billing", "/billing");
    await failingFor(id, "59 minutes");
    expect(await check()).toEqual([]);
    await failingFor(id, "61 minutes");
    const hour = '[Default] Webhook "Billing" has been failing for an hour';
    expect(await check()).toEqual([hour]);
    expect(await check()).toEqual([hour]);
    expect(subjects(ADAM)).toEqual([hour]);
    expect(mail.mails).toHaveLength(2);
    expect(chat.at("/chat").map(({ event }) => event.text)).toEqual([expect.stringContaining(`*${hour}*`)]);
    expect(mail.mails[0]?.text).toContain(`${PUBLIC_URL}/w/${workspaceId}/settings/webhooks/${id}`);
    await failingFor(id, "25 hours");
    expect(await check()).toEqual([hour, '[Default] Webhook "Billing" has been failing for 24 hours']);
    await parley.call("DELETE", `/webhooks/${id}`);
    expect(await check()).toHaveLength(2);
  });

  it("is reported when it delivers again, and not when only its URL was changed", async () => {
    const [works, moved] = [await createWebhook("Works", "/works"), await createWebhook("Moved", "/moved")];
    for (const id of [works, moved]) await failingFor(id, "2 hours");
    expect(await check()).toEqual(["[Default] 2 webhooks have been failing for an hour"]);
    await parley.call("PATCH", `/webhooks/${moved}`, {
      body: { url: chat.url("/elsewhere"), events: ["contact.deleted"] },
    });
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    await until("it delivers", async () =>
      (await query("select 1 from delivery_lanes where webhook_id = $1 and failing_since is null", [works])).at(0),
    );
    expect((await check()).slice(1)).toEqual(['[Default] Webhook "Works" is delivering again']);
    for (const id of [works, moved]) await parley.call("DELETE", `/webhooks/${id}`);
  });

  it("is reported when Parley disables it, and not when a person does", async () => {
    chat.behave(respondWith(410), "/gone");
    const gone = await createWebhook("Gone", "/gone");
    const paused = await createWebhook("Paused", "/paused");
    await parley.call("POST", `/webhooks/${paused}/disable`);
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    await until("it is disabled", async () => !(await parley.call("GET", `/webhooks/${gone}`)).body.data.is_active);
    const disabled = '[Default] Webhook "Gone" was disabled';
    expect(await check()).toEqual([disabled]);
    expect(mail.mails[0]?.text).toContain("410 Gone");
    await parley.call("POST", `/webhooks/${gone}/enable`);
    expect(await check()).toEqual([disabled]);
    for (const id of [gone, paused]) await parley.call("DELETE", `/webhooks/${id}`);
  });

  it("adds neither headers to an e-mail nor markup to a chat by its name", async () => {
    const id = await createWebhook("Named", "/named");
    // A name like this one is refused today; an older version stored it.
    await query("update webhooks set name = $2 where id = $1", [id, "<!channel> *x* & co\nBcc: eve@example.com"]);
    await failingFor(id, "2 hours");
    await check();
    expect(mail.mails).toHaveLength(2);
    for (const one of mail.mails) expect(one.raw).not.toMatch(/^Bcc:/im);
    const [{ text }] = chat.at("/chat").map(({ event }) => event) as [{ text: string }];
    expect(text).toContain("&lt;!channel&gt;");
    expect(text).not.toMatch(/<!|^Bcc/m);
    await parley.call("DELETE", `/webhooks/${id}`);
  });

  it("is not reported by e-mail where that is off, in a demo, or in a workspace that moved elsewhere", async () => {
    const id = await createWebhook("Quiet", "/quiet");
    await failingFor(id, "2 hours");
    await settings({ email_enabled: false });
    expect(await check()).toEqual([]);
    expect(chat.at("/chat")).toHaveLength(1);
    await settings({ email_enabled: true });
    await failingFor(id, "25 hours");
    await query("update workspaces set is_demo = true where id = $1", [workspaceId]);
    expect(await check()).toEqual([]);
    await query("delete from alert_states");
    await query("update workspaces set is_demo = false, move_state = 'moved', moved_to_cell = 1 where id = $1", [
      workspaceId,
    ]);
    expect(await check()).toEqual([]);
    await query("update workspaces set move_state = null, moved_to_cell = null where id = $1", [workspaceId]);
    expect(chat.at("/chat")).toHaveLength(1);
    await parley.call("DELETE", `/webhooks/${id}`);
  });
});

describe("other alerts", () => {
  it("are about keys that expire within a week and a day, not about short-lived or extended ones", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const key = await parley.createKey({ name: "Export", expires_at: inDays(30) });
    await parley.createKey({ name: "For an hour", expires_at: inDays(0.04) });
    const expiresIn = (interval: string) =>
      query(
        `update api_keys set created_at = now() - interval '60 days', expires_at = now() + interval '${interval}' where id = $1`,
        [key.id],
      );
    expect(await check()).toEqual([]);
    await expiresIn("6 days");
    const week = '[Default] API key "Export" expires within 7 days';
    const day = '[Default] API key "Export" expires within a day';
    await check();
    expect(await check()).toEqual([week]);
    await expiresIn("23 hours");
    await check();
    expect(await check()).toEqual([week, day]);
    await expiresIn("90 days");
    expect(await check()).toEqual([week, day]);
  });

  it("are about deliveries that stay late although their destination works, until they are on time again", async () => {
    const held: ServerResponse[] = [];
    chat.behave((response) => void held.push(response), "/hangs");
    const id = await createWebhook("Hangs", "/hangs", { timeout_seconds: 60 });
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    await chat.waitFor(1, "/hangs");
    await query("update deliveries set next_attempt_at = now() - interval '20 minutes' where webhook_id = $1", [id]);
    expect(await check()).toEqual([]);
    await query("update alert_states set since = now() - interval '6 minutes' where kind = 'backlog'");
    await check();
    expect(await check()).toEqual(["[Default] Webhook deliveries are late"]);
    for (const response of held) response.end();
    await until("it is delivered", async () => (await query("select 1 from deliveries")).length === 0);
    await check();
    expect((await check()).slice(1)).toEqual(["[Default] Webhook deliveries are on time again"]);
    await parley.call("DELETE", `/webhooks/${id}`);
  });

  it("are about a consumer that has an event waiting for an hour, and say when it has caught up", async () => {
    for (const name of ["billing", "quiet"]) {
      const filter = name === "quiet" ? { data: { name: "nobody" } } : null;
      const body = { start: "now", types: ["contact.created"], filter };
      expect((await parley.call("PUT", `/consumers/${name}`, { body })).status).toBe(201);
    }
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    expect((await parley.call("GET", "/consumers/billing")).body.data.lag.events).toBe(1);
    expect(await check()).toEqual([]);
    // As if the hour had passed.
    const payload = `regexp_replace(payload, '"timestamp":"[^"]+"', '"timestamp":"2026-01-01T00:00:00+00:00"')`;
    await query(
      `update events set created_at = now() - interval '2 hours', payload = ${payload} where type = 'contact.created'`,
    );
    await check();
    expect(await check()).toEqual(['[Default] Consumer "billing" is behind']);
    expect(mail.to(OLIVE)[0]?.text).toContain(`${PUBLIC_URL}/w/${workspaceId}/settings/consumers/billing`);
    const page = await parley.call("GET", "/consumers/billing/events");
    await parley.call("POST", "/consumers/billing/ack", { body: { cursor: page.body.meta.next_cursor } });
    await check();
    expect((await check()).slice(1)).toEqual(['[Default] Consumer "billing" has caught up']);
  });

  it("are about a mailbox that has failed for 15 minutes, and about its end unless it is paused", async () => {
    const outbound = { host: "127.0.0.1", port: 25, security: "none" };
    const created = await parley.call("POST", "/mailboxes", {
      body: { name: "Support", address: "support@mail.example", inbound: { type: "http" }, outbound },
    });
    expect(created.status, created.text).toBe(201);
    const { id } = created.body.data;
    const failFor = (interval: string | null) =>
      query(
        `update mailbox_states
         set sending_error = case when $2::text is null then null else 'The password is wrong.' end,
           sending_failing_since = now() - $2::interval
         where mailbox_id = $1`,
        [id, interval],
      );
    await failFor("14 minutes");
    expect(await check()).toEqual([]);
    await failFor("16 minutes");
    expect(await check()).toEqual(['[Default] Mailbox "Support" has been failing for 15 minutes']);
    expect(mail.mails.at(-1)?.text).toContain("The password is wrong.");
    expect(mail.mails.at(-1)?.text).toContain(`/settings/mailboxes/${id}`);
    mail.mails.length = 0;
    await failFor(null);
    expect(await check()).toEqual(['[Default] Mailbox "Support" works again']);
    mail.mails.length = 0;
    await failFor("16 minutes");
    await check();
    mail.mails.length = 0;
    await parley.call("POST", `/mailboxes/${id}/pause`);
    expect(await check()).toEqual([]);
    await parley.call("DELETE", `/mailboxes/${id}`);
  });

  it("are about a backup that is overdue, once, and about the next one that is written", async () => {
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const logger = createLogger("silent");
    const connection = { connectionString: parley.database.url };
    const newestAt = (): Promise<Date | null> => newestBackupAt(directory);
    const look = async (): Promise<string[]> => {
      const { db, secretBox } = parley.app.store;
      const sends = { ...SENDS, disabledReasons: [], backlogMinutes: 15 };
      const backups = { everyHours: 24, newestAt, uptimeMs: () => 3_600_000 };
      await runChecks({ db, secretBox, logger, ...sends, backups }, 0);
      return check();
    };
    const overdue = "[Default] The scheduled backup is overdue";

    rmSync(directory, { recursive: true });
    await look();
    expect(await look(), "its disk is not mounted").toEqual([overdue]);
    expect(subjects(ADAM)).toEqual([overdue]);
    expect(mail.to(OLIVE)[0]?.text).toContain("Their directory cannot be read (ENOENT)");
    await prepareBackupDirectory(directory);
    expect(await look(), "it is empty").toEqual([overdue]);

    const schedule = startBackupSchedule({ directory, everyHours: 24, keep: 2, connection, logger });
    await until("a backup was written", async () => (await newestAt()) !== null);
    await schedule.close();
    await look();
    expect(await look()).toEqual([overdue, "[Default] A scheduled backup was written again"]);

    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    for (const name of readdirSync(directory)) utimesSync(join(directory, name), twoDaysAgo, twoDaysAgo);
    expect((await look()).slice(2)).toEqual([overdue]);
    const day = twoDaysAgo.toLocaleDateString("en-US", { timeZone: "UTC", dateStyle: "medium" });
    expect(mail.to(OLIVE)[2]?.text).toContain(`The newest was written at ${day}, `);
    rmSync(directory, { recursive: true });
  });

  it("go to a person who signs in with a new browser, and to nobody else", async () => {
    const signIn = (browser: Browser) => browser.call("POST", "/sign-in", { email: OLIVE, password: PASSWORD });
    const browser = openBrowser(parley, null, PUBLIC_URL);
    expect((await signIn(browser)).status).toBe(200);
    await mail.waitFor(1);
    expect((await signIn(browser)).status).toBe(200);
    await nothingQueued();
    expect(mail.mails.map(({ to, header }) => [to, header("Subject")])).toEqual([
      [[OLIVE], "A new device signed in to your Parley account"],
    ]);
    expect(mail.mails[0]?.text).toContain("Address: 127.0.0.1");
  });
});

describe("after the clock was set back", () => {
  const checkOptions = (backups: CheckOptions["backups"] = null): CheckOptions => {
    const { db, secretBox } = parley.app.store;
    const sends = { ...SENDS, disabledReasons: [], backlogMinutes: 15 };
    return { db, secretBox, logger: createLogger("silent"), ...sends, backups };
  };

  it("the next check is due although the last one has a time in the future", async () => {
    const id = await createWebhook("Set back", "/set-back");
    await failingFor(id, "2 hours");
    await query("update alert_checks set checked_at = now() + interval '1 hour'");
    await runChecks(checkOptions());
    expect(await query("select 1 from alert_checks where checked_at > now()")).toEqual([]);
    await nothingQueued();
    expect(subjects(OLIVE)).toEqual(['[Default] Webhook "Set back" has been failing for an hour']);
    await parley.call("DELETE", `/webhooks/${id}`);
    await check();
  });

  it("deliveries that were noticed as late before are reported", async () => {
    const held: ServerResponse[] = [];
    chat.behave((response) => void held.push(response), "/late");
    const id = await createWebhook("Late", "/late", { timeout_seconds: 60 });
    await parley.call("POST", "/contacts", { body: { name: "a" } });
    await chat.waitFor(1, "/late");
    await query("update deliveries set next_attempt_at = now() - interval '20 minutes' where webhook_id = $1", [id]);
    expect(await check()).toEqual([]);
    await query("update alert_states set since = now() + interval '1 hour' where kind = 'backlog'");
    expect(await check()).toEqual(["[Default] Webhook deliveries are late"]);
    for (const response of held) response.end();
    await parley.call("DELETE", `/webhooks/${id}`);
    await check();
  });

  it("a backup with a time in the future does not count", async () => {
    const directory = mkdtempSync(join(tmpdir(), "parley-backups-"));
    const file = join(directory, "parley-20260101T000000Z.backup");
    const backups = { everyHours: 24, newestAt: () => newestBackupAt(directory), uptimeMs: () => 3_600_000 };
    const look = async (aheadMs: number) => {
      const at = new Date(Date.now() + aheadMs);
      utimesSync(file, at, at);
      await runChecks(checkOptions(backups), 0);
      await nothingQueued();
      return subjects(OLIVE);
    };
    writeFileSync(file, "a backup");
    await look(0);
    mail.mails.length = 0;
    expect(await look(60_000), "as far as clocks of two machines differ").toEqual([]);
    const overdue = "[Default] The scheduled backup is overdue";
    expect(await look(3_600_000)).toEqual([overdue]);
    expect(await look(0)).toEqual([overdue, "[Default] A scheduled backup was written again"]);
    rmSync(directory, { recursive: true });
  });

  it("a message queued before is sent, and one that waits for its retry waits no longer than it would have", async () => {
    const { db, secretBox } = parley.app.store;
    const queue = (recipient: string, attempts: number) =>
      db.transaction(async (tx) => {
        const content = { subject: "Hello", text: "Hello" };
        const common = { workspaceId: null, kind: "test", content, hoursMax: 72 };
        await enqueue(tx, secretBox, { ...common, channel: "email", recipient });
        await tx.query(
          sql(
            "test_set_back",
            `update notifications
             set attempts = $2, next_attempt_at = now() + interval '1 day'
             where recipient = $1`,
          ),
          [recipient, attempts],
        );
      });
    await queue("tried@example.com", 4);
    await queue("new@example.com", 0);
    await until("the new one is sent", () => mail.to("new@example.com").length > 0);
    const [tried] = await query<{ seconds: number }>(
      `select extract(epoch from next_attempt_at - now())::float8 as seconds
       from notifications
       where recipient = 'tried@example.com'`,
    );
    expect(tried?.seconds).toBeGreaterThan(300);
    expect(tried?.seconds).toBeLessThanOrEqual(360);
    await query("delete from notifications where recipient = 'tried@example.com'");
  });
});

describe("messages that cannot be sent", () => {
  beforeAll(() => settings({ slack_url: chat.url("/chat") }));

  it("are retried by the chat that failed, and dropped for an address that is refused permanently", async () => {
    mail.refuse.set(ADAM, { responseCode: 550, message: "No such person" });
    chat.behave(respondWith(500), "/chat");
    const id = await createWebhook("Once more", "/once-more");
    await failingFor(id, "2 hours");
    await parley.app.alerts.check();
    await until(
      "the chat has failed",
      async () => (await query("select 1 from notifications")).length === 1 && chat.at("/chat").length === 1,
    );
    chat.behave(respondWith(200), "/chat");
    await query(RETRY_NOW);
    expect(await check()).toHaveLength(1);
    expect(chat.at("/chat")).toHaveLength(2);
    expect(subjects(ADAM)).toEqual([]);
    expect(parley.logs() + second.logs()).toContain("could not be sent and is dropped");
    mail.refuse.clear();
    await parley.call("DELETE", `/webhooks/${id}`);
  });

  it("are dropped when they are too old, even if they could be sent by then", async () => {
    mail.refuse.set("late@example.com", { responseCode: 450, message: "Try again later" });
    await owner.call("POST", "/invitations", { email: "late@example.com", role: "agent" });
    const waiting = `select 1 from notifications where attempts > 0 and ${NOT_LEASED}`;
    await until("it was tried", async () => (await query(waiting)).length === 1);
    mail.refuse.clear();
    await query("update notifications set next_attempt_at = now(), expires_at = now() - interval '1 minute'");
    await nothingQueued();
    expect(mail.to("late@example.com")).toEqual([]);
    expect(parley.logs() + second.logs()).toContain("a notification is too old to be sent and is dropped");
  });

  it("do not hold up the chat while the mail server accepts connections and never responds", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const alone = await startParley(mailSettings((silent.address() as AddressInfo).port));
    try {
      const manager = await setUp(alone, {}, PUBLIC_URL);
      await manager.call("PATCH", "/alert-settings", { slack_url: chat.url("/chat-only"), email_enabled: false });
      await manager.call("POST", "/invitations", { email: "slow@example.com", role: "agent" });
      await until("the mail server was reached", () => sockets.length > 0);
      const { id } = await alone.createKey({ name: "Soon", expires_at: new Date(Date.now() + 9e8).toISOString() });
      await alone.database.query(
        "update api_keys set created_at = now() - interval '60 days', expires_at = now() + interval '6 days' where id = $1",
        [id],
      );
      await alone.app.alerts.check();
      // The mail server has ten seconds to greet.
      await chat.waitFor(1, "/chat-only", 5_000);
      expect((await alone.database.query("select channel from notifications")).map(({ channel }) => channel)).toContain(
        "email",
      );
    } finally {
      silent.close();
      for (const socket of sockets) socket.destroy();
      await alone.close();
    }
  });

  it("are each sent by one of two nodes when the mail server is back", async () => {
    await mail.close();
    const invite = (n: number) => owner.call("POST", "/invitations", { email: `p${n}@example.com`, role: "agent" });
    for (let n = 0; n < 20; n++) expect((await invite(n)).body.data.emailed).toBe(true);
    const waiting = `select 1 from notifications where attempts > 0 and ${NOT_LEASED}`;
    await until("each was tried", async () => (await query(waiting)).length === 20);
    // Slow enough that the other node looks while a message is being sent.
    const back = await startTestMailServer({ port: mail.port, acceptAfterMs: 100 });
    await query(RETRY_NOW);
    const empty = async () => (await query("select 1 from notifications")).length === 0;
    await until("both nodes have emptied the queue", async () => {
      await Promise.all([parley, second].map(({ app }) => app.alerts.check()));
      return empty();
    });
    expect(back.mails.map(({ to }) => to[0]).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `p${n}@example.com`).sort(),
    );
    await back.close();
  });
});

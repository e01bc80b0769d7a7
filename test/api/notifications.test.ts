import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isQuiet } from "../../src/notify/quiet-hours.ts";
import { type Browser, openBrowser, PASSWORD, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { mailSettings, PUBLIC_URL, startTestMailServer } from "../support/mail-parley.ts";
import { type MailServer, RETRY_NOW } from "../support/mail-server.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type PushClient, type PushService, startPushService } from "../support/push-service.ts";
import { until } from "../support/wait.ts";

const AGNES = "agnes@example.com";
const WAIT = { timeoutMs: 30_000 };

let parley: TestParley;
let second: TestParley;
let mail: MailServer;
let service: PushService;
let owner: Browser;
let agnes: Browser;
let agnesId: number;
let workspaceId: number;
beforeAll(async () => {
  [service, mail] = await Promise.all([startPushService(), startTestMailServer()]);
  const settings = { ...mailSettings(mail.port), PARLEY_PUBLIC_URL: PUBLIC_URL };
  parley = await startParley(settings);
  owner = await setUp(parley, {}, PUBLIC_URL);
  second = await startParley(settings, parley.database);
  agnes = await joined(AGNES);
  agnesId = (await agnes.call("GET", "/session")).body.data.user.id;
  workspaceId = (await parley.call("GET", "/me")).body.data.workspace.id;
});
afterAll(async () => {
  await second.close();
  await parley.close();
  await Promise.all([mail.close(), service.close()]);
});

const { made, patched } = wordsOf(() => parley);
const query = (text: string, values: unknown[] = []) => parley.database.query<Any>(text, values);
const api = (browser: Browser, method: string, path: string, body?: object) =>
  browser.call(method, `//api/v1${path}`, body);

/** An agent who has accepted an invitation. */
async function joined(email: string): Promise<Browser> {
  const invited = await owner.call("POST", "/invitations", { email, role: "agent" });
  expect(invited.status, invited.text).toBe(201);
  const token = new URL(invited.body.data.url).searchParams.get("token");
  const browser = openBrowser(parley, null, PUBLIC_URL);
  const reply = await browser.call("POST", "/accept-invitation", { token, name: email, password: PASSWORD });
  expect(reply.status, reply.text).toBe(200);
  return browser;
}

/** A browser of this person that gets pushes. */
async function subscribed(browser: Browser, client = service.client()): Promise<PushClient> {
  const reply = await browser.call("POST", "/me/push-subscriptions", client.subscription);
  expect(reply.status, reply.text).toBe(201);
  await noticed();
  return client;
}

const incoming = (id: number, body = "Hello?") => made(`/conversations/${id}/messages`, { direction: "in", body });
const mine = () => made("/conversations", { assignee_id: agnesId });

/** The messages until now were looked at, and nothing waits to be sent. */
async function noticed(): Promise<void> {
  await until(
    "the messages were looked at",
    async () => {
      const [row] = await query(
        `select not exists (select from events_unsequenced) and not exists (
         select
         from event_positions event
         join notice_positions known on known.workspace_id = event.workspace_id
         where event.type = 'message.created'
           and event.position > known.position
       ) and exists (select from notice_positions) as done`,
      );
      return row.done;
    },
    WAIT,
  );
  await until("nothing is queued", async () => (await query("select from notifications")).length === 0, WAIT);
}

describe("the settings of a person", () => {
  it("begin with everything at any hour, are changed field by field, and are audited", async () => {
    const settings = (await agnes.call("GET", "/me/notifications")).body.data;
    expect(settings).toMatchObject({
      ...{ assigned: true, unassigned: true, mentions: true, mention_mail: true, sound: true, quiet_hours: null },
      email_available: true,
      browsers: [],
    });
    expect(Buffer.from(settings.push_key, "base64url")).toHaveLength(65);
    const quiet_hours = { from: "22:00", to: "07:30", time_zone: "Europe/Berlin" };
    const changed = await agnes.call("PATCH", "/me/notifications", { sound: false, quiet_hours });
    expect(changed.body.data).toEqual({ ...settings, sound: false, quiet_hours });
    expect((await agnes.call("GET", "/me/notifications")).body.data).toEqual(changed.body.data);
    expect((await owner.call("GET", "/me/notifications")).body.data.sound).toBe(true);
    const audit = await api(owner, "GET", "/audit-logs?action=user.notifications_changed");
    expect(audit.body.data[0].changes.sound).toEqual({ from: true, to: false });
    await agnes.call("PATCH", "/me/notifications", { sound: true, quiet_hours: null });
    expect((await agnes.call("GET", "/me/notifications")).body.data).toEqual(settings);
  });

  it.each([
    ["a time that does not exist", { from: "24:00", to: "07:00", time_zone: "UTC" }],
    ["an unknown time zone", { from: "22:00", to: "07:00", time_zone: "Europe/Atlantis" }],
    ["half of the hours", { from: "22:00" }],
  ])("refuse %s", async (_, quiet_hours) => {
    expect((await agnes.call("PATCH", "/me/notifications", { quiet_hours })).status).toBe(422);
  });

  it("know quiet hours over midnight and within a day, in the person's own time zone", () => {
    const at = (time: string) => new Date(`2026-01-15T${time}:00Z`);
    const night = { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" };
    expect(["20:59", "21:00", "05:59", "06:00"].map((time) => isQuiet(night, at(time)))).toEqual([
      ...[false, true, true, false],
    ]);
    const noon = { from: "12:00", to: "13:00", time_zone: "UTC" };
    expect(["11:59", "12:00", "12:59", "13:00"].map((time) => isQuiet(noon, at(time)))).toEqual([
      ...[false, true, true, false],
    ]);
  });
});

describe("a browser that subscribes", () => {
  it("is refused at a private address, and with keys that are none", async () => {
    const { keys, endpoint } = service.client().subscription;
    const wrong = async (body: object) => {
      const reply = await agnes.call("POST", "/me/push-subscriptions", body);
      expect(reply.status, reply.text).toBe(422);
      return Object.keys(reply.body.error.details);
    };
    for (const address of ["https://10.0.0.1/push", "https://169.254.169.254/", "http://[fd00::1]/x", "no url"])
      expect(await wrong({ endpoint: address, keys }), address).toEqual(["endpoint"]);
    const point = Buffer.alloc(65, 4).toString("base64url");
    expect(await wrong({ endpoint, keys: { p256dh: point, auth: "c2hvcnQ" } })).toEqual(["keys.p256dh", "keys.auth"]);
  });

  it("is sent nothing at an address that has become private since", async () => {
    const client = await subscribed(agnes);
    const strict = await startParley({ PARLEY_PUBLIC_URL: PUBLIC_URL, PARLEY_ALLOWED_CIDRS: "" }, parley.database);
    const reply = await fetch(`${strict.url}/dashboard-api/me/push-subscriptions/test`, {
      method: "POST",
      headers: {
        cookie: `__Host-parley_session=${agnes.token}`,
        origin: PUBLIC_URL,
        "content-type": "application/json",
      },
    });
    expect(await reply.json()).toMatchObject({ data: { sent: false, error: expect.stringContaining("address") } });
    expect(client.requests).toBe(0);
    await strict.close();
    const [browser] = (await agnes.call("GET", "/me/notifications")).body.data.browsers;
    await agnes.call("DELETE", `/me/push-subscriptions/${browser.id}`);
  });

  it("is listed without its address, gets a test, and gets nothing more once it is removed", async () => {
    const client = await subscribed(agnes);
    await subscribed(agnes, client);
    const listed = async () => (await agnes.call("GET", "/me/notifications")).body.data.browsers;
    const [browser, ...more] = await listed();
    expect(more).toEqual([]);
    expect(browser).toMatchObject({ push_service: new URL(client.subscription.endpoint).host, current: true });
    const secret = client.subscription.endpoint.split("/").at(-1) as string;
    const stored = JSON.stringify(await query("select subscription_sealed from push_subscriptions"));
    const audit = await api(owner, "GET", "/audit-logs?action=user.push_enabled");
    expect(audit.body.data).toHaveLength(2);
    for (const text of [stored, audit.text, parley.logs(), JSON.stringify(browser)]) expect(text).not.toContain(secret);
    const test = () => agnes.call("POST", "/me/push-subscriptions/test");
    expect((await test()).body.data).toEqual({ sent: true, error: null });
    expect(client.pushes[0]?.payload).toMatchObject({ reason: "test", conversation_id: null });
    expect(client.pushes[0]?.claims.sub).toBe(PUBLIC_URL);
    expect((await owner.call("DELETE", `/me/push-subscriptions/${browser.id}`)).status).toBe(404);
    expect((await agnes.call("DELETE", `/me/push-subscriptions/${browser.id}`)).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await test()).body.data).toEqual({ sent: false, error: "This browser gets no pushes." });
  });
});

describe("a push", () => {
  let client: PushClient;
  beforeAll(async () => {
    client = await subscribed(agnes);
  });
  beforeEach(async () => {
    await noticed();
    client.pushes.length = 0;
  });

  it("comes once per conversation of mine until it is read, on any number of nodes, and says little", async () => {
    const { id } = await mine();
    for (const text of ["a secret text", "more", "and more"]) await incoming(id, text);
    const [push] = await client.waitFor(1);
    await incoming(id);
    await noticed();
    expect(client.pushes).toHaveLength(1);
    expect(push?.payload).toEqual({
      reason: "assigned",
      workspace: { id: workspaceId, name: "Default" },
      conversation_id: id,
      unread: expect.any(Number),
    });
    expect(push?.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    await api(agnes, "POST", `/conversations/${id}/read`);
    await incoming(id, "Still there?");
    expect((await client.waitFor(2)).map(({ payload }) => payload.conversation_id)).toEqual([id, id]);
  });

  it("comes for what nobody has and for what mentions me, not for what is a colleague's or my own", async () => {
    const theirs = await made("/conversations", {
      assignee_id: (await owner.call("GET", "/session")).body.data.user.id,
    });
    await incoming(theirs.id);
    const own = await mine();
    await api(agnes, "POST", `/conversations/${own.id}/messages`, { body: "From me" });
    await made(`/conversations/${(await made("/conversations")).id}/messages`, { body: "From a bot" });
    const nobodys = await made("/conversations");
    await incoming(nobodys.id);
    await client.waitFor(1);
    const note = { body: "Look", private: true, mentions: [agnesId] };
    await made(`/conversations/${theirs.id}/messages`, note);
    await client.waitFor(2);
    await noticed();
    expect(client.pushes.map(({ payload }) => [payload.reason, payload.conversation_id])).toEqual([
      ["unassigned", nobodys.id],
      ["mention", theirs.id],
    ]);
  });

  it("comes once more when what is unread becomes mine, and when a note mentions me", async () => {
    const { id } = await made("/conversations");
    await incoming(id);
    await client.waitFor(1);
    await incoming(id);
    await patched(`/conversations/${id}`, { assignee_id: agnesId });
    await incoming(id);
    await client.waitFor(2);
    await incoming(id);
    const note = { body: "Look", private: true, mentions: [agnesId] };
    await made(`/conversations/${id}/messages`, note);
    await client.waitFor(3);
    await made(`/conversations/${id}/messages`, note);
    await incoming(id);
    await noticed();
    expect(client.pushes.map(({ payload }) => payload.reason)).toEqual(["unassigned", "assigned", "mention"]);
  });

  it("does not come for what a person has switched off, in quiet hours, or from a blocked contact", async () => {
    const settings = (body: object) => agnes.call("PATCH", "/me/notifications", body);
    await settings({ assigned: false });
    await incoming((await mine()).id);
    await noticed();
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await settings({ assigned: true, quiet_hours: { from: hour(-1), to: hour(1), time_zone: "UTC" } });
    await incoming((await mine()).id);
    await noticed();
    await settings({ quiet_hours: null });
    const contact = await made("/contacts", { name: "Bob" });
    const { id } = await made("/conversations", { contact_id: contact.id, assignee_id: agnesId });
    await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: true } });
    await incoming(id);
    await noticed();
    expect(client.pushes).toEqual([]);
    const last = await mine();
    await incoming(last.id);
    expect((await client.waitFor(1))[0]?.payload.conversation_id).toBe(last.id);
  });

  it("is retried after a failure, removes a subscription that is gone, and delays nothing meanwhile", async () => {
    const [hanging, failing, gone] = [await joined("h@e.com"), await joined("f@e.com"), await joined("g@e.com")];
    const clients = [await subscribed(hanging), await subscribed(failing), await subscribed(gone)] as const;
    const [never, later, expired] = clients;
    [never.respond, later.respond, expired.respond] = [null, 503, 410];
    const { id } = await made("/conversations");
    await incoming(id);
    await client.waitFor(1);
    await until("all were tried", () => clients.every(({ requests }) => requests > 0), WAIT);
    await until(
      "the expired one is removed",
      async () => (await gone.call("GET", "/me/notifications")).body.data.browsers.length === 0,
      WAIT,
    );
    expect((await incoming((await made("/conversations")).id)).id).toBeGreaterThan(0);
    [never.respond, later.respond] = [201, 201];
    await until(
      "they are tried again",
      async () => {
        await query(RETRY_NOW);
        return later.pushes.length > 0 && never.pushes.length > 0;
      },
      WAIT,
    );
    expect(expired.requests).toBe(1);
    for (const browser of [hanging, failing, gone]) await browser.call("POST", "/sign-out");
  });

  it("does not come after signing out, nor to a member who was removed while it waited", async () => {
    const [left, removed] = [await joined("left@e.com"), await joined("removed@e.com")];
    // Who belongs to another workspace too stays signed in.
    const elsewhere = await parley.createWorkspace();
    await query(
      `insert into memberships (workspace_id, user_id, role)
       select $1, id, 'agent' from users where email = 'removed@e.com'`,
      [elsewhere.id],
    );
    const clients = [await subscribed(left), await subscribed(removed)] as const;
    for (const one of clients) one.respond = 503;
    const { id } = await made("/conversations");
    await incoming(id);
    await until("both were tried", () => clients.every(({ requests }) => requests > 0), WAIT);
    await left.call("POST", "/sign-out");
    const removedId = (await removed.call("GET", "/session")).body.data.user.id;
    expect((await owner.call("DELETE", `/members/${removedId}`)).status).toBe(200);
    for (const one of clients) one.respond = 201;
    await query(RETRY_NOW);
    await incoming((await made("/conversations")).id);
    await noticed();
    expect(clients.map(({ pushes }) => pushes)).toEqual([[], []]);
    expect(client.pushes.length).toBeGreaterThan(0);
  });

  it("does not come to a member of another workspace, nor to a browser that a colleague has taken over", async () => {
    const other = await parley.createWorkspace();
    const { id } = await made("/conversations", {}, { key: other.key });
    await made(`/conversations/${id}/messages`, { direction: "in", body: "x" }, { key: other.key });
    const shared = service.client();
    const first = await joined("first@e.com");
    await subscribed(first, shared);
    const next = await joined("next@e.com");
    await subscribed(next, shared);
    expect((await first.call("GET", "/me/notifications")).body.data.browsers).toEqual([]);
    const before = client.pushes.length;
    await incoming((await made("/conversations")).id);
    await client.waitFor(before + 1);
    await noticed();
    expect(shared.pushes).toHaveLength(1);
    expect(client.pushes.map(({ payload }) => payload.workspace.id)).toEqual([workspaceId]);
  });

  it("still comes where the session is only idle, and the session opens nothing", async () => {
    const idle = await joined("idle@e.com");
    const phone = await subscribed(idle);
    await query(
      `update sessions
       set last_seen_at = now() - interval '13 hours'
       where user_id = (select id from users where email = 'idle@e.com')`,
    );
    expect((await idle.call("GET", "/session")).status).toBe(401);
    await incoming((await made("/conversations")).id);
    expect(await phone.waitFor(1)).toHaveLength(1);
  });
});

describe("a page that is open", () => {
  it("learns which of the messages that it received call its reader, and how many conversations are unread", async () => {
    const unread = async () => (await agnes.call("GET", "/me/unread")).body.data.conversations;
    const before = await unread();
    const own = await mine();
    const arrived = await incoming(own.id);
    const colleagues = await made("/conversations", {
      assignee_id: (await owner.call("GET", "/session")).body.data.user.id,
    });
    const other = await incoming(colleagues.id);
    const messages = [
      { conversation_id: own.id, seq: arrived.seq, from_contact: true },
      { conversation_id: colleagues.id, seq: other.seq, from_contact: true },
    ];
    const look = async () => (await agnes.call("POST", "/me/notices", { messages })).body.data;
    expect(await look()).toEqual([{ conversation_id: own.id, seq: arrived.seq, reason: "assigned", read_seq: 0 }]);
    expect(await unread()).toBe(before + 1);
    await api(agnes, "POST", `/conversations/${own.id}/read`);
    expect(await look()).toEqual([]);
    expect(await unread()).toBe(before);
  });
});

describe("a mention", () => {
  const seen = (minutes: number, email = AGNES) =>
    query(`update users set last_seen_at = now() - make_interval(mins => ${minutes}) where email = $1`, [email]);
  const mailsAbout = (id: number) =>
    mail.to(AGNES).filter(({ text }) => text.includes(`${PUBLIC_URL}/w/${workspaceId}/inbox/${id}\n`));
  const mailed = (id: number) => until("the e-mail arrived", () => mailsAbout(id).length > 0, WAIT);
  const mentionIn = async (id: number) =>
    made(`/conversations/${id}/messages`, { body: "a secret note", private: true, mentions: [agnesId] });
  const decided = () =>
    until(
      "every mention is decided",
      async () => (await query("select from message_mentions where mailed is null")).length === 0,
      WAIT,
    );

  it("is mailed once per conversation to who has been away for ten minutes, with a link, without its text", async () => {
    await seen(11);
    const { id } = await made("/conversations", { status: "resolved" });
    await mentionIn(id);
    await mailed(id);
    await mentionIn(id);
    await decided();
    await noticed();
    const [one, ...more] = mailsAbout(id);
    expect(more).toEqual([]);
    expect(one?.header("Subject")).toContain("mentioned you");
    expect(one?.text).not.toContain("secret note");
  });

  it("is not mailed to who is there until they leave without reading it, nor to who does not want it", async () => {
    await seen(1);
    const { id } = await made("/conversations", { status: "resolved" });
    await mentionIn(id);
    await parley.app.alerts.check();
    expect(mailsAbout(id)).toEqual([]);
    await seen(11);
    await mailed(id);
    await agnes.call("PATCH", "/me/notifications", { mention_mail: false });
    await seen(11);
    const unwanted = await made("/conversations", { status: "resolved" });
    await mentionIn(unwanted.id);
    await decided();
    await noticed();
    expect(mailsAbout(unwanted.id)).toEqual([]);
  });

  it("is not mailed once it is read", async () => {
    await agnes.call("PATCH", "/me/notifications", { mention_mail: true });
    const { id } = await made("/conversations", { status: "resolved" });
    await mentionIn(id);
    await api(agnes, "POST", `/conversations/${id}/read`);
    await seen(11);
    await decided();
    await noticed();
    expect(mailsAbout(id)).toEqual([]);
  });
});

it("signing in again leaves the keys of pushes as they are", async () => {
  const key = async (at: TestParley) => {
    const browser = openBrowser(at, null, PUBLIC_URL);
    await browser.call("POST", "/sign-in", { email: AGNES, password: PASSWORD });
    return (await browser.call("GET", "/me/notifications")).body.data.push_key;
  };
  expect(await key(second)).toBe(await key(parley));
});

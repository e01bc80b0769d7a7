import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type PushClient, type PushService, startPushService } from "../support/push-service.ts";
import { beforeMoment, until } from "../support/wait.ts";
import { serveWithWorker } from "../support/worker-server.ts";
import { accessibilityFaults, launchChromium, openPage, overflows, type Watched } from "./support.ts";

const WAIT = { timeoutMs: 30_000 };
const WAIT_POLL = { timeout: 30_000 };

let parley: TestParley;
let browser: Browser;
let service: PushService;
let dashboard: { url: string; close(): Promise<void> };
let owner: HttpClient;
beforeAll(async () => {
  [parley, browser, service] = await Promise.all([startParley(), launchChromium(), startPushService()]);
  owner = await setUp(parley);
  dashboard = await serveWithWorker(parley.url, KEEP_WHAT_IS_SHOWN);
});
afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await parley?.close();
  await service?.close();
});

const { made } = wordsOf(() => parley);
const query = (text: string, values: unknown[] = []) => parley.database.query<Any>(text, values);
const incoming = (id: number) => made(`/conversations/${id}/messages`, { direction: "in", body: "Hello?" });
const idOf = async (session: HttpClient): Promise<number> => (await session.call("GET", "/session")).body.data.user.id;
const conversationOf = (userId: number) => made("/conversations", { assignee_id: userId });

/**
 * A browser with a real worker. A headless Chromium has neither a push service nor notifications: the page subscribes at the
 * test's own service, what arrives there is handed to the worker as Chromium would, and what the worker shows is kept.
 */
interface Person extends Watched {
  context: BrowserContext;
  client: PushClient;
  /** Hands over what has arrived since the last time. */
  deliver: () => Promise<void>;
  /** Of each notification that is shown: its title, text and tag. */
  shown: () => Promise<string[][]>;
  /** How often a sound was played, in any tab. */
  sounds: () => Promise<number>;
}

async function openPerson(as: HttpClient, options: object = {}): Promise<Person> {
  const client = service.client();
  const opened = await openPage(
    browser,
    { ...parley, url: dashboard.url },
    {
      as,
      serviceWorkers: "allow",
      ...options,
    },
  );
  const { page } = opened;
  const context = page.context();
  await context.addInitScript(subscribeHere(client.subscription));
  await context.addInitScript(ALLOW_NOTIFICATIONS);
  await context.addInitScript(COUNT_SOUNDS);
  await page.goto("/profile");
  // Stays when the pages of the dashboard are closed, and is none of them.
  const outside = await context.newPage();
  await outside.goto("/health/live");
  const { session, registrationId } = await registrationOf(outside);
  let delivered = 0;
  return {
    ...opened,
    context,
    client,
    async deliver() {
      for (; delivered < client.pushes.length; delivered++)
        await session.send("ServiceWorker.deliverPushMessage", {
          origin: dashboard.url,
          registrationId,
          data: JSON.stringify(client.pushes[delivered]?.payload),
        });
    },
    shown: () => outside.evaluate(SHOWN) as Promise<string[][]>,
    sounds: () => outside.evaluate(`Number(localStorage.getItem("test.sounds"))`) as Promise<number>,
  };
}

/**
 * Before the worker's own code: what it shows outlives the worker, which Chromium stops as it likes. A headless Chromium
 * has no icon with a number either, and crashes where a worker sets one.
 */
const KEEP_WHAT_IS_SHOWN = `{
  Object.defineProperty(self.navigator, "setAppBadge", { value: undefined });
  const addressOf = (tag) => "/shown/" + encodeURIComponent(tag);
  const kept = () => caches.open("test.shown");
  const read = async () => {
    const cache = await kept();
    const found = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
    return Promise.all(found.map((response) => response.json()));
  };
  Object.assign(self.registration, {
    async showNotification(title, options) {
      await (await kept()).put(addressOf(options.tag), new Response(JSON.stringify({ title, ...options })));
    },
    async getNotifications({ tag } = {}) {
      const shown = (await read()).filter((one) => tag === undefined || one.tag === tag);
      return shown.map((one) => ({ ...one, close: async () => (await kept()).delete(addressOf(one.tag)) }));
    },
  });
}
`;
const SHOWN = `caches.open("test.shown").then(async (cache) => {
  const found = await Promise.all((await cache.keys()).map((key) => cache.match(key).then((one) => one.json())));
  return found.map(({ title, body, tag }) => [title, body, tag]);
})`;

const ALLOW_NOTIFICATIONS = `(() => {
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
})()`;

const COUNT_SOUNDS = `{
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    if (this.frequency.value === 660) localStorage.setItem("test.sounds", Number(localStorage.getItem("test.sounds")) + 1);
    return start.apply(this, at);
  };
}`;

async function registrationOf(page: Page): Promise<{ session: CDPSession; registrationId: string }> {
  const session = await page.context().newCDPSession(page);
  const ids: string[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    ids.push(
      ...registrations.filter(({ scopeURL }) => scopeURL === `${dashboard.url}/`).map((one) => one.registrationId),
    );
  });
  await session.send("ServiceWorker.enable");
  return { session, registrationId: await until("the worker is registered", () => ids[0], WAIT) };
}

/** What Chromium's own push service would return. It stays in the browser until it is unsubscribed. */
const subscribeHere = (subscription: PushClient["subscription"]): string => `(() => {
  const KEY = "test.push-key";
  const subscribed = (key) => ({
    options: { applicationServerKey: Uint8Array.from(key.split(","), Number).buffer, userVisibleOnly: true },
    toJSON: () => (${JSON.stringify(subscription)}),
    unsubscribe: async () => { localStorage.removeItem(KEY); return true; },
  });
  Object.assign(PushManager.prototype, {
    async subscribe({ applicationServerKey }) {
      localStorage.setItem(KEY, String(applicationServerKey));
      return subscribed(String(applicationServerKey));
    },
    async getSubscription() {
      const key = localStorage.getItem(KEY);
      return key === null ? null : subscribed(key);
    },
  });
})()`;

/** Every message was looked at, and no push waits to be sent. */
async function settled(): Promise<void> {
  const looked = `select not exists (select from events_unsequenced) and not exists (
      select
      from event_positions event
      join notice_positions known on known.workspace_id = event.workspace_id
      where event.type = 'message.created'
        and event.position > known.position
    ) and not exists (select from notifications) as done`;
  await until("nothing more is to be sent", async () => (await query(looked))[0].done, WAIT);
}

async function turnOn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Turn on in this browser" }).click();
  await page.getByText("also while Parley is closed").waitFor();
  await until("the loop has seen it", async () => (await query("select from notice_positions")).length > 0, WAIT);
}

it("without a connection a page says so, and the app is back with the connection", async () => {
  const person = await openPerson(owner);
  // A page that is loaded while the worker becomes active is without it until the next load.
  await person.page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await person.page.reload();
  await expect.poll(() => person.page.evaluate("navigator.serviceWorker.controller !== null")).toBe(true);
  await person.context.setOffline(true);
  await person.page.goto("/inbox");
  await person.page.getByRole("heading", { name: "No connection" }).waitFor();
  await person.context.setOffline(false);
  await person.page.getByRole("link", { name: "Inbox" }).first().waitFor({ timeout: 30_000 });
  await person.close();
});

it("the dashboard can be installed as an app, with its icons", async () => {
  const person = await openPerson(owner);
  const session = await person.context.newCDPSession(person.page);
  const { errors, data = "" } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The windows of a test share nothing with each other, which is what Chromium calls incognito.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  const { icons } = JSON.parse(data);
  for (const { src, sizes, type } of icons) {
    const icon = await person.page.request.get(src);
    expect([icon.status(), icon.headers()["content-type"]]).toEqual([200, type]);
    const size = `new Promise((done) => {
      const image = Object.assign(new Image(), { onload: () => done(image.naturalWidth + "x" + image.naturalHeight) });
      image.src = "${src}";
    })`;
    if (sizes !== "any") expect(await person.page.evaluate(size)).toBe(sizes);
  }
  await person.close();
});

it("what notifications have shown is gone after signing out", async () => {
  const agent = await join(parley, owner, "agent", "left@example.com");
  const agentId = await idOf(agent);
  const person = await openPerson(agent);
  await turnOn(person.page);
  const { id } = await conversationOf(agentId);
  await incoming(id);
  await expect.poll(person.shown, { timeout: 30_000 }).toHaveLength(1);
  await person.client.waitFor(1);
  await person.page.getByRole("button", { name: "left@example.com" }).click();
  await person.page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await person.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expect.poll(person.shown, { timeout: 30_000 }).toEqual([]);
  await person.close();
});

it("a push comes with every tab closed, in the language of its reader, and a test does too", async () => {
  const agent = await join(parley, owner, "agent", "closed@example.com");
  const agentId = await idOf(agent);
  const person = await openPerson(agent, { locale: "de-DE" });
  await person.page.getByRole("button", { name: "In diesem Browser einschalten" }).click();
  await person.page.getByRole("button", { name: "Test senden" }).click();
  await person.client.waitFor(1);
  await person.deliver();
  await expect.poll(person.shown).toEqual([["Benachrichtigungen kommen hier an", "Default", "1:test"]]);
  await person.page.close();
  const { id } = await conversationOf(agentId);
  await incoming(id);
  await incoming(id);
  await person.client.waitFor(2);
  await person.deliver();
  await expect.poll(person.shown).toContainEqual(["Neue Nachricht für Sie", `Unterhaltung ${id} · Default`, `1:${id}`]);
  await settled();
  expect(person.client.pushes).toHaveLength(2);
  await person.close();
});

it("two tabs show one notification and play one sound per conversation, until it is read in one of them", async () => {
  const agent = await join(parley, owner, "agent", "tabs@example.com");
  const agentId = await idOf(agent);
  const person = await openPerson(agent);
  await turnOn(person.page);
  const other = await person.context.newPage();
  await other.goto("/contacts");
  await other.getByRole("heading", { name: "Contacts", exact: true }).waitFor();
  await person.page.goto("/contacts");
  await person.page.getByRole("heading", { name: "Contacts", exact: true }).waitFor();
  const { id } = await conversationOf(agentId);
  await incoming(id);
  await expect
    .poll(person.shown, WAIT_POLL)
    .toEqual([["New message for you", `Conversation ${id} · Default`, `1:${id}`]]);
  await expect.poll(person.sounds, WAIT_POLL).toBe(1);
  await person.client.waitFor(1);
  await person.deliver();
  await incoming(id);
  const second = await conversationOf(agentId);
  await incoming(second.id);
  await expect.poll(person.shown, WAIT_POLL).toHaveLength(2);
  await expect.poll(person.sounds, WAIT_POLL).toBe(2);
  await expect.poll(() => other.title(), WAIT_POLL).toMatch(/^\(2\)/);
  await other.goto(`/w/1/inbox/${id}`);
  await expect.poll(async () => (await person.shown()).map(([, , tag]) => tag), WAIT_POLL).toEqual([`1:${second.id}`]);
  await expect.poll(() => person.page.title(), WAIT_POLL).toMatch(/^\(1\)/);
  await incoming(id);
  await settled();
  expect((await person.shown()).map(([, , tag]) => tag)).toEqual([`1:${second.id}`]);
  await person.close();
});

it("a mention replaces what said that nobody has the conversation, with a sound", async () => {
  const agent = await join(parley, owner, "agent", "meant@example.com");
  const person = await openPerson(agent);
  await turnOn(person.page);
  const { id } = await made("/conversations");
  await incoming(id);
  const text = `Conversation ${id} · Default`;
  await expect.poll(person.shown, WAIT_POLL).toEqual([["New message that nobody has taken", text, `1:${id}`]]);
  const note = { body: "Look", private: true, mentions: [await idOf(agent)] };
  await made(`/conversations/${id}/messages`, note);
  await expect.poll(person.shown, WAIT_POLL).toEqual([["You were mentioned", text, `1:${id}`]]);
  await expect.poll(person.sounds, WAIT_POLL).toBe(2);
  await made(`/conversations/${id}/messages`, note);
  await settled();
  expect(await person.sounds()).toBe(2);
  await person.close();
});

it("what said that nobody has a conversation goes when a colleague takes it, and others stay", async () => {
  const agent = await join(parley, owner, "agent", "untaken@example.com");
  const person = await openPerson(agent);
  await turnOn(person.page);
  const tags = async () => (await person.shown()).map(([, , tag]) => tag).sort();
  const [taken, mine] = [await made("/conversations"), await conversationOf(await idOf(agent))];
  for (const { id } of [mine, taken]) await incoming(id);
  await expect.poll(tags, WAIT_POLL).toEqual([`1:${taken.id}`, `1:${mine.id}`].sort());
  for (const { id } of [mine, taken])
    await parley.call("PATCH", `/conversations/${id}`, { body: { assignee_id: await idOf(owner) } });
  await expect.poll(tags, WAIT_POLL).toEqual([`1:${mine.id}`]);
  await person.close();
});

it("choices that are made while another is on its way are kept, and the switch keeps the focus", async () => {
  const agent = await join(parley, owner, "agent", "quick@example.com");
  const person = await openPerson(agent);
  const toggle = person.page.getByRole("button", { name: /^Turn (?:on|off) in this browser$/ });
  await toggle.press("Enter");
  await person.page.getByRole("status").filter({ hasText: "also while Parley is closed" }).waitFor();
  expect(await toggle.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  await person.page.getByRole("button", { name: "Send a test" }).click();
  await person.page.getByRole("status").filter({ hasText: "The test was sent." }).waitFor();
  await toggle.press("Enter");
  await person.page.getByRole("status").filter({ hasText: "they are off" }).waitFor();
  expect(await person.page.getByText("The test was sent.").count()).toBe(0);
  await person.close();

  const { page, close } = await openPage(browser, parley, { as: agent });
  const held: (() => void)[] = [];
  await page.route("**/me/notifications", async (route) => {
    if (route.request().method() === "PATCH") await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto("/profile");
  for (const name of ["Sound", "Mentions", "Quiet hours"]) {
    const box = page.getByRole("checkbox", { name: new RegExp(`^${name}`) });
    const before = await box.isChecked();
    await box.click();
    await expect.poll(() => box.isChecked(), { ...WAIT_POLL, message: name }).toBe(!before);
  }
  for (let sent = 1; sent <= 3; sent++) {
    await expect.poll(() => held.length, WAIT_POLL).toBe(sent);
    held[sent - 1]?.();
  }
  const stored = async () => (await agent.call("GET", "/me/notifications")).body.data;
  await expect.poll(stored, WAIT_POLL).toMatchObject({ sound: false, mentions: false, quiet_hours: { from: "22:00" } });
  await close();
});

it("on a phone they are turned on in the profile, and opening the conversation takes them away", async () => {
  const agent = await join(parley, owner, "agent", "phone@example.com");
  const agentId = await idOf(agent);
  const person = await openPerson(agent, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await turnOn(person.page);
  expect(await accessibilityFaults(person.page)).toEqual([]);
  expect(await overflows(person.page)).toBe(false);
  const { id } = await conversationOf(agentId);
  await incoming(id);
  await person.client.waitFor(1);
  await person.deliver();
  await expect.poll(person.shown, WAIT_POLL).toHaveLength(1);
  await person.page.goto(`/w/1/inbox/${id}`);
  await person.page.getByText("Hello?").first().waitFor();
  await expect.poll(person.shown, WAIT_POLL).toEqual([]);
  await person.close();
});

it("one about the conversation in front goes as soon as its page, which was busy, responds", async () => {
  const agent = await join(parley, owner, "agent", "busy@example.com");
  const person = await openPerson(agent);
  await turnOn(person.page);
  const { id } = await conversationOf(await idOf(agent));
  await person.page.goto(`/w/1/inbox/${id}`);
  await person.page.getByRole("textbox", { name: "Reply" }).waitFor();
  let busy: Promise<unknown> = Promise.resolve();
  // Longer than a push may take, on a busy machine too.
  await beforeMoment(13_000, async (moment) => {
    await busy;
    busy = person.page.evaluate(`while (Date.now() < ${moment.getTime()});`);
    const pushes = person.client.requests;
    await incoming(id);
    await person.client.waitFor(pushes + 1);
    await person.deliver();
    await expect.poll(person.shown, WAIT_POLL).toHaveLength(1);
  });
  await busy;
  await expect.poll(person.shown, WAIT_POLL).toEqual([]);
  await person.close();
});

it("after signing out, and for a member who was removed, nothing more arrives", async () => {
  const control = service.client();
  const watching = await owner.call("POST", "/me/push-subscriptions", control.subscription);
  expect(watching.status, watching.text).toBe(201);
  const leaver = await openPerson(await join(parley, owner, "agent", "leaver@example.com"));
  await turnOn(leaver.page);
  const removed = await openPerson(await join(parley, owner, "agent", "removed@example.com"));
  await turnOn(removed.page);
  const everybody = [control, leaver.client, removed.client];
  await incoming((await made("/conversations")).id);
  for (const client of everybody) await client.waitFor(1);
  await leaver.page.getByRole("button", { name: "leaver@example.com" }).click();
  await leaver.page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await leaver.page.getByRole("heading", { name: "Sign in" }).waitFor();
  const members = (await parley.call("GET", "/members?per_page=100")).body.data;
  const { id } = members.find(({ name }: Any) => name === "removed");
  const reply = await owner.call("DELETE", `/members/${id}`);
  expect(reply.status, reply.text).toBe(200);
  await removed.page.getByText("You were removed from Default").waitFor();
  await incoming((await made("/conversations")).id);
  await control.waitFor(2);
  await settled();
  expect(everybody.map(({ requests }) => requests)).toEqual([2, 1, 1]);
  await leaver.close();
  await removed.close();
});

it("a subscription that the push service has ended is forgotten, and the next page load makes it again", async () => {
  const agent = await join(parley, owner, "agent", "expired@example.com");
  const agentId = await idOf(agent);
  const person = await openPerson(agent);
  await turnOn(person.page);
  const stored = () =>
    query("select from push_subscriptions p join sessions s on s.id = p.session_id where s.user_id = $1", [agentId]);
  person.client.respond = 410;
  await incoming((await conversationOf(agentId)).id);
  await until("it is forgotten", async () => (await stored()).length === 0, WAIT);
  person.client.respond = 201;
  await person.page.reload();
  await until("it is there again", async () => (await stored()).length === 1, WAIT);
  const { id } = await conversationOf(agentId);
  await incoming(id);
  const [push] = await person.client.waitFor(1);
  expect(push?.payload).toMatchObject({ reason: "assigned", conversation_id: id });
  await person.close();
});

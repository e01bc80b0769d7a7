import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type PushClient, type PushService, startPushService } from "../support/push-service.ts";
import { until } from "../support/wait.ts";
import { launchChromium, openPage, type Watched } from "./support.ts";

const WAIT = { timeoutMs: 30_000 };

let parley: TestParley;
let browser: Browser;
let service: PushService;
let owner: HttpClient;
beforeAll(async () => {
  [parley, browser, service] = await Promise.all([startParley(), launchChromium(), startPushService()]);
  owner = await setUp(parley);
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
  await service?.close();
});

const { made } = wordsOf(() => parley);
const query = (text: string) => parley.database.query<Any>(text);
const incoming = (id: number) => made(`/conversations/${id}/messages`, { direction: "in", body: "Hello?" });
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
}

async function openPerson(as: HttpClient, options: object = {}): Promise<Person> {
  const client = service.client();
  const opened = await openPage(browser, parley, {
    as,
    serviceWorkers: "allow",
    ...options,
  });
  const { page } = opened;
  const context = page.context();
  await context.addInitScript(subscribeHere(client.subscription));
  await context.addInitScript(ALLOW_NOTIFICATIONS);
  const source = KEEP_WHAT_IS_SHOWN + readFileSync(WORKER_SOURCE, "utf8");
  await context.route("**/service-worker.js", (route) =>
    route.fulfill({ contentType: "text/javascript", headers: { "cache-control": "no-cache" }, body: source }),
  );
  await page.goto("/profile");
  const { session, registrationId } = await registrationOf(page);
  let delivered = 0;
  return {
    ...opened,
    context,
    client,
    async deliver() {
      for (; delivered < client.pushes.length; delivered++)
        await session.send("ServiceWorker.deliverPushMessage", {
          origin: parley.url,
          registrationId,
          data: JSON.stringify(client.pushes[delivered]?.payload),
        });
    },
    shown: () => page.evaluate(SHOWN) as Promise<string[][]>,
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
const WORKER_SOURCE = new URL("../../dashboard/public/service-worker.js", import.meta.url);

const ALLOW_NOTIFICATIONS = `(() => {
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
})()`;

async function registrationOf(page: Page): Promise<{ session: CDPSession; registrationId: string }> {
  const session = await page.context().newCDPSession(page);
  const ids: string[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    ids.push(...registrations.filter(({ scopeURL }) => scopeURL === `${parley.url}/`).map((one) => one.registrationId));
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

async function turnOn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Turn on in this browser" }).click();
  await page.getByText("also while Parley is closed").waitFor();
  await until("the loop has seen it", async () => (await query("select from notice_positions")).length > 0, WAIT);
}

it("without a connection a page says so, and the app is back with the connection", async () => {
  const person = await openPerson(owner);
  await person.page.reload();
  await person.page.waitForFunction("navigator.serviceWorker.controller !== null");
  await person.context.setOffline(true);
  await person.page.goto("/inbox");
  await person.page.getByRole("heading", { name: "No connection" }).waitFor();
  await person.context.setOffline(false);
  await person.page.getByRole("link", { name: "Inbox" }).first().waitFor({ timeout: 30_000 });
  await person.close();
});

it("what notifications have shown is gone after signing out", async () => {
  const agent = await join(parley, owner, "agent", "left@example.com");
  const agentId = (await agent.call("GET", "/session")).body.data.user.id;
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

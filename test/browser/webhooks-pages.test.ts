import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { respondWith } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { faultsInEachWindow, launchChromium, openPage, overflows } from "./support.ts";
import { seedAttempts } from "./webhooks-seed.ts";

let fixture: WebhookFixture;
let browser: Browser;
let owner: HttpClient;
const paths: Record<string, string> = {};

/** As text they are harmless; as markup, a terminal's orders or a change of direction they would not be. */
const HOSTILE = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script></pre>\u0000\u001b[2J\u202eevil`;
const EMOJI = "🦊".repeat(4096);

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "60" }), launchChromium()]);
  owner = await setUp(fixture.parley);
  const orders = await fixture.createWebhook({ name: "Orders", events: ["contact.*"], headers: { "X-Team": "a" } });
  await seedAttempts(fixture.parley, orders.id, { count: 700, failEvery: 7 });
  paths.webhook = `/settings/webhooks/${orders.id}`;
  const hostile = await fixture.createWebhook({ name: "Hostile", events: ["contact.*"], retry_count: 0 });
  const headers = { "content-type": "text/html", "x-evil": "<b>bold</b>" };
  fixture.receiver.behave(respondWith(500, headers, HOSTILE), hostile.path);
  await fixture.parley.call("POST", `/webhooks/${hostile.id}/test`);
  fixture.receiver.behave(respondWith(200, {}, EMOJI), hostile.path);
  await fixture.parley.call("POST", `/webhooks/${hostile.id}/test`);
  const logs = await fixture.waitForLogs(hostile, 2);
  paths.emoji = `/settings/webhooks/${hostile.id}?attempt=${logs[0].id}`;
  paths.attempt = `/settings/webhooks/${hostile.id}?attempt=${logs[1].id}`;
  paths.edit = `${paths.webhook}/edit`;
  const quiet = await fixture.createWebhook({ name: "Quiet", events: ["contact.*"] });
  paths.quiet = `/settings/webhooks/${quiet.id}`;
  await fixture.parley.call("POST", `/webhooks/${quiet.id}/disable`, { body: { reason: "Moving" } });
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

async function open(path: string, options: object = {}) {
  const window = await openPage(browser, fixture.parley, { as: owner, ...options });
  await window.page.goto(path);
  return window;
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const choose = (item: string, words: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("dialog").getByText(words).first().waitFor();
};

/** The page, and what must be there before it is judged. */
const PAGES: Record<string, [path: string, ready: (page: Page) => Promise<unknown>]> = {
  "the list": ["/settings/webhooks", text("85.7%")],
  "no webhook found": ["/settings/webhooks?search=zzz", text("No webhook matches")],
  creating: ["/settings/webhooks/new", text("contact.deleted")],
  editing: ["edit", text("contact.deleted")],
  "a webhook": ["webhook", text("Live · 700 attempts")],
  "a disabled webhook": ["quiet", text("Nothing has been sent yet")],
  "an attempt": ["attempt", text("Attempt number")],
  recovering: ["webhook", choose("Recover missed events…", "Nothing was missed")],
  rotating: ["webhook", choose("Rotate secret…", "At once")],
  disabling: ["webhook", choose("Disable…", "Reason")],
  deleting: ["webhook", choose("Delete…", "deleted permanently")],
  "its settings": ["settings", text("Reveal secret")],
  "an unknown webhook": ["/settings/webhooks/99999", text("Not found")],
};

it.each(Object.entries(PAGES))(
  "the webhooks page for %s meets WCAG 2.2 A and AA, and fits",
  async (_name, [path, ready]) => {
    const where = path === "settings" ? `${paths.webhook}?tab=settings` : (paths[path] ?? path);
    const { page, errors, outside, close } = await open(where);
    try {
      await ready(page);
      expect(await faultsInEachWindow(page)).toEqual([]);
      expect(errors).toEqual([]);
      expect(outside).toEqual([]);
    } finally {
      await close();
    }
  },
);

it("the page of an attempt shows a hostile response as text", async () => {
  const { page, errors, close } = await open(paths.attempt ?? "");
  const body = page.locator("[data-text='response body']");
  await body.waitFor();
  // The server keeps no NUL: PostgreSQL cannot.
  const shown = HOSTILE.replace("\u0000", "\ufffd").replace("\u001b", "␛").replace("\u202e", "⟨U+202E⟩");
  await expect.poll(() => body.textContent()).toBe(shown);
  expect(await body.evaluate((pre) => pre.childElementCount)).toBe(0);
  await page.getByText("<b>bold</b>").waitFor();
  expect(await page.title()).not.toBe("taken");
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect(errors).toEqual([]);

  await page.goto(paths.emoji ?? "");
  await body.waitFor();
  await expect.poll(() => body.textContent()).toBe(EMOJI);
  expect(await overflows(page)).toBe(false);
  await close();
});

it("the page of a webhook draws the numbers that SQL counts", async () => {
  const id = Number(paths.webhook?.split("/").at(-1));
  const counted = await fixture.parley.database.query<{ at: string; attempts: number; successes: number }>(
    `select to_char(date_trunc('hour', created_at, 'UTC') at time zone 'utc', 'YYYY-MM-DD"T"HH24:00:00"+00:00"') as at,
       count(*)::int as attempts, (count(*) filter (where delivered))::int as successes
     from delivery_attempts where webhook_id = $1 group by 1 order by 1`,
    [id],
  );
  const { page, close } = await open(paths.webhook ?? "");
  await page.getByText("Show as a table").click();
  const shown = await page.locator("[data-hour]").evaluateAll((rows) =>
    rows.map((row) => ({
      at: row.getAttribute("data-hour"),
      numbers: [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent)),
    })),
  );
  expect(shown.length).toBe(24);
  expect(shown.filter(({ numbers }) => numbers[0] !== 0)).toEqual(
    counted.map(({ at, attempts, successes }) => ({ at, numbers: [attempts, successes, attempts - successes] })),
  );
  const attempts = counted.reduce((sum, hour) => sum + hour.attempts, 0);
  const successes = counted.reduce((sum, hour) => sum + hour.successes, 0);
  await expect
    .poll(() => page.locator("[data-counts]").textContent())
    .toBe(`${successes} of ${attempts} events delivered`);
  await page.goto("/settings/webhooks");
  await page.getByRole("img", { name: `${successes} of ${attempts} events delivered, 85.7%` }).waitFor();
  await close();
});

it("events that are still being retried count as not delivered", async () => {
  const { parley, receiver } = fixture;
  const webhook = await fixture.createWebhook({ name: "Stumbling", events: ["api_key.created"], retry_count: 10 });
  const createKey = (name: string) =>
    parley.call("POST", "/api-keys", { body: { name, type: "limited", abilities: ["contacts:read"] } });
  await createKey("arrives");
  await fixture.waitForLogs(webhook, 1);
  receiver.behave(respondWith(500, {}, "later"), webhook.path);
  await createKey("is retried");
  await fixture.waitForLogs(webhook, 2);
  const { page, close } = await open(`/settings/webhooks/${webhook.id}`);
  await expect.poll(() => page.locator("[data-rate]").textContent()).toBe("50.0%");
  expect(await page.locator("[data-counts]").textContent()).toContain("1 of 2 events delivered");
  await page.getByText("1 is still being retried").waitFor();
  await page.goto("/settings/webhooks");
  await page.locator(`[data-webhook="${webhook.id}"]`).getByText("of 2").waitFor();
  await close();
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { launchChromium, openPage, settledAfter } from "./support.ts";
import { seedAttempts } from "./webhooks-seed.ts";

const ATTEMPTS = 10_000;

let fixture: WebhookFixture;
let browser: Browser;
let page: Page;
let webhook: { id: number };
beforeAll(async () => {
  [fixture, browser] = await Promise.all([startWebhookFixture(), launchChromium()]);
  webhook = await fixture.createWebhook({ name: "Busy", events: ["contact.*"] });
  await seedAttempts(fixture.parley, webhook.id, { count: ATTEMPTS, failEvery: 40 });
  page = (await openPage(browser, fixture.parley, { as: await setUp(fixture.parley) })).page;
  await page.goto(`/settings/webhooks/${webhook.id}?view=attempts`);
  await page.getByText("Live · 10,000 attempts").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const drawn = () => page.locator("[data-log]").count();
const scrollTo = (y: number) => settledAfter(page, () => page.evaluate(`window.scrollTo(0, ${y})`));

/** Scrolls through the log for some seconds, as fast as a wheel that is spun, and times each frame. */
const SCROLL = `new Promise((resolve) => {
  const frames = [];
  let tasks = 0;
  new PerformanceObserver((list) => { tasks += list.getEntries().length; }).observe({ entryTypes: ["longtask"] });
  const from = window.scrollY;
  const started = performance.now();
  let before = started;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    window.scrollTo(0, from + (now - started) * 6);
    if (now - started < 4000) requestAnimationFrame(step);
    else resolve({ frames: frames.slice(2), tasks, rows: document.querySelectorAll("main li").length });
  };
  requestAnimationFrame(step);
})`;

it("the delivery log scrolls through 10,000 attempts, drawing only those in view", async ({ annotate }) => {
  await page.locator("[data-log]").first().waitFor();
  expect(await drawn()).toBeLessThan(80);
  const scrolled = await page.evaluate(SCROLL);
  const { frames, tasks, rows } = scrolled as { frames: number[]; tasks: number; rows: number };
  const long = frames.filter((ms) => ms > 50).length;
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  await annotate(
    `${frames.length} frames, median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, longest ${at(1)} ms, ${long} over 50 ms; ${tasks} tasks over 50 ms`,
  );
  expect(rows).toBeLessThan(80);
  expect(frames.length).toBeGreaterThan(20);
});

it("the delivery log reaches the oldest attempt", async () => {
  await scrollTo(10_000_000);
  const [oldest] = await fixture.parley.database.query<{ id: string }>(
    "select min(id) as id from delivery_attempts where webhook_id = $1",
    [webhook.id],
  );
  await page.locator(`[data-log="${oldest?.id}"]`).waitFor();
  expect(await drawn()).toBeLessThan(80);
});

it("the delivery log does not move what is being read when attempts come in", async () => {
  await scrollTo(20_000);
  // A row that is there only once the list has come to where it was scrolled.
  const inView = page.locator('[aria-posinset="430"][data-log]');
  await inView.waitFor();
  const id = await inView.getAttribute("data-log");
  const before = await page.locator(`[data-log="${id}"]`).boundingBox();
  await seedAttempts(fixture.parley, webhook.id, { count: 3, hours: 0.01 });
  await page.getByRole("button", { name: "3 new attempts" }).waitFor();
  expect(await page.locator(`[data-log="${id}"]`).boundingBox()).toEqual(before);
  await page.getByRole("button", { name: "3 new attempts" }).click();
  const [newest] = await fixture.parley.database.query<{ id: string }>(
    "select max(id) as id from delivery_attempts where webhook_id = $1",
    [webhook.id],
  );
  await page.locator(`[aria-posinset="1"][data-log="${newest?.id}"]`).waitFor();
  await page.getByText("Live · 10,003 attempts").waitFor();
});

it("the delivery log goes from row to row by arrow key, opens by Enter, and comes back to the row", async () => {
  await scrollTo(0);
  const links = page.locator("[data-log] a");
  await links.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("Attempt number").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const focused = () => page.evaluate("document.activeElement?.closest('li')?.ariaPosInSet");
  await expect.poll(focused).toBe("2");
});

it("the panel of an attempt steps to the next and the previous one", async () => {
  await scrollTo(0);
  await page.locator("[data-log] a").nth(1).click();
  const panel = page.getByRole("dialog");
  const title = () => panel.getByRole("heading", { name: /^Attempt \d+$/ }).textContent();
  await panel.getByText("Attempt number").waitFor();
  const opened = await title();
  await panel.getByRole("button", { name: "Next delivery" }).click();
  await panel.getByText("Attempt number").waitFor();
  const ids = await page.locator("[data-log]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-log")));
  expect([opened, await title()]).toEqual([`Attempt ${ids[1]}`, `Attempt ${ids[2]}`]);
  await panel.getByRole("button", { name: "Previous delivery" }).click();
  await panel.getByRole("button", { name: "Previous delivery" }).click();
  await page.waitForURL(new RegExp(`attempt=${ids[0]}$`));
  await expect.poll(() => panel.getByRole("button", { name: "Previous delivery" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
});

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";
import { launchChromium, openPage } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const state = (page: Page) => page.locator("[data-live]").first().getAttribute("data-live");
const isLive = (page: Page) => expect.poll(() => state(page)).toBe("live");
const shows = (page: Page, name: string) => page.getByRole("link", { name }).waitFor();

/** How many streams each page of the window opened. */
function countStreams(context: BrowserContext): { opened: number } {
  const count = { opened: 0 };
  context.on("request", (request) => {
    if (request.url().includes("/events/stream")) count.opened += 1;
  });
  return count;
}

it("two tabs share one stream, and the second takes over when the first is closed", async () => {
  const { page: first, close } = await openPage(browser, parley, { as: owner });
  const streams = countStreams(first.context());
  await first.goto("/settings/api-keys");
  await isLive(first);
  const second = await first.context().newPage();
  await second.goto("/settings/api-keys");
  await isLive(second);
  await parley.createKey({ name: "Seen by both" });
  await Promise.all([shows(first, "Seen by both"), shows(second, "Seen by both")]);
  expect(streams.opened).toBe(1);
  await first.close();
  await expect.poll(() => streams.opened).toBe(2);
  await isLive(second);
  await parley.createKey({ name: "Seen by the heir" });
  await shows(second, "Seen by the heir");
  await close();
});

it("what happened while the browser was offline is shown once it is back, and the state all along", async () => {
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/settings/api-keys");
  await isLive(page);
  await page.context().setOffline(true);
  await page.getByText("Offline, reconnecting").first().waitFor();
  await parley.createKey({ name: "Created meanwhile" });
  expect(await page.getByText("Created meanwhile").count()).toBe(0);
  await page.context().setOffline(false);
  await shows(page, "Created meanwhile");
  await isLive(page);
  await close();
});

it("live updates begin once a required second factor is set up, without a reload", async () => {
  const agent = await join(parley, owner, "agent", "ada@example.com");
  await parley.database.query("update workspaces set require_two_factor = true");
  const { page, errors, close } = await openPage(browser, parley, { as: agent });
  await page.goto("/inbox");
  await page.getByRole("heading", { name: "Account security" }).waitFor();
  expect(await page.locator("[data-live]").count()).toBe(0);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByAltText("QR code for the authenticator app").waitFor();
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(totpCode(secret, "confirm"));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("link", { name: "Contacts" }).click();
  await isLive(page);
  await parley.call("POST", "/contacts", { body: { name: "Seen at once" } });
  await shows(page, "Seen at once");
  await parley.database.query("update workspaces set require_two_factor = false");
  expect(errors).toEqual([]);
  await close();
});

import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { gotoSettled, launchChromium, navigate, openPage, type Watched } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  watched = await openPage(browser, parley, { as: owner, viewport: { width: 1400, height: 860 } });
  page = watched.page;
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

async function create(subject: string, label: string): Promise<Any> {
  const body = { subject, labels: [label], contact: { name: "Ana" }, message: { body: "Hello?", direction: "in" } };
  const reply = await parley.call("POST", "/conversations", { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** As the owner sees it, with what is unread. */
const conversation = async (id: number): Promise<Any> =>
  (await owner.call("GET", `//api/v1/conversations/${id}`)).body.data;
const row = (id: number) => page.locator(`[data-conversation="${id}"]`);
const live = () => page.locator("[data-live=live]").first().waitFor();

/** Holds the requests that match until `release` is called. */
async function hold(match: (route: Route) => boolean, act: (route: Route) => Promise<void>) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/**", async (route) => {
    if (!match(route)) return route.fallback();
    await released;
    await act(route);
  });
  return release;
}
const isDetail = (route: Route, id: number): boolean =>
  route.request().method() === "GET" && new URL(route.request().url()).pathname.endsWith(`/conversations/${id}`);

it("a conversation is resolved and replied to after its contact's page, which shows it at once", async () => {
  const { id, contact } = await create("Visited", "visited");
  await gotoSettled(page, `/w/1/contacts/${contact.id}`);
  await live();
  await page.getByRole("link", { name: "Visited" }).click();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await until("it is resolved", async () => (await conversation(id)).status === "resolved");
  await page.locator("#composer-field").fill("Done.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Sending in a moment").waitFor();
  await page.evaluate(`dispatchEvent(new Event("pagehide"))`);
  await page.getByRole("log", { name: "Messages" }).getByText("Done.").waitFor();
  await expect.poll(() => page.getByText(/^Sending|^Not sent/).count()).toBe(0);
  await navigate(page, `/w/1/contacts/${contact.id}`);
  const entry = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Visited" }) });
  await entry.getByText("Resolved").waitFor();
  await parley.call("PATCH", `/conversations/${id}`, { body: { status: "pending" } });
  await entry.getByText("Pending").waitFor();
  expect(watched.errors).toEqual([]);
});

it("a conversation is read once it was opened, also if the list or an earlier visit called it read", async () => {
  const [first, other] = [await create("Read before", "reading"), await create("Other", "reading")];
  // The list was read before the message arrived.
  await page.route("**/api/v1/conversations?*", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const one of body.data) one.unread_count = 0;
    await route.fulfill({ response, json: body });
  });
  await gotoSettled(page, `/w/1/inbox?label=reading`);
  await live();
  const isRead = (id: number) => until("it is read", async () => (await conversation(id)).unread_count === 0);
  const openSlowly = async (id: number, text: string) => {
    const release = await hold(
      (route) => isDetail(route, id),
      (route) => route.continue(),
    );
    await row(id).getByRole("link").click();
    await page.getByRole("log", { name: "Messages" }).getByText(text).waitFor();
    release();
    await isRead(id);
  };
  await openSlowly(first.id, "Hello?");
  await openSlowly(other.id, "Hello?");
  await parley.call("POST", `/conversations/${first.id}/messages`, { body: { body: "Still there?", direction: "in" } });
  await row(first.id).getByText("Still there?").waitFor();
  expect((await conversation(first.id)).unread_count).toBe(1);
  await openSlowly(first.id, "Still there?");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("a change that fails leaves what another user changed meanwhile", async () => {
  const { id } = await create("Old subject", "failing");
  await gotoSettled(page, `/w/1/inbox/${id}?label=failing`);
  await live();
  const message = "The given data was invalid.";
  const release = await hold(
    (route) => route.request().method() === "PATCH",
    (route) => route.fulfill({ status: 422, json: { error: { code: "VALIDATION_ERROR", message } } }),
  );
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await page.getByRole("button", { name: "Open again" }).waitFor();
  await parley.call("PATCH", `/conversations/${id}`, { body: { subject: "New subject" } });
  await page.getByRole("heading", { name: "New subject" }).waitFor();
  release();
  await page.getByText(message).waitFor();
  await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  await page.getByRole("heading", { name: "New subject" }).waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("a change that fails says which conversation was not changed, how, and why", async () => {
  const { id } = await create("Broken lamp", "unchanged");
  await gotoSettled(page, `/w/1/inbox?label=unchanged`);
  await live();
  await page.route(`**/api/v1/conversations/${id}**`, (route) =>
    route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "Something went wrong." } } }),
  );
  const body = page.locator("body");
  await body.press("j");
  await body.press("e");
  await page.getByText("“Broken lamp” was not resolved: Something went wrong.").waitFor();
  await body.press("u");
  await page.getByText("“Broken lamp” was not marked as unread: Something went wrong.").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().setOffline(true);
  await body.press("i");
  await page.getByText("“Broken lamp” was not assigned to you: The server did not respond.").waitFor();
  await page.context().setOffline(false);
});

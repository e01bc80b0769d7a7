import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { gotoSettled, launchChromium, openPage } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let conversation: number;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  const body = { subject: "Parcel", contact: { name: "Ana" }, message: { body: "A secret question", direction: "in" } };
  conversation = (await parley.call("POST", "/conversations", { body })).body.data.id;
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const openInbox = async (page: Page): Promise<void> => {
  await gotoSettled(page, `/w/1/inbox/${conversation}`);
  await page.getByText("A secret question").first().waitFor();
};
const composer = (page: Page) => page.getByRole("textbox", { name: /^(Message|Reply)/ });

it("signing out in one tab leaves nothing readable in the others", async () => {
  const person = await join(parley, owner, "agent", "ada@example.com");
  const { page: first } = await openPage(browser, parley, { as: person });
  const second = await first.context().newPage();
  await openInbox(first);
  await openInbox(second);
  await composer(second).fill("Unsent words");
  await first.bringToFront();
  await first.getByRole("button", { name: /ada@example\.com/ }).click();
  await first.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  for (const page of [first, second]) {
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByText(/A secret question|Unsent words/).count()).toBe(0);
  }
  await first.context().close();
});

it("a removed member reads that they were removed, and can still copy what they wrote", async () => {
  const person = await join(parley, owner, "agent", "bo@example.com");
  const { id } = (await person.call("GET", "/session")).body.data.user;
  const { page } = await openPage(browser, parley, { as: person });
  await openInbox(page);
  await page.locator("[data-live=live]").first().waitFor();
  await composer(page).fill("Not sent yet");
  expect((await owner.call("DELETE", `/members/${id}`)).status).toBe(200);
  await page.getByRole("alert").getByText("You were removed from Default").waitFor();
  await expect.poll(() => page.locator("[data-live]:visible").count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await composer(page).inputValue()).toBe("Not sent yet");
  expect(await composer(page).isEditable()).toBe(true);
  await page.context().close();
});

it("the page of a removed member asks the server for nothing any more", async () => {
  const person = await join(parley, owner, "agent", "di@example.com");
  const { id } = (await person.call("GET", "/session")).body.data.user;
  const { page } = await openPage(browser, parley, { as: person });
  await page.clock.install();
  await openInbox(page);
  await page.locator("[data-live=live]").first().waitFor();
  expect((await owner.call("DELETE", `/members/${id}`)).status).toBe(200);
  await page.getByRole("alert").getByText("You were removed from Default").waitFor();
  const asked: string[] = [];
  // The code of the page is loaded where it is needed.
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/assets/")) asked.push(`${request.method()} ${pathname}`);
  });
  await composer(page).fill("Not sent yet");
  await page.clock.runFor("05:00");
  await page.evaluate("window.dispatchEvent(new Event('online')); window.dispatchEvent(new Event('visibilitychange'))");
  await page.clock.runFor("05:00");
  expect(asked).toEqual([]);
  expect(await page.getByText("A secret question").count()).toBeGreaterThan(0);
  expect(await composer(page).inputValue()).toBe("Not sent yet");
  await page.context().close();
});

it("a member removed from one of their workspaces reads so there", async () => {
  const person = await join(parley, owner, "agent", "cy@example.com");
  const { id } = (await person.call("GET", "/session")).body.data.user;
  const other = (await owner.call("POST", "/workspaces", { name: "Other" })).body.data.id;
  await parley.database.query("insert into memberships (workspace_id, user_id, role) values ($1, $2, 'agent')", [
    other,
    id,
  ]);
  const { page } = await openPage(browser, parley, { as: person });
  await openInbox(page);
  await page.locator("[data-live=live]").first().waitFor();
  await composer(page).fill("Not sent yet");
  expect((await owner.call("DELETE", `/members/${id}`)).status).toBe(200);
  await page.getByRole("alert").getByText("You were removed from Default").waitFor();
  expect(await composer(page).inputValue()).toBe("Not sent yet");
  await page.getByRole("button", { name: "Leave this page" }).click();
  await page.waitForURL(new RegExp(`/w/${other}/`));
  await page.context().close();
});

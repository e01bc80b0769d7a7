import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { join, type Browser as Session, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { accessibilityFaults, gotoSettled, launchChromium, openPage, overflows } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let page: Page;
let owner: Session;
let agent: Session;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
  const conversations = [
    { subject: "Lamp", priority: "urgent", labels: ["vip"] },
    { subject: "Desk", priority: "low", labels: ["vip"] },
    { subject: "Chair", status: "pending", labels: ["vip"] },
  ];
  for (const body of conversations) await parley.call("POST", "/conversations", { body });
  ({ page } = await openPage(browser, parley, { as: owner, viewport: { width: 1280, height: 800 } }));
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const viewLinks = () => page.locator("aside nav a[href*='view=']:not([href*='mentions'])");
const subjects = async () => {
  const texts = await page.getByRole("region", { name: "Conversations" }).getByRole("link").allTextContents();
  return ["Lamp", "Desk", "Chair"].filter((subject) => texts.some((text) => text.includes(subject)));
};

it("a list is saved as a view, with a count in the sidebar, and opened by key, link and menu", async () => {
  await gotoSettled(page, "/w/1/inbox?label=vip");
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitem", { name: "Save as a view…" }).click();
  await dialog().getByLabel("Name").fill("Urgent VIP");
  expect(await dialog().getByLabel("Label").inputValue()).toBe("vip");
  expect(await dialog().getByLabel("Status").inputValue()).toBe("open");
  await dialog().getByLabel("Priority").selectOption("urgent");
  expect(await accessibilityFaults(page)).toEqual([]);
  await button("Save").click();
  await page.waitForURL(/view=\d+/);
  await page.getByRole("button", { name: /^Urgent VIP/ }).waitFor();
  await expect.poll(subjects).toEqual(["Lamp"]);
  await expect.poll(() => viewLinks().allTextContents()).toEqual(["Urgent VIP1"]);
  const { data } = (await parley.call("GET", "/views")).body;
  expect(data).toEqual([]);
  await gotoSettled(page, "/w/1/contacts");
  await page.keyboard.press("g");
  await page.keyboard.press("1");
  await page.waitForURL(/inbox\?view=\d+/);
  await expect.poll(subjects).toEqual(["Lamp"]);
  await parley.call("POST", "/conversations", { body: { subject: "Lamp 2", priority: "urgent", labels: ["vip"] } });
  await expect.poll(() => viewLinks().allTextContents()).toEqual(["Urgent VIP2"]);
});

it("views are shared, renamed, moved and deleted, and colleagues see the shared ones", async () => {
  await parley.call("POST", "/views", { body: { name: "Everything", filters: {} } });
  await gotoSettled(page, "/w/1/inbox");
  await expect.poll(() => viewLinks().count()).toBe(2);
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  await button("Move Everything up").click();
  await expect.poll(async () => (await viewLinks().allTextContents())[0]).toMatch(/^Everything/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await button("Edit Urgent VIP").click();
  await dialog().getByLabel("Name").fill("VIP first");
  await dialog().getByLabel("Share with everyone in this workspace").check();
  await button("Save").click();
  await expect.poll(async () => (await viewLinks().allTextContents())[1]).toMatch(/^VIP first/);
  const seen = await agent.call("GET", "//api/v1/views");
  expect(seen.body.data.map(({ name }: { name: string }) => name)).toEqual(["Everything", "VIP first"]);
  await button("Delete Everything").click();
  await button("Delete view").click();
  await expect.poll(() => viewLinks().allTextContents()).toEqual(["VIP first2"]);
  await page.keyboard.press("Escape");
});

it("the number of a view that was just saved is there at once, also next to others", async () => {
  await gotoSettled(page, "/w/1/inbox");
  await expect.poll(() => viewLinks().allTextContents()).toEqual(["VIP first2"]);
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitem", { name: "Save as a view…" }).click();
  await dialog().getByLabel("Name").fill("Low");
  await dialog().getByLabel("Priority").selectOption("low");
  await button("Save").click();
  await expect.poll(() => viewLinks().allTextContents()).toEqual(["VIP first2", "Low1"]);
});

it("an unread mention has a sign where the sidebar has icons alone", async () => {
  await gotoSettled(page, "/w/1/inbox");
  const sign = page.locator("aside a[href*='mentions'] [data-unread]");
  expect(await sign.count()).toBe(0);
  const [{ id }] = (await agent.call("GET", "//api/v1/conversations")).body.data;
  const owner = (await agent.call("GET", "//api/v1/members")).body.data.find(
    ({ role }: { role: string }) => role === "owner",
  );
  const note = { body: "Look", private: true, mentions: [owner.id] };
  expect((await agent.call("POST", `//api/v1/conversations/${id}/messages`, note)).status).toBe(201);
  await sign.waitFor();
  await gotoSettled(page, `/w/1/inbox/${id}`);
  await expect.poll(() => sign.count()).toBe(0);
});

it("a view that a colleague shares appears within a minute, without a reload", async () => {
  const { page: other, close } = await openPage(browser, parley, { as: agent, viewport: { width: 1280, height: 800 } });
  await other.clock.install();
  await gotoSettled(other, "/w/1/inbox");
  const { data } = (await parley.call("POST", "/views", { body: { name: "New here", shared: true, filters: {} } }))
    .body;
  await other.clock.runFor(60_000);
  await other.locator(`aside nav a[href$='view=${data.id}']`).waitFor();
  await parley.call("DELETE", `/views/${data.id}`);
  await close();
});

it("a view that a colleague has deleted is said to be gone, and leaves the sidebar", async () => {
  const { data } = (await parley.call("POST", "/views", { body: { name: "Gone soon", shared: true, filters: {} } }))
    .body;
  await gotoSettled(page, "/w/1/inbox");
  const link = page.locator(`aside nav a[href$='view=${data.id}']`);
  await link.waitFor();
  await parley.call("DELETE", `/views/${data.id}`);
  await link.click();
  await page.getByText("It may have been removed, or it belongs to another workspace.").waitFor();
  await expect.poll(() => link.count()).toBe(0);
});

it("who became an agent while a page was open is no longer offered the settings there", async () => {
  const second = await join(parley, owner, "admin", "adam@example.com");
  const { page: other, close } = await openPage(browser, parley, {
    as: second,
    viewport: { width: 1440, height: 900 },
  });
  await gotoSettled(other, "/w/1/contacts");
  const keys = other.locator("aside nav a[href$='/settings/api-keys']");
  await keys.waitFor();
  const members = (await owner.call("GET", "/members")).body.data;
  const { id } = members.find(({ email }: { email: string }) => email === "adam@example.com");
  expect((await owner.call("PATCH", `/members/${id}`, { role: "agent" })).status).toBe(200);
  await keys.click();
  await other.getByRole("heading", { name: "This page is for owners and admins" }).waitFor();
  await expect.poll(() => keys.count()).toBe(0);
  await close();
});

it("a session that a proxy refuses is asked for once, and the page says so", async () => {
  const { page: other, close } = await openPage(browser, parley, { as: agent });
  let asked = 0;
  await other.route("**/dashboard-api/session", (route) => {
    asked += 1;
    return route.fulfill({ status: 403, body: "Forbidden" });
  });
  await gotoSettled(other, "/w/1/contacts");
  await other.getByText("You do not have access").waitFor();
  expect(asked).toBeLessThanOrEqual(2);
  await close();
});

it("on a phone the views are in the navigation, which closes when one is chosen", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await gotoSettled(page, "/w/1/inbox");
  await button("Open navigation").click();
  await dialog()
    .getByRole("link", { name: /VIP first/ })
    .click();
  await expect.poll(() => dialog().count()).toBe(0);
  await expect.poll(subjects).toEqual(["Lamp"]);
  await page.getByRole("button", { name: /^VIP first/ }).click();
  await page.getByRole("menuitem", { name: "Edit this view…" }).click();
  await dialog().getByLabel("Name").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
});

it("a note that mentions the user is counted in the sidebar until it is read, in the view Mentions", async () => {
  await page.setViewportSize({ width: 1500, height: 800 });
  const { data } = (await parley.call("POST", "/conversations", { body: { subject: "Sofa" } })).body;
  await gotoSettled(page, "/w/1/inbox");
  const link = page.locator("aside nav a[href*='view=mentions']");
  await expect.poll(() => link.textContent()).toBe("Mentions");
  const owner = (await parley.call("GET", "/members")).body.data.find(({ role }: { role: string }) => role === "owner");
  const note = { body: `@${owner.name} please look`, private: true };
  await agent.call("POST", `//api/v1/conversations/${data.id}/messages`, note);
  await expect.poll(() => link.textContent()).toBe("Mentions1");
  await link.click();
  await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: /Sofa/ }).waitFor();
  // The keys of the list act on the list, though the link that was clicked still has the focus.
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("please look").last().waitFor();
  await expect.poll(() => link.textContent()).toBe("Mentions");
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("a view with a long name keeps to one line above its list, with its count", async () => {
  const body = { name: "Waiting for longer than a day without any reply", shared: true, filters: { status: "open" } };
  const { id } = (await parley.call("POST", "/views", { body })).body.data;
  await gotoSettled(page, `/w/1/inbox?view=${id}`);
  const opened = page.getByRole("button", { name: /^Waiting for longer/ });
  await opened.getByText(/^\d+$/).waitFor();
  const create = await page.getByRole("button", { name: "New conversation" }).boundingBox();
  const search = await page.locator("#inbox-search").boundingBox();
  if (!create || !search) throw new Error("The list has no head.");
  expect((await opened.boundingBox())?.height).toBeLessThan(1.5 * create.height);
  expect(create.x + create.width).toBeLessThanOrEqual(search.x + search.width + 1);
  expect(search.width).toBeLessThan(340);
  await parley.call("DELETE", `/views/${id}`);
});

it("a view with a long name keeps its count in the sidebar", async () => {
  const name = "Everything without a reply since the day before yesterday";
  const { data } = (await parley.call("POST", "/views", { body: { name, filters: {} } })).body;
  await page.setViewportSize({ width: 1440, height: 900 });
  await gotoSettled(page, "/w/1/contacts");
  const link = page.locator(`aside nav a[href$='view=${data.id}']`);
  await expect.poll(() => link.textContent()).toMatch(/\d$/);
  const rightOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);
  };
  expect(await rightOf(link.locator("span").last())).toBeLessThanOrEqual(await rightOf(page.locator("aside")));
});

it("a view of what is unread finds it behind more conversations than one request looks at", async () => {
  const message = { body: "Is it there yet?", direction: "in" };
  await parley.call("POST", "/conversations", { body: { subject: "Desk 3", priority: "high", message } });
  await parley.database.query(
    `insert into conversations (workspace_id, uuid, contact_id, priority, last_message_at)
     select workspace_id, gen_random_uuid(), id, 'high', now()
     from (select workspace_id, id from contacts limit 1) contact, generate_series(1, 1200)`,
  );
  const filters = { unread: true, priority: "high" };
  const { data } = (await parley.call("POST", "/views", { body: { name: "Unread", filters } })).body;
  await gotoSettled(page, `/w/1/inbox?view=${data.id}`);
  await expect.poll(subjects).toEqual(["Desk"]);
  await page.getByText("End of list").waitFor();
});

it("in a low window the pages in the sidebar scroll, and who is signed in stays in sight", async () => {
  await page.setViewportSize({ width: 1366, height: 620 });
  await gotoSettled(page, "/w/1/settings/workspace");
  const side = page.locator("aside[aria-label=Sidebar]");
  const account = side.getByRole("button").last();
  expect(((await account.boundingBox())?.y ?? 0) + ((await account.boundingBox())?.height ?? 0)).toBeLessThanOrEqual(
    620,
  );
  const current = side.locator("[aria-current=page]");
  await current.scrollIntoViewIfNeeded();
  await current.hover();
  expect(await accessibilityFaults(page)).toEqual([]);
});

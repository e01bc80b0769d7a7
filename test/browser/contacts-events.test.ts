import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { respondWith, startReceiver } from "../support/receiver.ts";
import { launchChromium, layoutShift, navigate, openPage } from "./support.ts";

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

it("the last part of the contacts takes focus to its first row, and a contact found by name is changed", async () => {
  const { body } = await parley.call("POST", "/contacts", { body: { name: "Ada Lovelace", phone: "+44 1" } });
  await parley.call("POST", "/contacts", { body: { name: "Grace Hopper" } });
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.route(/\/contacts\?.*limit=50/, (route) =>
    route.continue({ url: route.request().url().replace("limit=50", "limit=1") }),
  );
  await page.goto("/contacts");
  await page.getByRole("link", { name: "Grace Hopper" }).waitFor();
  await page.getByRole("button", { name: "Show more" }).press("Enter");
  const isFocused = "document.activeElement.textContent === 'Ada Lovelace'";
  await expect.poll(() => page.evaluate(isFocused)).toBe(true);
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  await page.getByRole("searchbox", { name: "Search contacts" }).fill("lovel");
  await page.getByRole("link", { name: "Grace Hopper" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await page.getByLabel("E-mail").fill("ada@example.com");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: "Save" }).click();
  expect((await sent).postDataJSON()).toEqual({ email: "ada@example.com" });
  await page.getByText("Contact saved.").waitFor();
  const { data } = (await parley.call("GET", `/contacts/${body.data.id}`)).body;
  expect(data).toMatchObject({ name: "Ada Lovelace", phone: "+44 1", email: "ada@example.com" });
  await close();
});

it("a contact's attributes are edited and notes are kept for colleagues", async () => {
  const attributes = { plan: "pro", seats: 4 };
  const { id } = (await parley.call("POST", "/contacts", { body: { name: "Noted", attributes } })).body.data;
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto(`/contacts/${id}`);
  await page.getByLabel("Value of attribute 2").fill("5");
  await page.getByRole("button", { name: "Add attribute" }).click();
  await page.keyboard.type("plan");
  expect(await page.getByLabel("Name of attribute 3").inputValue()).toBe("plan");
  await page.getByRole("button", { name: "Save attributes" }).click();
  await page.getByText("There are two attributes called plan.").waitFor();
  await page.getByLabel("Name of attribute 3").fill("since");
  await page.getByLabel("Value of attribute 3").fill("2024");
  await page.getByRole("button", { name: "Remove attribute 1" }).click();
  await page.getByRole("button", { name: "Save attributes" }).click();
  await page.getByText("Attributes saved.").waitFor();
  const saved = (await parley.call("GET", `/contacts/${id}`)).body.data;
  expect(saved.attributes).toEqual({ seats: 5, since: "2024" });

  await page.getByLabel("New note").fill("Prefers e-mail.");
  await page.getByRole("button", { name: "Add note" }).click();
  const notes = page.getByRole("list", { name: "Notes" });
  await notes.getByText("Prefers e-mail.").waitFor();
  const agent = await join(parley, owner, "agent", "agnes@example.com");
  const [note] = (await agent.call("GET", `/contacts/${id}/notes`)).body.data;
  expect(note).toMatchObject({ body: "Prefers e-mail.", author: { name: "Olive Owner" } });
  expect((await agent.call("DELETE", `/contacts/${id}/notes/${note.id}`, {})).status).toBe(403);
  await notes.getByRole("button", { name: "Delete the note of Olive Owner" }).click();
  await notes.waitFor({ state: "detached" });
  await close();
});

it("an empty dialog over a changed form closes at once, and one with a text leaves the form as it is", async () => {
  const { id } = (await parley.call("POST", "/contacts", { body: { name: "Below" } })).body.data;
  const { page, close } = await openPage(browser, parley, { as: owner });
  const dialog = page.getByRole("dialog");
  const open = async () => {
    await page.getByRole("button", { name: "New conversation", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Message" }).waitFor();
  };
  await page.goto(`/contacts/${id}`);
  await page.getByRole("textbox", { name: "New note" }).fill("Not added yet");
  await open();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
  await open();
  await dialog.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
  await close();
});

it("contacts are filtered by when they were updated", async () => {
  const { id } = (await parley.call("POST", "/contacts", { body: { name: "Long ago" } })).body.data;
  await parley.database.query("update contacts set updated_at = now() - interval '10 days' where id = $1", [id]);
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/contacts");
  await page.getByRole("link", { name: "Long ago" }).waitFor();
  await page.getByLabel("Updated").selectOption("7d");
  await page.getByRole("link", { name: "Long ago" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Noted" }).waitFor();
  expect(new URL(page.url()).searchParams.get("updated")).toBe("7d");
  await close();
});

it("a search field keeps the space after a word while its user thinks about the next one", async () => {
  await parley.call("POST", "/contacts", { body: { name: "Order 777" } });
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/contacts");
  const field = page.getByLabel("Search contacts");
  await field.waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("order ");
  await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("order");
  await field.pressSequentially("777");
  await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("order 777");
  expect(await field.inputValue()).toBe("order 777");
  await navigate(page, "/w/1/contacts?search=order");
  await expect.poll(() => field.inputValue()).toBe("order");
  await close();
});

it("an event appears as it happens, stays out while the list is paused, and opens with its payload", async () => {
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/events");
  await page.locator("[data-live=live]").first().waitFor();
  await parley.call("POST", "/contacts", { body: { name: "Seen live" } });
  await page.getByRole("link", { name: /Seen live/ }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await parley.call("POST", "/contacts", { body: { name: "While paused" } });
  await page.getByRole("link", { name: /Seen live/ }).click();
  await page.getByRole("region", { name: "payload" }).getByText("Seen live").first().waitFor();
  await page.getByText("No webhook subscribes to this event.").waitFor();
  expect(await page.getByRole("link", { name: /While paused/ }).count()).toBe(0);
  // The button hides nothing of the code.
  const [code, copy] = [
    page.getByRole("region", { name: "payload", exact: true }),
    page.getByRole("button", { name: "Copy payload" }),
  ];
  const [text, button] = [await code.boundingBox(), await copy.boundingBox()];
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("link", { name: /While paused/ }).waitFor();
  // What an agent wrote is Markdown, what a contact wrote is not.
  await parley.call("POST", "/conversations", { body: { message: { body: "It **ships** today" } } });
  await parley.call("POST", "/conversations", { body: { message: { body: "It **broke**", direction: "in" } } });
  await page.getByRole("link", { name: /It ships today/ }).waitFor();
  await page.getByRole("link", { name: /It \*\*broke\*\*/ }).waitFor();
  await close();
});

it("a filter shows what matches it also while the list of events is paused", async () => {
  const { id } = (await parley.call("POST", "/contacts", { body: { name: "To be changed" } })).body.data;
  await parley.call("PATCH", `/contacts/${id}`, { body: { name: "Changed" } });
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/events");
  const created = page.getByRole("listitem").filter({ hasText: "contact.created" });
  await created.first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Type").selectOption("contact.updated");
  await expect.poll(() => created.count()).toBe(0);
  await page
    .getByRole("link", { name: /Changed/ })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await close();
});

it("the overview lists the first steps until they are done, and a key that expires soon", async () => {
  const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await parley.createKey({ name: "Short-lived", expires_at });
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto("/");
  await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  await page.getByRole("link", { name: "Send events to your first webhook" }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "Short-lived" }).getByText("Key expires").waitFor();
  await page.getByRole("heading", { name: "Last events" }).waitFor();
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  await expect.poll(() => page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
  expect(await page.evaluate("document.activeElement.id")).toBe("main");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { name: "First steps" }).waitFor();
  await close();
});

it("the overview shows the figures of its period, and what needs attention next to keys and webhooks", async () => {
  const { id } = await parley
    .call("POST", "/conversations", { body: { message: { body: "Hello?", direction: "in" } } })
    .then(({ body }) => body.data);
  await parley.database.query("update conversations set waiting_since = now() - interval '2 hours' where id = $1", [
    id,
  ]);
  const { page, close } = await openPage(browser, parley, { as: owner });
  // Tests run on a database of their own, where backups are up to its operator.
  await page.route("**/dashboard-api/overview*", async (route) => {
    // As from a slow server: the figures arrive after everything else.
    await new Promise((later) => setTimeout(later, 300));
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, backups: "missing" } } });
  });
  await page.goto("/overview?range=7d");
  const figure = (name: string) => page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd");
  const { data } = (await owner.call("GET", "/overview?range=7d")).body;
  await figure("Open now").getByText(String(data.conversations.open), { exact: true }).waitFor();
  await figure("Waiting for a reply").getByText("1 for more than an hour").waitFor();
  await figure("API errors")
    .getByText(/^of [\d,]+ requests$/)
    .waitFor();
  await page
    .getByRole("img", { name: `Messages: ${data.totals.received} received, ${data.totals.sent} replies.` })
    .waitFor();
  await page.getByText("PARLEY_BACKUP_DIR").waitFor();
  expect(await layoutShift(page)).toBeLessThan(0.1);
  await page.getByRole("link", { name: "1 contact has waited for a reply for more than an hour" }).click();
  await page.waitForURL(/\/inbox\?view=waiting$/);
  await close();
});

it("events are filtered by actor, conversation and delivery, show where they arrived, and are sent again", async () => {
  const receiver = await startReceiver();
  receiver.behave(respondWith(500), "/bad");
  const create = (path: string, events: string[]) =>
    parley.call("POST", "/webhooks", { body: { name: path, url: receiver.url(path), events, retry_count: 0 } });
  await create("/good", ["conversation.*"]);
  await create("/bad", ["conversation.created"]);
  const conversation = (await parley.call("POST", "/conversations", { body: { subject: "Followed" } })).body.data;
  await parley.call("POST", "/conversations", { body: { subject: "Another" } });
  await parley.call("PATCH", `/conversations/${conversation.id}`, { body: { status: "resolved" } });
  const { page, close } = await openPage(browser, parley, { as: owner });
  await page.goto(`/events?conversation=${conversation.id}`);
  const rows = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  await rows.filter({ hasText: "conversation.status_changed" }).getByText("1/1").waitFor();
  const created = rows.filter({ hasText: "conversation.created" });
  await created.getByText("1/2").waitFor();
  expect(await rows.filter({ hasText: "Another" }).count()).toBe(0);

  await page.getByLabel("Deliveries", { exact: true }).selectOption("failed");
  await rows.filter({ hasText: "conversation.status_changed" }).waitFor({ state: "detached" });
  await page.getByLabel("Caused by").selectOption("contact");
  await page.getByRole("heading", { name: "No event matches" }).waitFor();
  await page.getByLabel("Caused by").selectOption("api_key");
  await created.getByRole("link").click();
  const panel = page.getByRole("dialog");
  await panel.getByText("HTTP 500").waitFor();
  receiver.behave(respondWith(200), "/bad");
  await panel.getByRole("button", { name: "Redeliver to /bad" }).click();
  await panel.getByText("Failed").waitFor({ state: "detached" });
  // The page shows the new delivery as soon as it is queued.
  await receiver.waitFor(3, "/bad");
  await panel.getByRole("button", { name: "Redeliver to all" }).click();
  await receiver.waitFor(4, "/bad");
  await close();
  await receiver.close();
});

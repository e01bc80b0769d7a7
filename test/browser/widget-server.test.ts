import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import type { TestWidget } from "../support/visitor.ts";
import { launchChromium, openPage } from "./support.ts";
import {
  bodiesOf,
  chatFrame,
  conversationWith,
  launcher,
  logOf,
  openChat,
  received,
  reply,
  type Shop,
  sent,
  shopWidget,
  snippet,
  startShop,
  visit,
  write,
} from "./widget-support.ts";

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let shop: Shop;
let receiver: Receiver;
let widget: TestWidget;
let address: string;
beforeAll(async () => {
  const limits = { PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "1000", PARLEY_WIDGET_MESSAGES_PER_MINUTE: "3" };
  [parley, browser, shop, receiver] = await Promise.all([
    startParley(limits),
    launchChromium(),
    startShop(),
    startReceiver(),
  ]);
  owner = await setUp(parley);
  widget = await shopWidget(parley, shop);
  address = shop.page(`<h1>Shop</h1>${snippet(parley, widget)}`);
  const body = { name: "Talk", url: receiver.url("/talk"), events: ["message.created"] };
  await parley.call("POST", "/webhooks", { body });
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await receiver?.close();
  await parley?.close();
});

it("a visitor and an agent in the inbox talk, both live, and a webhook gets both directions", async () => {
  const visitor = await visit(browser, `${address}?order=1042#top`);
  const chat = await openChat(visitor.page);
  await write(chat, "Where is my order 1042?");
  await sent(chat, "Where is my order 1042?");
  const { id } = await conversationWith(parley, "Where is my order 1042?");

  const { page: inbox, close } = await openPage(browser, parley, { as: owner });
  await inbox.goto(`/inbox/${id}`);
  await inbox.getByText("Where is my order 1042?").last().waitFor();
  await inbox.getByRole("textbox", { name: /reply|message/i }).fill("It arrives tomorrow.");
  await inbox.keyboard.press("Control+Enter");
  await received(chat, "It arrives tomorrow.");
  await write(chat, "Thank you!");
  await inbox.getByText("Thank you!").last().waitFor();
  const arrivals = await receiver.waitFor(3, "/talk");
  expect(arrivals.map(({ event }) => event.data.direction).sort()).toEqual(["in", "in", "out"]);
  const question = arrivals.find(({ event }) => event.data.body === "Where is my order 1042?");
  expect(question?.event).toMatchObject({ actor: { type: "contact" }, data: { direction: "in" } });
  const current = async () => (await parley.call("GET", `/conversations/${id}`)).body.data;
  await expect.poll(async () => (await current()).contact_read_seq).toBeGreaterThanOrEqual(2);
  expect(await current()).toMatchObject({ channel: "widget", page: { url: address } });
  expect(visitor.errors).toEqual([]);
  await close();
  await visitor.close();
});

it("a page of another origin gets neither the chat nor a response of the visitor routes", async () => {
  const elsewhere = await startShop();
  const visitor = await visit(browser, elsewhere.page(snippet(parley, widget)));
  await launcher(visitor.page).click();
  await expect.poll(() => visitor.errors.join()).toContain("Is http://localhost");
  expect(visitor.errors.join()).toContain("frame-ancestors");
  expect(await visitor.page.frameLocator("iframe").locator("textarea").count()).toBe(0);
  const fromThere = `fetch("${parley.url}/widget-api/${widget.public_id}/messages", {
    method: "POST",
    headers: { "content-type": "application/json", "parley-session": "pvs_${"a".repeat(43)}" },
    body: JSON.stringify({ id: crypto.randomUUID(), body: "From elsewhere" }),
  }).then(({ status }) => status, () => "refused")`;
  expect(await visitor.page.evaluate(fromThere)).toBe("refused");
  expect(await parley.database.query("select 1 from messages where body = 'From elsewhere'")).toEqual([]);
  await visitor.close();
  await elsewhere.close();
});

it("a page with a strict policy and a nonce has no violation while its visitor opens, writes and closes", async () => {
  const policy = `default-src 'none'; script-src 'nonce-n1'; frame-src ${parley.url}; report-uri /csp`;
  const strict = shop.page(snippet(parley, widget, 'nonce="n1"'), { headers: { "content-security-policy": policy } });
  const visitor = await visit(browser, strict);
  const chat = await openChat(visitor.page);
  await write(chat, "Under a strict policy");
  await sent(chat, "Under a strict policy");
  await chat.locator("textarea").press("Escape");
  await expect.poll(() => launcher(visitor.page).getAttribute("aria-label")).toBe("Open chat");
  expect(visitor.errors).toEqual([]);
  expect(visitor.requests.filter((request) => request.includes("/csp"))).toEqual([]);
  await visitor.close();
});

const ROWS = `select (select count(*) from contacts) as contacts, (select count(*) from conversations) as conversations,
  (select count(*) from visitor_sessions) as sessions, (select count(*) from events) as events,
  (select count(*) from audit_logs) as audited`;
const TRACES = `Promise.all([indexedDB.databases(), window.caches?.keys() ?? []]).then(([databases, caches]) => ({
  stored: localStorage.length + sessionStorage.length + databases.length + caches.length, cookie: document.cookie }))`;

it("before the first message there is no cookie, no storage, no row, and only GETs of static files", async () => {
  const before = await parley.database.query(ROWS);
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  await chat.locator("textarea").fill("Not sent");
  await chat.getByRole("button", { name: "Options" }).click();
  await chat.getByRole("checkbox").check();
  await chat.locator("textarea").press("Escape");
  await launcher(visitor.page).click();
  expect(await chatFrame(visitor.page).evaluate(TRACES)).toEqual({ stored: 0, cookie: "" });
  expect(await visitor.page.evaluate(TRACES)).toEqual({ stored: 0, cookie: "" });
  expect(await visitor.context.cookies()).toEqual([]);
  const toParley = visitor.requests.filter((request) => request.includes(parley.url));
  const isStatic = (request: string) =>
    /^GET \S+\/(?:widget\.js|settings\.js|frame\?v=\w+|assets\/[\w-]+\.\w+)$/.test(request);
  expect(toParley.filter((request) => !isStatic(request))).toEqual([]);
  expect(toParley.length).toBeGreaterThan(3);
  expect(await parley.database.query(ROWS)).toEqual(before);
  await write(chat, "Now there is one");
  await sent(chat, "Now there is one");
  expect(await parley.database.query(ROWS)).not.toEqual(before);
  expect(await visitor.context.cookies()).toEqual([]);
  await visitor.close();
});

it("text of a visitor stays text, an agent's is Markdown, and links are made safely", async () => {
  const { page, errors, close } = await visit(browser, address);
  const chat = await openChat(page);
  const text = '**<img src=x onerror="alert(1)">** javascript:alert(1) https://example.com/a';
  await write(chat, text);
  await sent(chat, "https://example.com/a");
  expect(await logOf(chat)).toEqual([text]);
  const links = chat.locator(".bubble a");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "https://example.com/a",
  ]);
  expect(await links.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
  await reply(parley, {
    to: text,
    text: "**Yes**, <b>no</b>:\n- [here](https://example.com/b)\n- [there](javascript:alert)",
  });
  const bubble = chat.locator(".message.out .bubble", { hasText: "Yes" });
  await bubble.locator("strong", { hasText: "Yes" }).waitFor();
  expect(await bubble.locator("li").allTextContents()).toEqual(["here", "[there](javascript:alert)"]);
  expect(await bubble.locator("a").getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
  expect(await bubble.locator("b").count()).toBe(0);
  expect(await chat.locator(".bubble img").count()).toBe(0);
  // What is read aloud has no signs of Markdown.
  const announced = chat.locator("[aria-live=polite]");
  await expect.poll(() => announced.textContent()).toMatch(/: Yes, <b>no<\/b>: here /);
  expect(errors).toEqual([]);
  await close();
});

it("a visitor has several conversations, and the list shows where the unread reply is", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "One matter");
  await sent(chat, "One matter");
  const first = await conversationWith(parley, "One matter");
  await chat.getByRole("button", { name: "All conversations" }).click();
  await chat.getByRole("button", { name: "New conversation" }).click();
  await write(chat, "Another matter");
  await sent(chat, "Another matter");
  const second = await conversationWith(parley, "Another matter");
  expect(second.id).not.toBe(first.id);
  expect(second.contact.id).toBe(first.contact.id);
  await reply(parley, { to: "One matter", text: "About the first" });
  await chat.getByRole("button", { name: "All conversations" }).click();
  await chat.getByRole("button", { name: /About the first.*Unread messages: 1/s }).click();
  await received(chat, "About the first");
  expect(await bodiesOf(parley, second.id)).toEqual(["Another matter"]);
  await close();
});

it("a file goes with the first message, and required questions are asked before it is sent", async () => {
  const asking = await shopWidget(parley, shop, { ask_name: "required", ask_email: "required" });
  const { page, requests, close } = await visit(browser, shop.page(snippet(parley, asking)));
  const chat = await openChat(page);
  const file = { name: "receipt.txt", mimeType: "text/plain", buffer: Buffer.from("paid") };
  await chat.locator("input[type=file]").setInputFiles(file);
  await write(chat, "My receipt");
  await chat.getByRole("button", { name: "Continue" }).click();
  await chat.getByText("Please fill in this field.").first().waitFor();
  await chat.getByRole("textbox", { name: "Your name" }).fill("Ada");
  await chat.getByRole("textbox", { name: "Your e-mail address" }).fill("ada@example");
  await chat.getByRole("button", { name: "Continue" }).click();
  await chat.getByText("Enter an e-mail address").waitFor();
  expect(requests.filter((request) => request.includes("/widget-api/"))).toEqual([]);
  await chat.getByRole("textbox", { name: "Your e-mail address" }).fill("ada@example.com");
  await chat.getByRole("button", { name: "Continue" }).click();
  await sent(chat, "My receipt");
  await chat.getByRole("link", { name: /receipt\.txt/ }).waitFor();
  const { contact } = await conversationWith(parley, "My receipt");
  const { body } = await parley.call("GET", `/contacts/${contact.id}`);
  expect(body.data).toMatchObject({ name: "Ada", email: null, unverified_email: "ada@example.com" });
  await close();
});

it("the newest message stays in view when a question appears below it, as do older ones being read", async () => {
  const texts = { en: { greeting: "A long greeting.\n".repeat(29) } };
  const asking = await shopWidget(parley, shop, { ask_email: "optional", texts });
  const { page, close } = await visit(browser, shop.page(snippet(parley, asking)));
  const chat = await openChat(page);
  await write(chat, "What is at the end?");
  await chat.getByText("Where can we reach you").waitFor();
  const log = chat.getByRole("log");
  const toEnd = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await expect.poll(toEnd).toBeLessThan(2);
  await log.evaluate((box) => box.scrollTo(0, 50));
  await chat.getByRole("button", { name: "No, thanks" }).click();
  await reply(parley, { to: "What is at the end?", text: "Read this later" });
  await received(chat, "Read this later");
  expect(await log.evaluate((box) => box.scrollTop)).toBe(50);
  await close();
});

it("an inactive widget and an unknown one draw nothing", async () => {
  const inactive = await shopWidget(parley, shop, { is_active: false });
  const unknown = { ...widget, public_id: `wid_${"0".repeat(24)}` };
  for (const one of [inactive, unknown]) {
    const { page, errors, close } = await visit(browser, "about:blank");
    const settings = page.waitForResponse(/\/settings\.js$/);
    await page.goto(shop.page(snippet(parley, one)));
    await settings;
    expect(await page.locator("parley-widget").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  }
});

it("a limit says how long to wait, and the message is sent then", async () => {
  const { page, close } = await visit(browser, address);
  // The window of the server is a minute: the first refusal is a shorter one.
  const error = { code: "RATE_LIMIT_EXCEEDED", message: "Too fast.", retry_after: 2 };
  await page.route("**/widget-api/*/messages", (route) => route.fulfill({ status: 429, json: { error } }), {
    times: 1,
  });
  const chat = await openChat(page);
  await write(chat, "Fast 1");
  await chat.getByText(/Yours is sent in [12] s/).waitFor();
  await sent(chat, "Fast 1");
  expect(await chat.getByRole("alert").count()).toBe(0);
  for (const text of ["Fast 2", "Fast 3"]) {
    await write(chat, text);
    await sent(chat, text);
  }
  await write(chat, "Fast 4");
  await chat.getByText(/Yours is sent in \d+ s/).waitFor();
  expect(await logOf(chat)).toEqual(["Fast 1", "Fast 2", "Fast 3"]);
  expect(await bodiesOf(parley, (await conversationWith(parley, "Fast 1")).id)).toEqual(["Fast 1", "Fast 2", "Fast 3"]);
  await close();
});

it("sessions that an agent ends are over: nothing is sent by itself, and what was typed is kept", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "First of two sessions");
  await sent(chat, "First of two sessions");
  const { contact } = await conversationWith(parley, "First of two sessions");
  await chat.locator("textarea").fill("Half a sentence");
  await parley.call("DELETE", `/contacts/${contact.id}/sessions`);
  await chat.getByText("This chat has ended.").waitFor();
  expect(await chat.locator("textarea").inputValue()).toBe("Half a sentence");
  expect(await logOf(chat)).toEqual([]);
  expect(await chatFrame(page).evaluate("localStorage.length")).toBe(0);
  await chat.locator("textarea").press("Enter");
  await sent(chat, "Half a sentence");
  const next = await conversationWith(parley, "Half a sentence");
  expect(next.contact.id).not.toBe(contact.id);
  await close();
});

it("a blocked visitor reads a neutral sentence, and the chat starts no new session by itself", async () => {
  const { page, requests, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before the block");
  await sent(chat, "Before the block");
  const { contact } = await conversationWith(parley, "Before the block");
  await parley.call("PATCH", `/contacts/${contact.id}`, { body: { blocked: true } });
  await chat.getByText("Messages cannot be sent at the moment.").waitFor();
  await write(chat, "After the block");
  expect(await chat.locator("textarea").inputValue()).toBe("After the block");
  expect(await parley.database.query("select 1 from messages where body = 'After the block'")).toEqual([]);
  expect(requests.filter((request) => request.endsWith("/session"))).toEqual([]);
  await page.reload();
  await openChat(page);
  await chat.getByText("Messages cannot be sent at the moment.").waitFor();
  await close();
});

it("after logout the chat is as before the first message, here and on the server", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "To be forgotten");
  await sent(chat, "To be forgotten");
  const { contact } = await conversationWith(parley, "To be forgotten");
  await page.evaluate('Parley("logout")');
  await expect.poll(() => logOf(chat)).toEqual([]);
  await expect.poll(() => chatFrame(page).evaluate("localStorage.length")).toBe(0);
  const open = "select 1 from visitor_sessions where contact_id = $1 and ended_at is null";
  await expect.poll(() => parley.database.query(open, [contact.id])).toEqual([]);
  await page.reload();
  expect(await logOf(await openChat(page))).toEqual([]);
  await close();
});

const openSessionsWith = (text: string) =>
  parley.database.query(
    `select s.id from visitor_sessions s join messages m on m.workspace_id = s.workspace_id and m.sender_id = s.contact_id
     where m.body = $1 and m.sender_type = 'contact' and s.ended_at is null`,
    [text],
  );

it("a logout without a network, of an inactive widget too, ends the session when the network is back", async () => {
  const closing = await shopWidget(parley, shop);
  const { page, context, close } = await visit(browser, shop.page(snippet(parley, closing)));
  const chat = await openChat(page);
  await write(chat, "Leaving without a network");
  await sent(chat, "Leaving without a network");
  await context.setOffline(true);
  await parley.call("PATCH", `/widgets/${closing.id}`, { body: { is_active: false } });
  await page.evaluate('Parley("logout")');
  await expect.poll(() => logOf(chat)).toEqual([]);
  expect(await openSessionsWith("Leaving without a network")).toHaveLength(1);
  await context.setOffline(false);
  await expect.poll(() => openSessionsWith("Leaving without a network"), { timeout: 20_000 }).toEqual([]);
  await close();
});

it("a logout while the first message is being sent ends the session that the message starts", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isHeld = new Promise<void>((resolve) => {
    page.route("**/widget-api/*/messages", async (route) => {
      resolve();
      await released;
      await route.continue();
    });
  });
  await write(chat, "Sent while leaving");
  await isHeld;
  await page.evaluate('Parley("logout")');
  await expect.poll(() => logOf(chat)).toEqual([]);
  release();
  await conversationWith(parley, "Sent while leaving");
  await expect.poll(() => openSessionsWith("Sent while leaving"), { timeout: 20_000 }).toEqual([]);
  expect(await logOf(chat)).toEqual([]);
  await close();
});

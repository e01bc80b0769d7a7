import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureBuilt } from "../support/cli.ts";
import { full } from "../support/proof.ts";
import { startVisitorDouble, type VisitorDouble } from "../support/visitor-double.ts";
import { launchChromium } from "./support.ts";
import {
  chatFrame,
  launcher,
  logOf,
  openChat,
  received,
  type Shop,
  sent,
  snippet,
  startShop,
  visit,
  write,
} from "./widget-support.ts";

let server: VisitorDouble;
let browser: Browser;
let shop: Shop;
let address: string;
beforeAll(async () => {
  await ensureBuilt();
  [browser, shop] = await Promise.all([launchChromium(), startShop()]);
}, 300_000);
beforeEach(async () => {
  server = await startVisitorDouble(shop.origin);
  address = shop.page(snippet(server));
  return () => server.close();
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
});

const storedTexts = () => server.stored().map(({ body }) => body);

it("before the first message there is no cookie, no storage, and no request but GETs of static files", async () => {
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  await chat.locator("textarea").fill("Not sent");
  await chat.getByRole("button", { name: "Options" }).click();
  await chat.getByRole("checkbox").check();
  await chat.locator("textarea").press("Escape");
  await launcher(visitor.page).click();
  const traces = async () =>
    chatFrame(visitor.page).evaluate(
      "indexedDB.databases().then(({ length }) => ({ stored: localStorage.length + sessionStorage.length, databases: length, cookie: document.cookie }))",
    ) as Promise<{ stored: number; databases: number; cookie: string }>;
  expect(await traces()).toEqual({ stored: 0, databases: 0, cookie: "" });
  expect(await visitor.context.cookies()).toEqual([]);
  expect(server.requests).toEqual([]);
  const toParley = visitor.requests.filter((request) => request.includes(server.url));
  const isStatic = (request: string) =>
    /^GET \S+\/(?:widget\.js|settings\.js|frame\?v=\w+|assets\/[\w-]+\.\w+)$/.test(request);
  expect(toParley.filter((request) => !isStatic(request))).toEqual([]);
  expect(toParley.length).toBeGreaterThan(3);
  await write(chat, "Now there is one");
  await sent(chat, "Now there is one");
  expect((await traces()).stored).toBeGreaterThan(0);
  expect(await visitor.context.cookies()).toEqual([]);
  await visitor.close();
});

it("a page with a strict policy and a nonce has no violation while its visitor opens, writes and closes", async () => {
  const policy = `default-src 'none'; script-src 'nonce-n1'; frame-src ${server.url}`;
  const strict = shop.page(snippet(server, 'nonce="n1"'), { headers: { "content-security-policy": policy } });
  const visitor = await visit(browser, strict);
  const chat = await openChat(visitor.page);
  await write(chat, "Under a strict policy");
  await sent(chat, "Under a strict policy");
  await chat.locator("textarea").press("Escape");
  await expect.poll(() => launcher(visitor.page).getAttribute("aria-label")).toBe("Open chat");
  expect(visitor.errors).toEqual([]);
  await visitor.close();
});

it("a page of another origin gets no chat, and its console says why", async () => {
  const elsewhere = await startShop();
  const visitor = await visit(browser, elsewhere.page(snippet(server)));
  await launcher(visitor.page).click();
  await expect.poll(() => visitor.errors.join(), { timeout: 15_000 }).toContain("Is http://localhost");
  expect(await visitor.page.frameLocator("iframe").locator("textarea").count()).toBe(0);
  await visitor.close();
  await elsewhere.close();
});

it("a reload and a second tab show every message once, and what one tab sends the other shows", async () => {
  const { page, context, close } = await visit(browser, address);
  await write(await openChat(page), "From the first tab");
  await expect.poll(storedTexts).toEqual(["From the first tab"]);
  await page.reload();
  const chat = await openChat(page);
  await sent(chat, "From the first tab");
  const other = await context.newPage();
  await other.goto(address);
  const second = await openChat(other);
  await sent(second, "From the first tab");
  await write(second, "From the second tab");
  await sent(chat, "From the second tab");
  server.reply("To both");
  await Promise.all([received(chat, "To both"), received(second, "To both")]);
  const expected = ["From the first tab", "From the second tab", "To both"];
  expect(await logOf(chat)).toEqual(expected);
  expect(await logOf(second)).toEqual(expected);
  expect(storedTexts()).toEqual(expected);
  await close();
});

it("what is written offline is marked, and sent once and in order when the network is back", async () => {
  const { page, context, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Online");
  await sent(chat, "Online");
  await context.setOffline(true);
  await chat.getByRole("status").filter({ hasText: "You are offline" }).waitFor();
  await write(chat, "Offline one");
  await write(chat, "Offline two");
  await chat.getByText("Not sent yet").nth(1).waitFor();
  server.reply("Written meanwhile");
  if (full) await page.waitForTimeout(60_000);
  expect(storedTexts()).toEqual(["Online", "Written meanwhile"]);
  await context.setOffline(false);
  await sent(chat, "Offline two");
  await received(chat, "Written meanwhile");
  await chat.getByRole("status").filter({ hasText: "Connected" }).waitFor();
  const expected = ["Online", "Written meanwhile", "Offline one", "Offline two"];
  expect(await logOf(chat)).toEqual(expected);
  expect(storedTexts()).toEqual(expected);
  await close();
});

it("a first message whose response is lost is stored once, over retries and a reload", async () => {
  const { page, close } = await visit(browser, address);
  server.intercept = (route) => (route === "POST messages" ? "lost" : null);
  await write(await openChat(page), "Sent once");
  const chat = page.frameLocator("iframe");
  await chat.getByRole("status").filter({ hasText: "No connection" }).waitFor();
  await chat.getByText("Not sent yet").waitFor();
  await expect.poll(() => server.requests.filter((route) => route === "POST messages").length).toBeGreaterThan(1);
  await page.reload();
  server.intercept = () => null;
  await sent(await openChat(page), "Sent once");
  server.reply("Once");
  await received(chat, "Once");
  expect(await logOf(chat)).toEqual(["Sent once", "Once"]);
  expect(storedTexts()).toEqual(["Sent once", "Once"]);
  await close();
});

it("a server that is unavailable is reported, and the chat continues without a gap or a repeat", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before");
  await sent(chat, "Before");
  server.intercept = () => "refused";
  server.cutStreams();
  await chat.getByRole("status").filter({ hasText: "No connection" }).waitFor();
  await write(chat, "During");
  server.reply("Meanwhile");
  server.intercept = () => null;
  await sent(chat, "During");
  await received(chat, "Meanwhile");
  expect(await logOf(chat)).toEqual(["Before", "Meanwhile", "During"]);
  expect(storedTexts()).toEqual(["Before", "Meanwhile", "During"]);
  await close();
});

it("a page that was frozen shows what came meanwhile once, and sends what is written then", async () => {
  const { page, context, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before sleep");
  await sent(chat, "Before sleep");
  const session = await context.newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  server.reply("During sleep");
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await received(chat, "During sleep");
  await write(chat, "After sleep");
  await sent(chat, "After sleep");
  expect(await logOf(chat)).toEqual(["Before sleep", "During sleep", "After sleep"]);
  await close();
});

it("a browser that blocks storage chats in memory", async () => {
  const { page, context, errors, close } = await visit(browser, "about:blank");
  await context.addInitScript(`if (location.pathname.startsWith("/widget/"))
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError") } });`);
  await page.goto(address);
  const chat = await openChat(page);
  await write(chat, "Without storage");
  await sent(chat, "Without storage");
  server.reply("Received");
  await received(chat, "Received");
  expect(errors).toEqual([]);
  await close();
});

it("a limit says how long to wait, and the message is sent then", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  let refusals = 0;
  server.intercept = (route) => {
    if (route !== "POST messages" || refusals > 0) return null;
    refusals += 1;
    return { status: 429, error: { code: "RATE_LIMIT_EXCEEDED", message: "", retry_after: 3 } };
  };
  await write(chat, "Too fast");
  await chat.getByText(/Yours is sent in [1-3] s/).waitFor();
  await sent(chat, "Too fast");
  expect(await chat.getByRole("alert").count()).toBe(0);
  expect(storedTexts()).toEqual(["Too fast"]);
  await close();
});

it("after the end of a session nothing is sent by itself, and what was typed is kept", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "First");
  await sent(chat, "First");
  await chat.locator("textarea").fill("Half a sentence");
  server.endSessions();
  await chat.getByText("This chat has ended.").waitFor();
  expect(await chat.locator("textarea").inputValue()).toBe("Half a sentence");
  expect(await logOf(chat)).toEqual([]);
  expect(await chatFrame(page).evaluate("localStorage.length")).toBe(0);
  const before = server.requests.length;
  await chat.locator("textarea").press("Enter");
  await sent(chat, "Half a sentence");
  expect(server.requests.slice(before)).toContain("POST messages");
  await close();
});

it("a change of identity shows and stores nothing of the first one, and logout leaves no trace", async () => {
  const token = (sub: string) => `x.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.x`;
  const identified = shop.page(snippet(server, `data-token="${token("user-1")}"`));
  const { page, close } = await visit(browser, identified);
  const chat = await openChat(page);
  await write(chat, "Of the first person");
  await sent(chat, "Of the first person");
  await page.evaluate(`Parley("identify", ${JSON.stringify(token("user-2"))})`);
  await expect.poll(() => logOf(chat)).toEqual([]);
  await write(chat, "Of the second person");
  await sent(chat, "Of the second person");
  expect(await logOf(chat)).toEqual(["Of the second person"]);
  const storage = () => chatFrame(page).evaluate("JSON.stringify({ ...localStorage })");
  expect(await storage()).not.toContain("user-1");
  await page.evaluate('Parley("logout")');
  await expect.poll(() => logOf(chat)).toEqual([]);
  await expect.poll(storage).toBe("{}");
  expect(server.requests.filter((route) => route === "DELETE session")).toHaveLength(2);
  await close();
});

it("an expired identity is reported to the page, and what was typed is sent with the next one", async () => {
  const token = `x.${Buffer.from('{"sub":"user-1"}').toString("base64url")}.x`;
  const listen = `<script>window.Parley ||= function () { (Parley.q ||= []).push(arguments) };
    Parley("on", "identity-expired", () => { window.expired = (window.expired ?? 0) + 1 });</script>`;
  const { page, close } = await visit(browser, shop.page(listen + snippet(server, `data-token="${token}"`)));
  const chat = await openChat(page);
  let isExpired = true;
  server.intercept = (route) =>
    isExpired && route === "POST messages" ? { status: 401, error: { code: "IDENTITY_EXPIRED", message: "" } } : null;
  await write(chat, "Kept until then");
  await expect.poll(() => page.evaluate("window.expired")).toBe(1);
  await chat.getByText("Please sign in again.").waitFor();
  isExpired = false;
  await page.evaluate(`Parley("identify", ${JSON.stringify(token)})`);
  await sent(chat, "Kept until then");
  expect(storedTexts()).toEqual(["Kept until then"]);
  await close();
});

it("a file goes with the first message, and required questions are asked before it is sent", async () => {
  server.settings = { ...server.settings, ask_name: "required", ask_email: "required" };
  const { page, close } = await visit(browser, address);
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
  expect(server.requests).toEqual([]);
  await chat.getByRole("textbox", { name: "Your e-mail address" }).fill("ada@example.com");
  await chat.getByRole("button", { name: "Continue" }).click();
  await sent(chat, "My receipt");
  expect(server.stored()[0]?.attachments).toHaveLength(1);
  expect(server.requests.slice(0, 3)).toEqual(["POST session", "POST files", "POST messages"]);
  await close();
});

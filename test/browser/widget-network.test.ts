import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { type ParleyProcess, startProcess } from "../support/parley-process.ts";
import { full } from "../support/proof.ts";
import { launchChromium } from "./support.ts";
import {
  bodiesOf,
  conversationWith,
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

let database: TestDatabase;
let server: ParleyProcess;
let port: number;
let browser: Browser;
let shop: Shop;
let address: string;
const serve = () => startProcess("serve", database, { PORT: String(port), PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "1000" });
beforeAll(async () => {
  [database, browser, shop, port] = await Promise.all([
    createTestDatabase(),
    launchChromium(),
    startShop(),
    freePort(),
  ]);
  server = await serve();
  address = shop.page(snippet(server, await shopWidget(server, shop)));
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  if (server?.isAlive()) await server.end("SIGTERM");
  await database?.drop();
});

const storedWith = async (text: string): Promise<string[]> =>
  bodiesOf(server, (await conversationWith(server, text)).id);

it("a reload and a second tab show every message once, and what one tab sends the other shows", async () => {
  const { page, context, close } = await visit(browser, address);
  await write(await openChat(page), "From the first tab");
  await conversationWith(server, "From the first tab");
  await page.reload();
  const chat = await openChat(page);
  await sent(chat, "From the first tab");
  const other = await context.newPage();
  await other.goto(address);
  const second = await openChat(other);
  await sent(second, "From the first tab");
  await write(second, "From the second tab");
  await sent(chat, "From the second tab");
  await reply(server, { to: "From the first tab", text: "To both" });
  await Promise.all([received(chat, "To both"), received(second, "To both")]);
  const expected = ["From the first tab", "From the second tab", "To both"];
  expect(await logOf(chat)).toEqual(expected);
  expect(await logOf(second)).toEqual(expected);
  expect(await storedWith("To both")).toEqual(expected);
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
  await reply(server, { to: "Online", text: "Written meanwhile" });
  if (full) await page.waitForTimeout(60_000);
  expect(await storedWith("Online")).toEqual(["Online", "Written meanwhile"]);
  await context.setOffline(false);
  await sent(chat, "Offline two");
  await received(chat, "Written meanwhile");
  await chat.getByRole("status").filter({ hasText: "Connected" }).waitFor();
  const expected = ["Online", "Written meanwhile", "Offline one", "Offline two"];
  expect(await logOf(chat)).toEqual(expected);
  await page.reload();
  await sent(await openChat(page), "Offline two");
  expect(await logOf(chat)).toEqual(expected);
  expect(await storedWith("Online")).toEqual(expected);
  await close();
});

it("a server killed between a first message and its response has stored it once", async () => {
  const { page, close } = await visit(browser, address);
  let attempts = 0;
  await page.route("**/widget-api/*/messages", async (route) => {
    attempts += 1;
    if (attempts > 1) return route.continue();
    await route.fetch();
    await server.end("SIGKILL");
    return route.abort("connectionreset");
  });
  const chat = await openChat(page);
  await write(chat, "Sent once");
  await chat.getByRole("status").filter({ hasText: "No connection" }).waitFor();
  await chat.getByText("Not sent yet").waitFor();
  const restarted = serve();
  await expect.poll(() => attempts).toBeGreaterThan(1);
  server = await restarted;
  await page.reload();
  await sent(await openChat(page), "Sent once");
  await reply(server, { to: "Sent once", text: "Once" });
  await received(chat, "Once");
  expect(await logOf(chat)).toEqual(["Sent once", "Once"]);
  const stored = await database.query("select body from messages where body = 'Sent once'");
  expect(stored).toHaveLength(1);
  await close();
});

it("a server killed under an open chat is reported, and the chat continues without a gap or a repeat", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before the crash");
  await sent(chat, "Before the crash");
  await server.end("SIGKILL");
  await chat.getByRole("status").filter({ hasText: "No connection" }).waitFor();
  await write(chat, "During the crash");
  server = await serve();
  await reply(server, { to: "Before the crash", text: "After the crash" });
  await received(chat, "After the crash");
  await sent(chat, "During the crash");
  const stored = await storedWith("Before the crash");
  expect([...stored].sort()).toEqual(["After the crash", "Before the crash", "During the crash"]);
  await expect.poll(() => logOf(chat)).toEqual(stored);
  await close();
});

it("a page that was frozen shows what came meanwhile once, and sends what is written then", async () => {
  const { page, context, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before sleep");
  await sent(chat, "Before sleep");
  const session = await context.newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await reply(server, { to: "Before sleep", text: "During sleep" });
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await received(chat, "During sleep");
  await write(chat, "After sleep");
  await sent(chat, "After sleep");
  expect(await logOf(chat)).toEqual(["Before sleep", "During sleep", "After sleep"]);
  expect(await storedWith("Before sleep")).toEqual(["Before sleep", "During sleep", "After sleep"]);
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
  await reply(server, { to: "Without storage", text: "Received without it" });
  await received(chat, "Received without it");
  expect(errors).toEqual([]);
  await close();
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { inSeconds, signToken, type TestWidget } from "../support/visitor.ts";
import { launchChromium } from "./support.ts";
import {
  chatFrame,
  conversationWith,
  identityToken,
  logOf,
  openChat,
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
let shop: Shop;
let widget: TestWidget;
let address: string;
beforeAll(async () => {
  const limits = { PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "1000" };
  [parley, browser, shop] = await Promise.all([startParley(limits), launchChromium(), startShop()]);
  widget = await shopWidget(parley, shop);
  address = shop.page(snippet(parley, widget));
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await parley?.close();
});

const pageOf = (token: string, before = ""): string =>
  shop.page(before + snippet(parley, widget, `data-token="${token}"`));
const identify = (page: Page, token: string): Promise<unknown> =>
  page.evaluate(`Parley("identify", ${JSON.stringify(token)})`);
const ownerOf = async (text: string): Promise<string | null> =>
  (await conversationWith(parley, text)).contact.external_id;

it("an identified visitor is the contact of their id, and sees their conversations in another browser", async () => {
  const token = identityToken(widget, { sub: "user-7", name: "Grace", email: "grace@example.com" });
  const first = await visit(browser, pageOf(token));
  await write(await openChat(first.page), "My invoice is wrong");
  const { contact } = await conversationWith(parley, "My invoice is wrong");
  const { body } = await parley.call("GET", `/contacts/${contact.id}`);
  expect(body.data).toMatchObject({ external_id: "user-7", name: "Grace", email: "grace@example.com" });
  await first.close();
  const second = await visit(browser, pageOf(token));
  const chat = await openChat(second.page);
  await sent(chat, "My invoice is wrong");
  expect(await logOf(chat)).toEqual(["My invoice is wrong"]);
  await second.close();
});

it("what a visitor wrote before signing in becomes theirs, and nobody after them sees it", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Before signing in");
  await sent(chat, "Before signing in");
  await identify(page, identityToken(widget, { sub: "user-8" }));
  await expect.poll(() => ownerOf("Before signing in")).toBe("user-8");
  await sent(chat, "Before signing in");
  await identify(page, identityToken(widget, { sub: "user-9" }));
  await expect.poll(() => logOf(chat)).toEqual([]);
  await write(chat, "I am someone else");
  await sent(chat, "I am someone else");
  expect(await logOf(chat)).toEqual(["I am someone else"]);
  expect(await ownerOf("I am someone else")).toBe("user-9");
  const storage = () => chatFrame(page).evaluate("JSON.stringify({ ...localStorage })");
  expect(await storage()).not.toContain("user-8");
  expect(await storage()).not.toContain("Before signing in");
  await page.evaluate('Parley("logout")');
  await expect.poll(() => logOf(chat)).toEqual([]);
  await expect.poll(storage).toBe("{}");
  const open = `select s.id from visitor_sessions s join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
    where c.external_id in ('user-8', 'user-9') and s.ended_at is null`;
  await expect.poll(() => parley.database.query(open)).toEqual([]);
  await close();
});

it("a forged, unsigned or expired identity is refused, and the visitor stays who they were", async () => {
  const claims = { sub: "user-7", exp: inSeconds(600) };
  const forged = signToken(`wis_${Buffer.alloc(32).toString("base64")}`, claims);
  const unsigned = signToken(widget.secret, claims, { alg: "none" });
  const expired = signToken(widget.secret, { ...claims, exp: inSeconds(-120) });
  const visitor = await visit(browser, pageOf(forged));
  const chat = await openChat(visitor.page);
  const refusals = () => visitor.errors.filter((error) => error.includes("was refused")).length;
  await expect.poll(refusals).toBe(1);
  await identify(visitor.page, unsigned);
  await expect.poll(refusals).toBe(2);
  await visitor.page.evaluate('Parley("on", "identity-expired", () => { window.expired = true })');
  await identify(visitor.page, expired);
  await expect.poll(() => visitor.page.evaluate("window.expired")).toBe(true);
  await write(chat, "Nobody in particular");
  await sent(chat, "Nobody in particular");
  expect(await ownerOf("Nobody in particular")).toBeNull();
  expect(await logOf(chat)).toEqual(["Nobody in particular"]);
  await visitor.close();
});

it("an expired identity is reported to the page, and what was typed is sent with the next one", async () => {
  const listen = `<script>window.Parley ||= function () { (Parley.q ||= []).push(arguments) };
    Parley("on", "identity-expired", () => { window.expired = (window.expired ?? 0) + 1 });</script>`;
  const { page, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-11" }), listen));
  const chat = await openChat(page);
  await write(chat, "While it is valid");
  await sent(chat, "While it is valid");
  await parley.database.query(
    "update visitor_sessions set identity_expires_at = now() - interval '2 minutes' where identity->>'sub' = 'user-11'",
  );
  await write(chat, "Kept until then");
  await expect.poll(() => page.evaluate("window.expired")).toBe(1);
  await chat.getByText("Please sign in again.").waitFor();
  await identify(page, identityToken(widget, { sub: "user-11" }));
  await sent(chat, "Kept until then");
  expect(await logOf(chat)).toEqual(["While it is valid", "Kept until then"]);
  expect(await ownerOf("Kept until then")).toBe("user-11");
  await close();
});

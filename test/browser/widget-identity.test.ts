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

/** Holds the verification of identities on this page until the returned function is called. */
async function holdIdentities(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/widget-api/*/session", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  return release;
}

it("while another person's identity is verified, nothing of the first one's is shown or sent as theirs", async () => {
  const { page, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-12" })));
  const chat = await openChat(page);
  await write(chat, "Private of twelve");
  await sent(chat, "Private of twelve");
  const release = await holdIdentities(page);
  await identify(page, identityToken(widget, { sub: "user-13" }));
  await expect.poll(() => logOf(chat)).toEqual([]);
  await write(chat, "Typed by thirteen");
  await chat.locator(".pending").waitFor();
  release();
  await sent(chat, "Typed by thirteen");
  expect(await logOf(chat)).toEqual(["Typed by thirteen"]);
  expect(await ownerOf("Typed by thirteen")).toBe("user-13");
  await close();
});

it("a page with another person's token shows nothing that the first one had not sent yet", async () => {
  const { page, context, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-14" })));
  const chat = await openChat(page);
  await write(chat, "Sent by fourteen");
  await sent(chat, "Sent by fourteen");
  await context.setOffline(true);
  await write(chat, "Unsent of fourteen");
  await chat.getByText("Not sent yet").waitFor();
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  const release = await holdIdentities(next);
  await next.goto(pageOf(identityToken(widget, { sub: "user-15" })));
  const other = await openChat(next);
  await other.getByRole("status").filter({ hasText: "Connecting" }).waitFor();
  expect(await other.locator(".pending").count()).toBe(0);
  release();
  await other.getByRole("status").filter({ hasText: "Connected" }).waitFor();
  await write(other, "Written by fifteen");
  await sent(other, "Written by fifteen");
  expect(await logOf(other)).toEqual(["Written by fifteen"]);
  expect(await chatFrame(next).evaluate("JSON.stringify({ ...localStorage })")).not.toContain("fourteen");
  await close();
});

it("an identity that is refused or expired shows nothing of another one's, who finds it again", async () => {
  const listen = `<script>window.Parley ||= function () { (Parley.q ||= []).push(arguments) };
    Parley("on", "identity-expired", () => { window.expired = true });</script>`;
  const { page, errors, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-30" })));
  const chat = await openChat(page);
  await write(chat, "Private of thirty");
  await sent(chat, "Private of thirty");
  await chat.locator("textarea").fill("Half a sentence of thirty");
  const forged = signToken(`wis_${Buffer.alloc(32).toString("base64")}`, { sub: "user-31", exp: inSeconds(600) });
  await identify(page, forged);
  await expect.poll(() => errors.filter((error) => error.includes("was refused"))).toHaveLength(1);
  expect(await chat.locator("textarea").inputValue()).toBe("");
  await write(chat, "While it is refused");
  await sent(chat, "While it is refused");
  expect(await logOf(chat)).toEqual(["While it is refused"]);
  // Nor on the next page, which says the same.
  const expired = identityToken(widget, { sub: "user-31", exp: inSeconds(-120) });
  await page.goto(pageOf(expired, listen));
  const next = await openChat(page);
  await expect.poll(() => page.evaluate("window.expired")).toBe(true);
  await write(next, "By nobody in particular yet");
  await sent(next, "By nobody in particular yet");
  expect(await logOf(next)).toEqual(["By nobody in particular yet"]);
  expect(await ownerOf("By nobody in particular yet")).toBeNull();
  // Of the next two, neither gets what was written under that name.
  await identify(page, identityToken(widget, { sub: "user-30" }));
  await sent(next, "Private of thirty");
  expect(await logOf(next)).toEqual(["Private of thirty"]);
  await identify(page, identityToken(widget, { sub: "user-32" }));
  await write(next, "I am thirty-two");
  await sent(next, "I am thirty-two");
  expect(await logOf(next)).toEqual(["I am thirty-two"]);
  expect(await ownerOf("By nobody in particular yet")).toBeNull();
  await close();
});

it("what was written under a refused identity is not the next person's, and moves when it is accepted", async () => {
  const { page, errors, close } = await visit(browser, address);
  const chat = await openChat(page);
  const expired = (sub: string) => identityToken(widget, { sub, exp: inSeconds(-120) });
  await page.evaluate('Parley("on", "identity-expired", () => { window.expired = (window.expired ?? 0) + 1 })');
  await identify(page, expired("user-33"));
  await expect.poll(() => page.evaluate("window.expired")).toBe(1);
  await write(chat, "Written by thirty-three");
  await sent(chat, "Written by thirty-three");
  await identify(page, expired("user-34"));
  await expect.poll(() => page.evaluate("window.expired")).toBe(2);
  expect(await logOf(chat)).toEqual([]);
  await identify(page, identityToken(widget, { sub: "user-33" }));
  await sent(chat, "Written by thirty-three");
  expect(await ownerOf("Written by thirty-three")).toBe("user-33");
  expect(errors).toEqual([]);
  await close();
});

it("a tab whose page names one person does not show what another one writes in another tab", async () => {
  const first = await visit(browser, pageOf(identityToken(widget, { sub: "user-35" })));
  const page = await first.context.newPage();
  await page.goto(address);
  await page.evaluate('Parley("on", "identity-expired", () => { window.expired = true })');
  await identify(page, identityToken(widget, { sub: "user-36", exp: inSeconds(-120) }));
  const other = await openChat(page);
  await expect.poll(() => page.evaluate("window.expired")).toBe(true);
  const chat = await openChat(first.page);
  await write(chat, "Written by thirty-five");
  await sent(chat, "Written by thirty-five");
  await write(other, "Not thirty-five");
  await sent(other, "Not thirty-five");
  expect(await logOf(other)).toEqual(["Not thirty-five"]);
  expect(await logOf(chat)).toEqual(["Written by thirty-five"]);
  expect(await ownerOf("Not thirty-five")).toBeNull();
  await first.close();
});

it("a blocked person who signs in to another browser reads that nothing can be sent", async () => {
  const { body } = await parley.call("POST", "/contacts", { body: { external_id: "user-37" } });
  await parley.call("PATCH", `/contacts/${body.data.id}`, { body: { blocked: true } });
  const { page, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-37" })));
  const chat = await openChat(page);
  await chat.getByText("Messages cannot be sent at the moment.").waitFor();
  await close();
});

it("of two identities at once the last one counts, and after a logout none", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Anonymous at first");
  await sent(chat, "Anonymous at first");
  const tokens = ["user-16", "user-17"].map((sub) => identityToken(widget, { sub }));
  await page.evaluate(`for (const token of ${JSON.stringify(tokens)}) Parley("identify", token)`);
  await chat.getByRole("status").filter({ hasText: "Connected" }).waitFor();
  await write(chat, "By the last one");
  await sent(chat, "By the last one");
  expect(await ownerOf("By the last one")).toBe("user-17");
  const release = await holdIdentities(page);
  const verified = page.waitForResponse((response) => response.url().endsWith("/session") && response.ok());
  await identify(page, identityToken(widget, { sub: "user-18" }));
  await page.evaluate('Parley("logout")');
  release();
  await verified;
  await write(chat, "By nobody in particular");
  await sent(chat, "By nobody in particular");
  expect(await ownerOf("By nobody in particular")).toBeNull();
  await close();
});

it("a signed-in visitor whose sessions an agent has ended writes on as the same person", async () => {
  const { page, close } = await visit(browser, pageOf(identityToken(widget, { sub: "user-19" })));
  const chat = await openChat(page);
  await write(chat, "Before the end");
  await sent(chat, "Before the end");
  const { contact } = await conversationWith(parley, "Before the end");
  await parley.call("DELETE", `/contacts/${contact.id}/sessions`);
  await chat.getByText("This chat has ended.").waitFor();
  await write(chat, "After the end");
  await sent(chat, "After the end");
  expect(await ownerOf("After the end")).toBe("user-19");
  await close();
});

it("a snippet that is added again with a token says who the visitor is now", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  await write(chat, "Not signed in yet");
  await sent(chat, "Not signed in yet");
  const token = identityToken(widget, { sub: "user-20" });
  await page.evaluate(`{
    const old = document.querySelector("script[data-widget]");
    const next = document.createElement("script");
    next.src = old.src;
    next.dataset.widget = old.dataset.widget;
    next.dataset.token = ${JSON.stringify(token)};
    old.remove();
    document.body.append(next);
  }`);
  await expect.poll(() => ownerOf("Not signed in yet")).toBe("user-20");
  await sent(chat, "Not signed in yet");
  await close();
});

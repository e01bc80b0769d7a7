import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import type { TestWidget } from "../support/visitor.ts";
import { launchChromium } from "./support.ts";
import {
  chatFrame,
  conversationWith,
  launcher,
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
let shop: Shop;
let widget: TestWidget;
let address: string;
beforeAll(async () => {
  const limits = { PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "1000" };
  [parley, browser, shop] = await Promise.all([startParley(limits), launchChromium(), startShop()]);
  widget = await shopWidget(parley, shop);
  address = shop.page(`<main><h1>Shop</h1></main>${snippet(parley, widget)}`);
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await parley?.close();
});

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

async function faultsIn(place: Page | Frame): Promise<string[]> {
  await place.evaluate(axeSource);
  return place.evaluate(
    `axe.run(document, ${JSON.stringify({ ...RULES, iframes: false })}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " at " + target + ": " + failureSummary)))`,
  ) as Promise<string[]>;
}

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

describe("axe finds nothing in the launcher and the chat of the widget", () => {
  it.each([
    ["in light and wide", { colorScheme: "light", viewport: WIDE }],
    ["in dark and wide", { colorScheme: "dark", viewport: WIDE }],
    ["in light and narrow", { colorScheme: "light", viewport: NARROW }],
    ["in dark and narrow", { colorScheme: "dark", viewport: NARROW }],
  ] as const)("%s", async (name, options) => {
    const asking = snippet(parley, await shopWidget(parley, shop, { ask_email: "optional" }));
    const { page, close } = await visit(browser, shop.page(`<main><h1>Shop</h1></main>${asking}`), options);
    await launcher(page).waitFor();
    const faults = await faultsIn(page);
    const chat = await openChat(page);
    faults.push(...(await faultsIn(chatFrame(page))));
    await write(chat, `Question ${name}`);
    await sent(chat, "Question");
    await reply(parley, { to: `Question ${name}`, text: "See https://example.com" });
    await received(chat, "See https://example.com");
    await chat.getByText("Where can we reach you").waitFor();
    await chat.getByRole("button", { name: "Options" }).click();
    faults.push(...(await faultsIn(chatFrame(page))), ...(await faultsIn(page)));
    await chat.getByRole("button", { name: "All conversations" }).click();
    faults.push(...(await faultsIn(chatFrame(page))));
    expect(faults).toEqual([]);
    await close();
  });
});

it("the keyboard alone opens, writes and closes, and the focus returns to what opened the chat", async () => {
  const help = `<button id="help" onclick="Parley('open')">Help</button>`;
  const { page, close } = await visit(browser, shop.page(help + snippet(parley, widget)));
  await launcher(page).waitFor();
  await launcher(page).focus();
  await page.keyboard.press("Enter");
  const chat = page.frameLocator("iframe");
  const hasFocus = () =>
    chatFrame(page).evaluate("document.activeElement?.localName === 'textarea' && document.hasFocus()");
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await sent(chat, "By keyboard");
  await reply(parley, { to: "By keyboard", text: "Read once" });
  await expect.poll(() => chat.locator("[aria-live=polite]").allTextContents()).toEqual(["Support: Read once"]);
  expect(await chat.getByRole("log").getAttribute("aria-live")).toBe("off");
  const { id } = await conversationWith(parley, "By keyboard");
  const replies = (await parley.call("GET", `/conversations/${id}/messages?direction=out`)).body.data;
  const path = `/conversations/${id}/messages/${replies[0].id}`;
  await parley.call("PATCH", path, { body: { body: "Read again" } });
  await expect.poll(() => chat.locator("[aria-live=polite]").allTextContents()).toEqual(["Support: Read again"]);
  await parley.call("DELETE", path);
  await expect.poll(() => chat.locator("[aria-live=polite]").allTextContents()).toEqual([""]);
  await page.keyboard.press("Escape");
  const focused = () =>
    page.evaluate("(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).outerHTML");
  await expect.poll(focused).toContain('aria-label="Open chat"');
  await page.locator("#help").focus();
  await page.keyboard.press("Enter");
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(focused).toContain('id="help"');
  await close();
});

it.each([
  ['lang="en"', ["Open chat", "Close chat", "Message", "Send", "Attach a file", "Close"]],
  ['lang="de"', ["Chat öffnen", "Chat schließen", "Nachricht", "Senden", "Datei anhängen", "Schließen"]],
  ['lang="ar" dir="rtl"', ["فتح الدردشة", "إغلاق الدردشة", "الرسالة", "إرسال", "إرفاق ملف", "إغلاق"]],
])("the controls of the widget have their names and roles on a page with %s", async (html, names) => {
  const [open, closeChat, box, send, attach, closeButton] = names as [string, string, string, string, string, string];
  const { page, close } = await visit(browser, shop.page(snippet(parley, widget), { html }), { viewport: NARROW });
  await page.getByRole("button", { name: open, exact: true }).click();
  const chat = page.frameLocator("iframe");
  await chat.getByRole("textbox", { name: box, exact: true }).waitFor();
  expect(await launcher(page).getAttribute("aria-label")).toBe(closeChat);
  for (const name of [send, attach, closeButton])
    expect(await chat.getByRole("button", { name, exact: true }).count(), name).toBe(1);
  expect(await chat.getByRole("log").count()).toBe(1);
  expect(await chat.getByRole("status").count()).toBe(1);
  expect(await chatFrame(page).evaluate("document.documentElement.dir")).toBe(html.includes("rtl") ? "rtl" : "ltr");
  await chat.getByRole("button", { name: closeButton, exact: true }).click();
  await expect.poll(() => launcher(page).getAttribute("aria-label")).toBe(open);
  await close();
});

it.each([
  ["320 px wide", { width: 320, height: 568 }],
  ["1280 by 720 px at 200 %", { width: 640, height: 360 }],
])("nothing of the chat is cut off or wider than a window that is %s", async (_name, viewport) => {
  const { page, close } = await visit(browser, address, { viewport });
  const chat = await openChat(page);
  await write(chat, `Wide${"x".repeat(300)}`);
  await sent(chat, "Wide");
  expect(await chatFrame(page).evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  for (const control of [chat.locator("textarea"), chat.getByRole("button", { name: "Send" })]) {
    const box = await control.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(box?.height).toBeGreaterThanOrEqual(24);
  }
  await close();
});

it("the page's own rules do not reach the launcher, and the open chat stays when the body is replaced", async () => {
  const head = "<style>* { all: unset !important; } button, iframe { display: none !important }</style>";
  const { page, close } = await visit(browser, shop.page(snippet(parley, widget), { head }));
  const chat = await openChat(page);
  expect(await launcher(page).boundingBox()).toMatchObject({ width: 56, height: 56 });
  await chat.locator("textarea").fill("Kept");
  await page.evaluate("document.body = document.createElement('body')");
  expect(await chat.locator("textarea").inputValue()).toBe("Kept");
  await page.evaluate("document.querySelector('parley-widget').remove()");
  await launcher(page).waitFor();
  await close();
});

it("files are pasted and dropped, the conversation is saved as text, and the choice of sound is kept", async () => {
  const { page, close } = await visit(browser, address);
  const chat = await openChat(page);
  const give = (event: string, init: string) =>
    chatFrame(page).evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(["bytes"], "${event}.txt", { type: "text/plain" }));
      const options = { bubbles: true, cancelable: true, ${init}: data };
      const { constructor } = ${event === "paste" ? "new ClipboardEvent('paste')" : "new DragEvent('drop')"};
      document.querySelector("textarea").dispatchEvent(new constructor("${event}", options));
    }`);
  await give("paste", "clipboardData");
  await give("drop", "dataTransfer");
  await chat.getByText("drop.txt").waitFor();
  await write(chat, "Two files and an emoji 🧵");
  await sent(chat, "Two files and an emoji 🧵");
  const { id } = await conversationWith(parley, "Two files and an emoji 🧵");
  const { attachments } = (await parley.call("GET", `/conversations/${id}/messages`)).body.data[0];
  expect(attachments.map(({ name }: { name: string }) => name)).toEqual(["paste.txt", "drop.txt"]);
  await chat.getByRole("button", { name: "Options" }).click();
  await chat.getByLabel("Sound for new messages").check();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    chat.getByRole("button", { name: "Save as a text file" }).click(),
  ]);
  expect(readFileSync(await download.path(), "utf8")).toContain("Two files and an emoji 🧵");
  await page.reload();
  await sent(await openChat(page), "Two files");
  await chat.getByRole("button", { name: "Options" }).click();
  expect(await chat.getByLabel("Sound for new messages").isChecked()).toBe(true);
  await close();
});

it("in forced colors the launcher, the chat and its messages have a border, and axe finds nothing", async () => {
  const { page, close } = await visit(browser, address, { forcedColors: "active" });
  const chat = await openChat(page);
  await write(chat, "In forced colors");
  await sent(chat, "In forced colors");
  const borders = [launcher(page), page.locator("parley-widget iframe"), chat.locator(".message.in > .bubble")];
  for (const one of borders)
    expect(
      await one.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).borderTopStyle),
    ).toBe("solid");
  expect([...(await faultsIn(page)), ...(await faultsIn(chatFrame(page)))]).toEqual([]);
  await close();
});

/** As a single-page application does it: the script is removed and added again. */
const ADD_AGAIN = `(async () => {
  const next = document.createElement("script");
  const [old] = document.querySelectorAll("script[data-widget]");
  Object.assign(next, { async: true, src: old.src });
  next.dataset.widget = old.dataset.widget;
  for (const script of document.querySelectorAll("script[data-widget]")) script.remove();
  await new Promise((done) => { next.onload = done; document.body.append(next); });
})()`;

it("a second snippet logs one error; one that is added again, or after a shutdown, works", async () => {
  const { page, errors, close } = await visit(browser, shop.page(snippet(parley, widget) + snippet(parley, widget)));
  await launcher(page).waitFor();
  await expect.poll(() => errors).toEqual(["Parley: this page has a second snippet. Only the first one is used."]);
  await page.evaluate(ADD_AGAIN);
  expect(await launcher(page).count()).toBe(1);
  await page.evaluate('Parley("shutdown")');
  expect(await page.locator("parley-widget").count()).toBe(0);
  expect(await page.evaluate("typeof Parley")).toBe("undefined");
  await page.evaluate(ADD_AGAIN);
  await launcher(page).waitFor();
  expect(errors).toHaveLength(1);
  await close();
});

it("early commands are carried out, events reach the page, and its mistakes stay its own", async () => {
  const stub = `<script>window.Parley ||= function () { (Parley.q ||= []).push(arguments) };
    window.seen = [];
    for (const name of ["ready", "opened", "closed", "message", "unread"])
      Parley("on", name, (detail) => seen.push([name, detail?.direction ?? detail ?? null]));
    Parley("on", "ready", () => { throw new Error("the page's own mistake") });
    Parley("open"); Parley("dance");</script>`;
  const { page, errors, close } = await visit(browser, shop.page(stub + snippet(parley, widget)));
  const chat = page.frameLocator("iframe");
  await write(chat, "Events");
  await sent(chat, "Events");
  await page.evaluate('Parley("close")');
  await reply(parley, { to: "Events", text: "Counted" });
  await expect.poll(() => page.locator("parley-widget .badge").textContent()).toBe("1");
  expect(await launcher(page).getAttribute("aria-description")).toBe("Unread messages: 1");
  const seen = [
    ["ready", null],
    ["opened", null],
    ["message", "in"],
    ["closed", null],
    ["message", "out"],
    ["unread", 1],
  ];
  expect(await page.evaluate("window.seen")).toEqual(seen);
  await launcher(page).click();
  await expect.poll(() => page.evaluate("window.seen.at(-1)")).toEqual(["unread", 0]);
  expect(errors.map((error) => error.replace(/^Error: /, "")).sort()).toEqual([
    'Parley: "dance" is not a known command.',
    "the page's own mistake",
  ]);
  await close();
});

const LOADER_MS_MAX = 20;

it("the loader takes at most 20 ms of the page's main thread, in the median of five pages", async () => {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { page, context, close } = await visit(browser, "about:blank");
    const session = await context.newCDPSession(page);
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 100 });
    await session.send("Profiler.start");
    await page.goto(address);
    await launcher(page).waitFor();
    const { profile } = await session.send("Profiler.stop");
    const isOurs = ({ url }: { url: string }) => /\/widget\.js|\/settings\.js/.test(url);
    const own = new Set(profile.nodes.filter(({ callFrame }) => isOurs(callFrame)).map(({ id }) => id));
    const { samples = [], timeDeltas = [] } = profile;
    times.push(samples.reduce((sum, id, index) => sum + (own.has(id) ? (timeDeltas[index] ?? 0) : 0), 0) / 1_000);
    await close();
  }
  const median = times.sort((one, other) => one - other)[2];
  expect(median).toBeGreaterThan(0);
  expect(median).toBeLessThanOrEqual(atMost(LOADER_MS_MAX));
});

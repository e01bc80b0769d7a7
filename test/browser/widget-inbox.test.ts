import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { htmlOf } from "../../src/email/outbound/text-html.ts";
import { setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { gotoSettled, launchChromium, openPage, type Watched } from "./support.ts";
import {
  bodiesOf,
  conversationWith,
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
let address: string;
let agent: Watched;
let inbox: Page;
beforeAll(async () => {
  [parley, browser, shop] = await Promise.all([startParley(), launchChromium(), startShop()]);
  address = shop.page(snippet(parley, await shopWidget(parley, shop)));
  agent = await openPage(browser, parley, { as: await setUp(parley) });
  inbox = agent.page;
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await parley?.close();
});

it("the inbox shows where a visitor writes from, and typing and reading are live on both sides", async () => {
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  await write(chat, "Is it <b>waterproof</b>? https://example.com/tent");
  await sent(chat, "Is it");
  const { id } = await conversationWith(parley, "Is it <b>waterproof</b>? https://example.com/tent");
  await inbox.goto(`/inbox/${id}`);
  const thread = inbox.getByRole("region", { name: "Conversation", exact: true });
  await thread.getByRole("img", { name: "Chat" }).waitFor();
  await inbox.locator(`[data-conversation="${id}"]`).getByRole("img", { name: "Chat" }).waitFor();
  const details = inbox.getByRole("complementary", { name: "Contact and details" });
  const link = details.getByRole("link", { name: address.replace("http://", "") });
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
  expect(await details.textContent()).toMatch(/Browser.*Chrom/);
  expect(await thread.locator("article b").count()).toBe(0);
  expect(await thread.locator("article a").getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");

  await chat.getByText("Seen").waitFor();
  await chat.locator("textarea").pressSequentially("And warm");
  await thread.getByText(/is writing$/).waitFor();
  await chat.locator("textarea").press("Enter");
  await thread.locator("article").filter({ hasText: "And warm" }).waitFor();
  await expect.poll(() => thread.getByText(/is writing$/).count()).toBe(0);

  const reply = inbox.getByRole("textbox", { name: /reply|message/i });
  await reply.pressSequentially("Both");
  await chat.getByText(/Olive Owner is (?:typing|writing)/).waitFor();
  await chat.locator("textarea").press("Escape");
  await inbox.keyboard.press("Control+Enter");
  await expect.poll(() => visitor.page.locator("parley-widget .badge").textContent()).toBe("1");
  expect(await thread.getByText(/· Seen$/).count()).toBe(0);
  await visitor.page.locator("parley-widget button").click();
  await received(chat, "Both");
  await thread.getByText(/· Seen$/).waitFor();
  expect(agent.errors).toEqual([]);
  await visitor.close();
});

it("the chat stays at its end when a picture is loaded; a reply that is out of sight is not called seen", async () => {
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  const log = chat.getByRole("log");
  const belowEnd = () =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const first = `See:${"\nand".repeat(30)}`;
  await write(chat, first);
  await sent(chat, "See:");
  const { id } = await conversationWith(parley, first);
  const readSeq = async () => (await parley.call("GET", `/conversations/${id}`)).body.data.contact_read_seq;
  const picture = await visitor.page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } });
  const name = "lamp.png";
  await chat.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer: picture });
  await chat.getByRole("button", { name: "Send" }).click();
  const shown = chat.locator(".message.in img").last();
  await expect.poll(() => shown.evaluate(({ naturalHeight }: { naturalHeight?: number }) => naturalHeight)).toBe(300);
  await expect.poll(belowEnd).toBeLessThan(2);
  await reply(parley, { to: first, text: "A nice lamp" });
  await received(chat, "A nice lamp");
  await expect.poll(readSeq).toBe(3);
  await expect.poll(belowEnd).toBeLessThan(2);

  await log.evaluate((element) => element.scrollTo(0, 0));
  await chat.getByText("Hello!").waitFor();
  await reply(parley, { to: first, text: "Which colour?" });
  await received(chat, "Which colour?");
  const toEnd = chat.getByRole("button", { name: "Unread messages: 1" });
  await toEnd.waitFor();
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  expect(await readSeq()).toBe(3);
  await toEnd.click();
  await expect.poll(readSeq).toBe(4);
  await expect.poll(belowEnd).toBeLessThan(2);
  await expect.poll(() => toEnd.count()).toBe(0);
  await visitor.close();
});

it("a visitor's signs are shown as written where they are quoted: in the inbox, in the chat and in mail", async () => {
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  const text = "*x*, _x_ and [a](b)\n# h\n- `code`";
  await chat.locator("textarea").fill(text);
  await chat.locator("textarea").press("Enter");
  const { id } = await conversationWith(parley, text);
  await gotoSettled(inbox, `/w/1/inbox/${id}`);
  await inbox.getByRole("button", { name: "Actions for message 1" }).click();
  await inbox.getByRole("menuitem", { name: "Quote" }).click();
  await expect.poll(() => inbox.locator("#composer-field").inputValue()).toMatch(/^> .*\n\n$/s);
  await inbox.locator("#composer-field").pressSequentially("**Yes**");
  await inbox.keyboard.press("Control+Enter");
  await received(chat, "Yes");
  for (const shown of [inbox.getByRole("log"), chat.locator(".message.out")]) {
    await shown.locator("strong", { hasText: "Yes" }).waitFor();
    expect(await shown.locator("blockquote").textContent()).toBe(text.replaceAll("\n", ""));
    expect(await shown.locator("blockquote :is(em, code, li, a)").count()).toBe(0);
  }
  const body = (await bodiesOf(parley, id)).find((one) => one.includes("Yes")) ?? "";
  expect(htmlOf(body)).toContain(text.replaceAll("\n", "<br>\n"));
  expect(agent.errors).toEqual([]);
  await visitor.close();
});

it("a contact is blocked, unblocked and their sessions are ended on their page, and the chat says so", async () => {
  const visitor = await visit(browser, address);
  const chat = await openChat(visitor.page);
  await write(chat, "I am rude");
  await sent(chat, "I am rude");
  const { id, contact } = await conversationWith(parley, "I am rude");
  const current = async () => (await parley.call("GET", `/contacts/${contact.id}`)).body.data.blocked;
  await inbox.goto(`/contacts/${contact.id}`);
  await inbox.getByRole("button", { name: "Block", exact: true }).click();
  await inbox.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  await chat.getByText("Messages cannot be sent at the moment.").waitFor();
  expect(await current()).toBe(true);
  await inbox.getByRole("main").getByText("Blocked", { exact: true }).waitFor();
  await inbox.goto(`/inbox/${id}`);
  await inbox.getByRole("complementary", { name: "Contact and details" }).getByText("Blocked").waitFor();
  await inbox.goto(`/contacts/${contact.id}`);
  await inbox.getByRole("button", { name: "Unblock" }).click();
  await inbox.getByRole("button", { name: "Block", exact: true }).waitFor();
  expect(await current()).toBe(false);
  await visitor.close();

  const other = await visit(browser, address);
  const second = await openChat(other.page);
  await write(second, "On a shared computer");
  await sent(second, "On a shared computer");
  const found = await conversationWith(parley, "On a shared computer");
  await inbox.goto(`/contacts/${found.contact.id}`);
  await inbox.getByRole("button", { name: "End sessions" }).click();
  await second.getByText("This chat has ended.").waitFor();
  expect(agent.errors).toEqual([]);
  await other.close();
});

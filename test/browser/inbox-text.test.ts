import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { accessibilityFaults, gotoSettled, launchChromium, openPage, overflows, type Watched } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let browser: Browser;
let agent: HttpClient;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  const owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
  watched = await openPage(browser, parley, { as: agent, viewport: { width: 1400, height: 860 } });
  page = watched.page;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: parley.url });
}, 120_000);
afterAll(async () => {
  expect(watched?.errors ?? []).toEqual([]);
  await browser?.close();
  await parley?.close();
});

async function create(path: string, body: object): Promise<Any> {
  const reply = await parley.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const data = async (path: string): Promise<Any> => (await parley.call("GET", path)).body.data;

async function openConversation(body: object): Promise<Any> {
  const conversation = await create("/conversations", body);
  await gotoSettled(page, `/w/1/inbox/${conversation.id}`);
  return conversation;
}

const composer = () => page.locator("#composer-field");
const log = () => page.getByRole("log");
const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
const dialog = (name: string) => page.getByRole("dialog", { name });
const sendNow = async () => {
  await page.keyboard.press("Control+Enter");
  // Ends the time in which a send can be undone, as leaving the page does.
  await page.evaluate(`dispatchEvent(new Event("pagehide"))`);
};

describe("starting", () => {
  it("an agent begins a conversation with someone new, by a key", async () => {
    await create("/contacts", { name: "Nils", email: "nils@example.com" });
    await gotoSettled(page, "/w/1/inbox");
    await page.keyboard.press("c");
    const form = dialog("New conversation");
    await form.getByRole("option", { name: "Nils" }).waitFor();
    await form.getByRole("combobox").fill("nora@example.com");
    // Those that were found before go once the server has said that it is nobody's.
    await form.getByRole("option", { name: "Nils" }).waitFor({ state: "detached" });
    await form.getByRole("option", { name: "nora@example.com", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    // What was pressed is gone: the next field has the focus.
    await form.getByLabel("Subject").and(page.locator(":focus")).waitFor();
    await form.getByText("No mailbox is connected, so no e-mail is sent:").waitFor();
    await page.keyboard.type("Your order");
    expect(await accessibilityFaults(page)).toEqual([]);
    await form.getByRole("button", { name: "Start" }).click();
    await form.getByText("Write the first message.").waitFor();
    await form.getByLabel("Message").fill("It is **ready**.");
    await page.keyboard.press("Control+Enter");
    await log().locator("strong", { hasText: "ready" }).waitFor();
    const id = Number(/inbox\/(\d+)/.exec(page.url())?.[1]);
    const conversation = await data(`/conversations/${id}`);
    expect(conversation).toMatchObject({ subject: "Your order", contact: { email: "nora@example.com" } });
    expect((await data(`/conversations/${id}/messages`)).map(({ body }: Any) => body)).toEqual(["It is **ready**."]);
  });

  it("an agent creates a contact, writes to them, and deletes one without conversations", async () => {
    await gotoSettled(page, "/w/1/contacts");
    await page.getByRole("button", { name: "New contact" }).click();
    await dialog("New contact").getByLabel("Name").fill("Otto Test");
    await dialog("New contact").getByLabel("E-mail").fill("not an address");
    await dialog("New contact").getByRole("button", { name: "Create contact" }).click();
    await dialog("New contact")
      .getByText(/E-mail must be/)
      .waitFor();
    await dialog("New contact").getByLabel("E-mail").fill("otto@example.com");
    await dialog("New contact").getByRole("button", { name: "Create contact" }).click();
    await page.getByRole("heading", { name: "Otto Test" }).waitFor();
    await page.getByRole("button", { name: "New conversation" }).click();
    await dialog("New conversation").getByText("Otto Test").waitFor();
    await dialog("New conversation").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete contact" }).click();
    await dialog("Delete Otto Test?").getByRole("button", { name: "Delete contact" }).click();
    await page.waitForURL(/\/contacts$/);
    expect(await data("/contacts?search=otto")).toEqual([]);
  });
});

describe("text", () => {
  it("an agent writes bold text with the tools, sees a preview, and the contact's text stays as written", async () => {
    const { id } = await openConversation({ message: { body: "It says **<b>no</b>** here", direction: "in" } });
    await log().getByText("It says **<b>no</b>** here", { exact: true }).waitFor();
    await composer().fill("Try this:");
    await composer().press("Enter");
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.keyboard.press("Control+b");
    await page.keyboard.type("the lid");
    await page.keyboard.press("Control+b");
    for (const key of ["Enter", "x", "Backspace", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Emoji" }).click();
    await page.getByRole("combobox", { name: "Search emoji" }).fill("thumbs up");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("region", { name: "Preview" }).getByRole("listitem").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // From the preview too, which has taken the place of the field.
    await sendNow();
    await log().getByRole("listitem").locator("strong").waitFor();
    await until("it is stored", async () => (await data(`/conversations/${id}/messages`)).length === 2);
    const [sent] = await data(`/conversations/${id}/messages`);
    // The second item had no words: Enter ended the list.
    expect(sent.body).toContain("Try this:\n- **the lid**\n👍");
    expect(sent.body).toContain("👍");
  });

  it("an agent edits, quotes and deletes a message, and copies a link that leads to it", async () => {
    const { id } = await openConversation({ message: { body: "One\nTwo", direction: "in" } });
    const written = await agent.call("POST", `//api/v1/conversations/${id}/messages`, { body: "A misteak" });
    expect(written.status, written.text).toBe(201);
    await log().getByText("A misteak").waitFor();
    await page.getByRole("button", { name: "Actions for message 2" }).click();
    await item("Edit").click();
    // The cursor is at the end, where most people continue.
    await dialog("Edit message").locator("textarea:focus").waitFor();
    await page.keyboard.type(" of mine");
    expect(await dialog("Edit message").getByLabel("Text").inputValue()).toMatch(/ of mine$/);
    await dialog("Edit message").getByLabel("Text").fill("A mistake");
    await page.keyboard.press("Control+Enter");
    await log().getByText("A mistake").waitFor();
    expect((await data(`/conversations/${id}/messages`))[0].body).toBe("A mistake");

    await page.getByRole("button", { name: "Actions for message 1" }).click();
    expect(await item("Edit").count()).toBe(0);
    await item("Quote").click();
    await expect.poll(() => composer().inputValue()).toBe("> One\n> Two\n\n");
    // The menu, which is gone only now, leaves the focus where the text is.
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    await page.keyboard.type("Three");
    expect(await composer().inputValue()).toBe("> One\n> Two\n\nThree");
    await composer().fill("");

    await page.getByRole("button", { name: "Actions for message 2" }).click();
    await item("Copy link to message").click();
    const link = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(link).toBe(`${parley.url}/w/1/inbox/${id}?message=2`);
    await gotoSettled(page, link);
    await log().locator("article[data-linked]", { hasText: "A mistake" }).waitFor();

    await page.getByRole("button", { name: "Actions for message 2" }).click();
    await item("Delete").click();
    await dialog("Delete this message?").getByRole("button", { name: "Delete", exact: true }).click();
    await until("it is deleted", async () => (await data(`/conversations/${id}/messages`)).length === 1);
    await expect.poll(() => log().getByText("A mistake").count()).toBe(0);

    await create(`/conversations/${id}/messages`, { body: "The last word", direction: "in" });
    await gotoSettled(page, link);
    await page.getByText("That message has been deleted.").waitFor();
  });

  it("pictures open large, arrows lead to the next, and focus returns to the first", async () => {
    const { id } = await create("/conversations", { message: { body: "Look", direction: "in" } });
    for (const name of ["one.png", "two.png"]) {
      const reply = await parley.call("POST", `/files?name=${name}`, {
        rawBody: PIXEL,
        headers: { "content-type": "image/png" },
      });
      expect(reply.status, reply.text).toBe(201);
      await create(`/conversations/${id}/messages`, {
        direction: "in",
        attachments: [{ file_id: reply.body.data.id }],
      });
    }
    await gotoSettled(page, `/w/1/inbox/${id}`);
    const first = log().getByRole("link", { name: "one.png" });
    await first.focus();
    await page.keyboard.press("Enter");
    await dialog("one.png").getByText("1 of 2").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("ArrowRight");
    await dialog("two.png").getByRole("img", { name: "two.png" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect
      .poll(() => first.evaluate((element: Any) => element === element.ownerDocument.activeElement))
      .toBe(true);
  });
});

describe("on a phone", () => {
  const PHONE = { width: 390, height: 844 };
  let phone: Watched;
  beforeAll(async () => {
    phone = await openPage(browser, parley, { as: agent, viewport: PHONE, hasTouch: true });
  });
  afterAll(async () => {
    expect(phone.errors).toEqual([]);
    await phone.close();
  });

  it("emoji are chosen within the window, also where a draft is said to be saved", async () => {
    const { id } = await create("/conversations", { message: { body: "Hi", direction: "in" } });
    await gotoSettled(phone.page, `/w/1/inbox/${id}`);
    await phone.page.locator("#composer-field").fill("Hello");
    await phone.page.getByText("Draft saved").waitFor();
    await phone.page.getByRole("button", { name: "Emoji" }).click();
    const { x, width } = await boxOf(phone.page.getByRole("dialog", { name: "Emoji" }));
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    await phone.page.keyboard.press("Escape");
    await phone.page.setViewportSize({ ...PHONE, height: 480 });
    await phone.page.getByRole("tab", { name: "Note" }).click();
    await phone.page.getByRole("button", { name: "Emoji" }).click();
    const search = await boxOf(phone.page.getByRole("combobox", { name: "Search emoji" }));
    const bar = await boxOf(phone.page.getByRole("banner"));
    expect(search.y, "above the keyboard").toBeGreaterThanOrEqual(bar.y + bar.height);
    await phone.page.keyboard.press("Escape");
    await phone.page.setViewportSize(PHONE);
  });

  it.each([
    ["de", "Notiz", "Vorschau", "Entwurf gespeichert"],
    ["pt-BR", "Nota", "Prévia", "Rascunho salvo"],
  ])(
    "the tools of the composer stay where they are when the draft is saved, in %s",
    async (locale, note, preview, saved) => {
      const { id } = await create("/conversations", { message: { body: "Hi", direction: "in" } });
      const options = { as: agent, locale, viewport: PHONE, hasTouch: true };
      const { page, close } = await openPage(browser, parley, options);
      await gotoSettled(page, `/w/1/inbox/${id}`);
      const field = page.locator("#composer-field");
      const tools = page.getByRole("button", { name: preview });
      const apart = async () => (await boxOf(field)).y - (await boxOf(tools)).y;
      const before = await apart();
      await field.fill("O");
      await page.getByText(saved, { exact: true }).waitFor();
      const tab = await boxOf(page.getByRole("tab", { name: note }));
      expect((await boxOf(tools)).y).toBeLessThan(tab.y + tab.height);
      expect(await apart()).toBe(before);
      await close();
    },
  );

  it("the button of a short message covers neither its sender nor its text nor its time", async () => {
    const { id } = await create("/conversations", {
      contact: { name: "Al" },
      message: { body: "Hi", direction: "in" },
    });
    await create(`/conversations/${id}/messages`, { body: "Yo", direction: "in" });
    await gotoSettled(phone.page, `/w/1/inbox/${id}`);
    const messages = phone.page.getByRole("log").locator("article");
    for (const message of await messages.all()) {
      const button = await boxOf(message.getByRole("button", { name: /^Actions/ }));
      for (const part of await message.locator("p, time").all())
        expect(overlap(button, await boxOf(part)), await part.innerHTML()).toBe(false);
    }
    expect(await messages.count()).toBe(2);
  });
});

describe("a conversation", () => {
  it("is downloaded as text, and snoozed until a time of one's own; the contact's local time is shown", async () => {
    const { id } = await openConversation({
      contact: { name: "Yuki", attributes: { time_zone: "Asia/Tokyo" } },
      message: { body: "Good morning", direction: "in" },
    });
    await page.getByText("Local time").waitFor();
    await page.locator("time[title='Asia/Tokyo']").waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    const download = page.waitForEvent("download");
    await item("Download as text").click();
    expect(readFileSync(await (await download).path(), "utf8")).toContain("Good morning");

    await page.getByRole("button", { name: "Snooze", exact: true }).click();
    await item("Choose a time…").click();
    const field = dialog("Snooze until").getByLabel("Date and time");
    await field.fill("2001-01-01T10:00");
    await dialog("Snooze until").getByRole("button", { name: "Snooze", exact: true }).click();
    await dialog("Snooze until").getByText("This time has passed").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await field.fill(`${inTenDays}T10:00`);
    await dialog("Snooze until").getByRole("button", { name: "Snooze", exact: true }).click();
    await until("it is snoozed", async () => (await data(`/conversations/${id}`)).status === "snoozed");
    expect((await data(`/conversations/${id}`)).snoozed_until).toContain(inTenDays);
  });

  it("is printed as text, and nothing else of the page is", async () => {
    await openConversation({ contact: { name: "Pia" }, message: { body: "On *paper*", direction: "in" } });
    // Without a printer, what would be printed stays until it has been looked at.
    await page.evaluate("window.print = () => {}");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await item("Print").click();
    const printed = page.locator("body > [data-print]");
    await printed.waitFor({ state: "attached" });
    expect(await printed.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await printed.textContent()).toContain("Pia: On *paper*");
    expect(await page.locator("body > :visible").count()).toBe(1);
    expect(await overflows(page)).toBe(false);
    await page.emulateMedia({ media: null });
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    await expect.poll(() => printed.count()).toBe(0);
  });
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Of the words alone, which may be narrower than the line that they are in. */
async function boxOf(element: Locator): Promise<Box> {
  return element.evaluate((shown: Any) => {
    const range = shown.ownerDocument.createRange();
    range.selectNodeContents(shown);
    const { x, y, width, height } = (shown.matches("p, time") ? range : shown).getBoundingClientRect();
    return { x, y, width, height };
  });
}

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

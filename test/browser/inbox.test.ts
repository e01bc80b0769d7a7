import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { startProcess } from "../support/parley-process.ts";
import { atMost, full, seeded } from "../support/proof.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { beforeMoment, until } from "../support/wait.ts";
import {
  bytesLoaded,
  faultsInEachWindow,
  gotoSettled,
  launchChromium,
  openPage,
  readTwice,
  type Watched,
} from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let browser: Browser;
let receiver: Receiver;
let owner: HttpClient;
let agent: HttpClient;
const opened: Watched[] = [];

beforeAll(async () => {
  [parley, browser, receiver] = await Promise.all([startParley(), launchChromium(), startReceiver()]);
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await parley?.close();
});

async function create(path: string, body: object, key?: string): Promise<Any> {
  const reply = await parley.call("POST", path, { body, ...(key ? { key } : {}) });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

const createConversation = (subject: string) =>
  create("/conversations", {
    subject,
    contact: { name: "Ana" },
    message: { body: "Where is my order?", direction: "in" },
  });

const messagesOf = async (id: number): Promise<Any[]> =>
  (await parley.call("GET", `/conversations/${id}/messages`)).body.data;

async function open(path: string, as = agent): Promise<Page> {
  const watched = await openPage(browser, parley, { as, viewport: { width: 1400, height: 860 } });
  opened.push(watched);
  await gotoSettled(watched.page, `/w/1${path}`);
  return watched.page;
}

async function closeAll(): Promise<void> {
  for (const { close, errors, outside } of opened.splice(0)) {
    expect(errors).toEqual([]);
    expect(outside).toEqual([]);
    await close();
  }
}

/** What others write meanwhile. */
async function writeThree(id: number, words: string): Promise<string[]> {
  const bodies = [1, 2, 3].map((n) => `${n} ${words}`);
  for (const body of bodies) await create(`/conversations/${id}/messages`, { body, direction: "in" });
  return bodies;
}

async function showsEachOnce(page: Page, bodies: string[]): Promise<void> {
  for (const body of bodies) await page.getByRole("log").getByText(body).waitFor();
  for (const body of bodies) expect(await page.getByRole("log").getByText(body).count()).toBe(1);
}

/** More than the first page of the list, with texts that compress as badly as real ones do. */
async function fillTheList(): Promise<void> {
  const random = seeded("inbox");
  const words = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 2 ** 31).toString(36)).join(" ");
  const conversations = Array.from({ length: 60 }, () => ({
    subject: words(5),
    contact: { name: words(2), email: `${words(1)}@example.com` },
    labels: ["filler"],
    message: { body: words(30), direction: "in" },
  }));
  await Promise.all(conversations.map((body) => create("/conversations", body)));
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const DROP_A_FILE = `for (const type of ["dragover", "drop"]) {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["a line"], "dropped.txt", { type: "text/plain" }));
  const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  if (document.querySelector("[role=log]").dispatchEvent(event)) throw new Error("the browser would open the file");
}`;

/** Ends the time in which a send can be undone, as leaving the page does. */
const sendHeldNow = (page: Page) => page.evaluate(`dispatchEvent(new Event("pagehide"))`);

const live = (page: Page) => page.locator("[data-live=live]").first().waitFor();
const composer = (page: Page) => page.locator("#composer-field");

describe("the inbox", () => {
  it("meets WCAG 2.2 AA in light and dark, wide and narrow, and loads at most 220 kB, each part once", async () => {
    await fillTheList();
    const conversation = await createConversation("Accessible");
    await create(`/conversations/${conversation.id}/messages`, { body: "A note", private: true });
    const page = await open(`/inbox/${conversation.id}`);
    await page.getByText("A note").first().waitFor();
    expect(await page.locator("[data-conversation]").count()).toBeGreaterThan(8);
    await live(page);
    expect(await bytesLoaded(page)).toBeLessThan(220_000);
    // Opening the conversation has marked it as read, which changes the counts.
    expect((await readTwice(page)).filter((path) => !path.endsWith("/counts"))).toEqual([]);
    expect(await faultsInEachWindow(page)).toEqual([]);
    await closeAll();
  });

  it("shows a message that arrives while it is open, and delivers a reply to the webhook", async () => {
    const conversation = await createConversation("Parcel");
    await create("/webhooks", { name: "hook", url: receiver.url("/inbox"), events: ["message.created"] });
    const page = await open(`/inbox/${conversation.id}`);
    await live(page);
    await create(`/conversations/${conversation.id}/messages`, { body: "It is blue.", direction: "in" });
    await page.getByRole("log").getByText("It is blue.").waitFor();

    await composer(page).fill("It left today.");
    await composer(page).press("Control+Enter");
    await page.getByText("Sending in a moment").waitFor();
    const arrivals = await until("the reply has been delivered", () =>
      receiver.at("/inbox").find(({ event }) => event.data.body === "It left today."),
    );
    expect(arrivals.event.data.sender).toMatchObject({ type: "user", name: "agnes" });
    await page.getByRole("log").getByText("It left today.").waitFor();
    expect((await messagesOf(conversation.id)).filter(({ body }) => body === "It left today.")).toHaveLength(1);
    await closeAll();
  });

  it("never sends a reply that was canceled while the browser was offline", async () => {
    const conversation = await createConversation("Offline");
    const page = await open(`/inbox/${conversation.id}`);
    await composer(page).fill("Sent by mistake");
    await page.context().setOffline(true);
    await composer(page).press("Control+Enter");
    await page.getByRole("log").getByText("Waiting for a connection").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.context().setOffline(false);
    await live(page);
    await composer(page).fill("On purpose");
    await composer(page).press("Control+Enter");
    await sendHeldNow(page);
    await until("the second reply is there", async () =>
      (await messagesOf(conversation.id)).some(({ body }) => body === "On purpose"),
    );
    expect((await messagesOf(conversation.id)).map(({ body }) => body)).not.toContain("Sent by mistake");
    opened.splice(0);
    await page.context().close();
  });

  it("keeps a draft typed in one browser for another, and shows what was added there before more is typed", async () => {
    const conversation = await createConversation("Draft");
    const first = await open(`/inbox/${conversation.id}`);
    await composer(first).fill("Half a sentence");
    await first.getByText("Draft saved").waitFor();
    const second = await open(`/inbox/${conversation.id}`);
    await until("the draft is in the other browser", async () => (await composer(second).inputValue()) !== "");
    await expect.poll(() => composer(second).inputValue()).toBe("Half a sentence");
    await composer(second).fill("A whole sentence");
    await second.getByText("Draft saved").waitFor();
    await composer(first).blur();
    await composer(first).focus();
    await expect.poll(() => composer(first).inputValue()).toBe("A whole sentence");
    await closeAll();
  });

  it("empties the composer of a person's other browser once the draft in it was sent", async () => {
    const conversation = await createConversation("Sent elsewhere");
    const first = await open(`/inbox/${conversation.id}`);
    await composer(first).fill("Sent once");
    await first.getByText("Draft saved").waitFor();
    const second = await open(`/inbox/${conversation.id}`);
    await expect.poll(() => composer(second).inputValue()).toBe("Sent once");
    await composer(second).press("Control+Enter");
    await sendHeldNow(second);
    await first.getByRole("log").getByText("Sent once").waitFor();
    await expect.poll(() => composer(first).inputValue()).toBe("");
    await closeAll();
  });

  it("uses a bot's suggestion with one key, and keeps the last message in view above it", async () => {
    const conversation = await createConversation("Suggestion");
    const lines = Array.from({ length: 30 }, (_, index) => `Line ${index}`).join("\n");
    await create(`/conversations/${conversation.id}/messages`, { body: lines, direction: "in" });
    await create(`/conversations/${conversation.id}/messages`, { body: "When does it arrive?", direction: "in" });
    const bot = await parley.createKey({ type: "bot", name: "Helper" });
    await create(`/conversations/${conversation.id}/drafts`, { body: "It arrives on Friday." }, bot.key);
    const page = await open(`/inbox/${conversation.id}`);
    await page.getByText("Helper suggests").waitFor();
    const bottomOf = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);
    const log = page.getByRole("log");
    const question = log.getByText("When does it arrive?");
    await expect.poll(async () => (await bottomOf(log)) - (await bottomOf(question))).toBeGreaterThan(0);
    await page.locator("body").press("y");
    await page.getByRole("log").getByText("It arrives on Friday.").waitFor();
    await sendHeldNow(page);
    await page.getByRole("log").getByText("suggested by Helper").waitFor();
    const [last] = await messagesOf(conversation.id);
    expect(last).toMatchObject({ sender: { name: "agnes" }, draft: { author: { name: "Helper" } } });
    await closeAll();
  });

  it.runIf(full)("lets an agent work a queue of ten conversations with the keyboard alone", async () => {
    const subjects = Array.from({ length: 10 }, (_, index) => ({ subject: `Queue ${index}`, labels: ["queue"] }));
    const queue = await Promise.all(subjects.map((body) => create("/conversations", body)));
    const page = await open("/inbox?label=queue");
    await page.getByText("Queue 9").first().waitFor();
    await page.locator("body").press("j");
    await page.locator("body").press("Enter");
    for (let index = 0; index < queue.length; index++) {
      const here = await until("the next conversation is open", async () => {
        const id = Number(/inbox\/(\d+)/.exec(page.url())?.[1]);
        return queue.some((one) => one.id === id) && (await composer(page).inputValue()) === "" ? id : null;
      });
      await page.locator("body").press("r");
      await page.keyboard.type(`Done with ${here}.`);
      await page.keyboard.press("Control+Shift+Enter");
      await page.waitForURL((url) => !url.pathname.endsWith(`/${here}`));
    }
    await until("all are resolved", async () => {
      const { body } = await parley.call("GET", "/conversations?label=queue&status=resolved");
      return body.data.length === queue.length;
    });
    for (const { id } of queue) expect((await messagesOf(id)).map(({ body }) => body)).toEqual([`Done with ${id}.`]);
    await closeAll();
  });

  it("opens the next conversation after Send and resolve, and Undo returns with the text", async () => {
    const label = "send-and-resolve";
    const make = (subject: string) =>
      create("/conversations", { subject, labels: [label], message: { body: "Hello?", direction: "in" } });
    const second = await make("Second in line");
    const first = await make("First in line");
    const page = await open(`/inbox/${first.id}?label=${label}`);
    await page.getByRole("link", { name: /Second in line/ }).waitFor();
    await composer(page).fill("Here you are.");
    await page.keyboard.press("Control+Shift+Enter");
    await page.waitForURL(new RegExp(`/inbox/${second.id}`));
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.waitForURL(new RegExp(`/inbox/${first.id}`));
    await expect.poll(() => composer(page).inputValue()).toBe("Here you are.");
    expect(await messagesOf(first.id)).toHaveLength(1);
    await closeAll();
  });

  it("says in a row who replied last, and marks a draft only where text was left unsent", async () => {
    const label = "rows";
    const ask = { labels: [label], message: { body: "Hello?", direction: "in" } };
    const { id } = await create("/conversations", { ...ask, subject: "Row of a colleague" });
    const page = await open(`/inbox/${id}?label=${label}`, owner);
    const row = page.locator(`[data-conversation="${id}"]`);
    await composer(page).fill("Reply of the owner.");
    await page.getByText("Draft saved").waitFor();
    await page.keyboard.press("Control+Enter");
    await row.getByText("You: Reply of the owner.").waitFor();
    expect(await row.getByText("Draft").count()).toBe(0);
    const other = await open(`/inbox?label=${label}`);
    await other.getByText(/^(?!You)\w+: Reply of the owner\.$/).waitFor();
    await composer(page).fill("Left behind");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await row.getByText("Draft").waitFor();
    await closeAll();
  });

  it("resolves fifty conversations at once, and opens them again with z", async () => {
    const subjects = Array.from({ length: 50 }, (_, index) => ({ subject: `Bulk ${index}`, labels: ["bulk"] }));
    await Promise.all(subjects.map((body) => create("/conversations", body)));
    const page = await open("/inbox?label=bulk");
    await page
      .getByRole("link", { name: /Bulk \d/ })
      .first()
      .waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    const toolbar = page.getByRole("toolbar", { name: "Selected conversations" });
    await toolbar.getByRole("button", { name: "Select all 50" }).click();
    await toolbar.getByText("50 selected").waitFor();
    await toolbar.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("50 conversations resolved").waitFor();
    const { body } = await parley.call("GET", "/conversations?label=bulk&status=resolved&per_page=100");
    expect(body.data).toHaveLength(50);
    await page.keyboard.press("z");
    await page.getByText("Undone").waitFor();
    const undone = await parley.call("GET", "/conversations?label=bulk&status=open&per_page=100");
    expect(undone.body.data).toHaveLength(50);
    await closeAll();
  });

  it("shows a snoozed conversation open again when its time has come", async () => {
    const conversation = await createConversation("Asleep");
    const page = await open(`/inbox/${conversation.id}`);
    await live(page);
    const thread = page.getByRole("region", { name: "Conversation", exact: true });
    await beforeMoment(3_000, async (moment) => {
      const change = { status: "snoozed", snoozed_until: moment.toISOString() };
      await parley.call("PATCH", `/conversations/${conversation.id}`, { body: change });
      await thread.getByText("Snoozed", { exact: true }).waitFor({ timeout: moment.getTime() - Date.now() });
    });
    await page
      .getByRole("log")
      .getByText(/snoozed this until/)
      .waitFor();
    await page.getByRole("log").getByText("The snooze ended").waitFor();
    await thread.getByText("Open", { exact: true }).waitFor();
    await closeAll();
  });

  it("misses and repeats nothing over a minute without a connection, and says that it is offline", async () => {
    const conversation = await createConversation("Tunnel");
    const watched = await openPage(browser, parley, { as: agent, viewport: { width: 1400, height: 860 } });
    const { page } = watched;
    await page.clock.install();
    await page.goto(`/w/1/inbox/${conversation.id}`);
    await live(page);
    await page.context().setOffline(true);
    await page.getByText("Offline, reconnecting").first().waitFor();
    const missed = await writeThree(conversation.id, "in the tunnel");
    await page.clock.fastForward("01:00");
    expect(await page.getByRole("log").getByText("in the tunnel").count()).toBe(0);
    await page.context().setOffline(false);
    await showsEachOnce(page, missed);
    await live(page);
    await watched.close();
  });

  it("misses and repeats nothing while its page is frozen, as by a laptop that sleeps", async () => {
    const conversation = await createConversation("Sleep");
    const page = await open(`/inbox/${conversation.id}`);
    await live(page);
    const session = await page.context().newCDPSession(page);
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    const missed = await writeThree(conversation.id, "while asleep");
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await showsEachOnce(page, missed);
    await live(page);
    await closeAll();
  });

  it.runIf(full)("misses and repeats nothing when the server is killed and started again", async () => {
    const conversation = await createConversation("Restart");
    const first = await startProcess("serve", parley.database);
    const watched = await openPage(browser, { ...parley, url: first.url }, { as: agent });
    const { page } = watched;
    await page.goto(`/w/1/inbox/${conversation.id}`);
    await live(page);
    await first.end("SIGKILL");
    await page.getByText("Offline, reconnecting").first().waitFor();
    const missed = await writeThree(conversation.id, "while it was down");
    const second = await startProcess("serve", parley.database, { PORT: new URL(first.url).port });
    await showsEachOnce(page, missed);
    await live(page);
    await watched.close();
    await second.end("SIGTERM");
  });

  it("shows colleagues who has a conversation open and what they change, and warns before a second reply", async () => {
    const conversation = await createConversation("Together");
    const mine = await open(`/inbox/${conversation.id}`);
    const theirs = await open(`/inbox/${conversation.id}`, owner);
    await mine.getByText("Olive Owner is viewing this").waitFor();
    await live(mine);
    let announced = 0;
    theirs.on("request", (request) => (announced += request.url().endsWith("/presence") ? 1 : 0));
    await composer(theirs).pressSequentially("I am writing");
    // Without the stream it would be the next poll, four seconds later.
    await mine.getByText("Olive Owner is writing").waitFor({ timeout: atMost(3_000) });
    // Beginning to type is announced, not each key; a poll may fall into the same time.
    expect(announced).toBeLessThanOrEqual(3);
    await composer(mine).fill("My reply");
    await composer(theirs).fill("I am on it");
    await composer(theirs).press("Control+Enter");
    await sendHeldNow(theirs);
    await mine.getByText("Olive Owner replied while you were writing").waitFor();
    await mine.getByRole("button", { name: "Send", exact: true }).click();
    await mine.getByText("Send again to send your reply anyway.").waitFor();
    await mine.getByRole("button", { name: "Send anyway" }).waitFor();
    await mine.getByRole("log").getByText("Olive Owner took this conversation").waitFor();
    await mine.getByRole("button", { name: "Olive Owner" }).waitFor();
    await theirs.getByRole("button", { name: "Resolve", exact: true }).click();
    await mine.getByRole("log").getByText("Olive Owner resolved this").waitFor();
    await mine.getByRole("button", { name: "Open again" }).waitFor();
    await closeAll();
  });

  it("attaches files chosen or dropped, keeps them when undone, sends them, and shows or downloads them", async () => {
    const conversation = await createConversation("Broken lid");
    const page = await open(`/inbox/${conversation.id}`);
    await live(page);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles([
      { name: "lid.png", mimeType: "image/png", buffer: PIXEL },
      { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<script>window.opener.hacked = 1</script>") },
    ]);
    await page.getByRole("button", { name: "Remove page.html" }).waitFor();
    // Next to the composer too: the browser would open the file in place of the page.
    await page.evaluate(DROP_A_FILE);
    await page.getByRole("button", { name: "Remove dropped.txt" }).click();
    await composer(page).fill("Here is the new lid.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("log").getByText("page.html").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Remove lid.png" }).waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe("Here is the new lid.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await sendHeldNow(page);
    const picture = page.getByRole("log").getByRole("img", { name: "lid.png" });
    await picture.waitFor();
    await until("the picture is loaded", () => picture.evaluate((image: Any) => image.naturalWidth > 0));
    const [sent] = await messagesOf(conversation.id);
    expect(sent.attachments.map(({ name }: Any) => name)).toEqual(["lid.png", "page.html"]);
    const download = page.waitForEvent("download");
    await page
      .getByRole("log")
      .getByRole("link", { name: /page\.html/ })
      .click();
    expect((await download).suggestedFilename()).toBe("page.html");
    await closeAll();
  });

  it("opens a conversation with one round trip, and covers it with details only on request, until Escape", async () => {
    await createConversation("Prompt");
    const page = await open("/inbox");
    await page.setViewportSize({ width: 1000, height: 860 });
    const asked: { path: string; at: number }[] = [];
    let respondedAt = 0;
    await page.route(/\/api\/v1\/conversations\/\d+(\/messages\?.*)?$/, async (route) => {
      asked.push({ path: new URL(route.request().url()).pathname, at: performance.now() });
      await new Promise((resolve) => setTimeout(resolve, 300));
      respondedAt ||= performance.now();
      await route.continue();
    });
    await page.getByRole("link", { name: /Prompt/ }).click();
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    const messages = asked.find(({ path }) => path.endsWith("/messages"));
    expect(messages?.at).toBeLessThan(respondedAt);
    expect(await page.getByRole("complementary", { name: "Contact and details" }).count()).toBe(0);
    await page.getByRole("button", { name: "Contact and details" }).click();
    await page.getByRole("complementary", { name: "Contact and details" }).getByText("Ana").first().waitFor();
    await page.locator("body").press("Escape");
    await expect.poll(() => page.getByRole("complementary", { name: "Contact and details" }).count()).toBe(0);
    expect(new URL(page.url()).pathname).toMatch(/\/inbox\/\d+$/);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await closeAll();
  });
});

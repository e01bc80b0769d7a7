import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { gotoSettled, launchChromium, openPage, UNSENT_COPIES } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

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

async function createConversation(subject: string): Promise<number> {
  const body = { subject, contact: { name: "Ana" }, message: { body: "Hello?", direction: "in" } };
  const reply = await parley.call("POST", "/conversations", { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

/** As another device of the same person does. */
async function saveDraft(conversation: number, body: string): Promise<void> {
  const reply = await owner.call("POST", `//api/v1/conversations/${conversation}/drafts`, { body });
  expect(reply.status, reply.text).toBeLessThan(300);
}
const bodiesOf = async (conversation: number): Promise<string[]> =>
  (await parley.call("GET", `/conversations/${conversation}/messages`)).body.data.map(({ body }: Any) => body);
const draftsOf = async (conversation: number): Promise<string[]> =>
  (await owner.call("GET", `//api/v1/conversations/${conversation}/drafts`)).body.data.map(({ body }: Any) => body);

async function newWindow(): Promise<Page> {
  const { page } = await openPage(browser, parley, { as: owner, viewport: { width: 1400, height: 860 } });
  return page;
}
async function open(conversation: number): Promise<Page> {
  const page = await newWindow();
  await gotoSettled(page, `/w/1/inbox/${conversation}`);
  await page.locator("[data-live=live]").first().waitFor();
  return page;
}
const composer = (page: Page) => page.locator("#composer-field");
const hasText = (page: Page, text: string) => expect.poll(() => composer(page).inputValue()).toBe(text);

async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log").getByText(text).waitFor();
}
/** Ends the time in which a send can be undone, as leaving the page does. */
const sendHeldNow = (page: Page) => page.evaluate(`dispatchEvent(new Event("pagehide"))`);

describe("a draft that has not been loaded yet", () => {
  /** Opens a conversation whose saved draft is on its way until `release` is called. */
  async function openBeforeDrafts(conversation: number): Promise<{ page: Page; release: () => void }> {
    const page = await newWindow();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/drafts", async (route) => {
      if (route.request().method() === "GET") await released;
      await route.continue();
    });
    await page.goto(`/w/1/inbox/${conversation}`);
    await composer(page).waitFor();
    return { page, release };
  }

  it("stays when r is pressed before it has arrived", async () => {
    const id = await createConversation("Reply key");
    await saveDraft(id, "Begun yesterday");
    const { page, release } = await openBeforeDrafts(id);
    await page.locator("body").press("r");
    release();
    await hasText(page, "Begun yesterday");
    await page.keyboard.press("End");
    await page.keyboard.type(", continued");
    await page.getByText("Draft saved").waitFor();
    expect(await draftsOf(id)).toEqual(["Begun yesterday, continued"]);
    await page.context().close();
  });

  it("becomes a note when n is pressed before it has arrived, and keeps its text", async () => {
    const id = await createConversation("Note key");
    await saveDraft(id, "Begun yesterday");
    const { page, release } = await openBeforeDrafts(id);
    await page.locator("body").press("n");
    release();
    await hasText(page, "Begun yesterday");
    await page.getByRole("tab", { name: "Note", selected: true }).waitFor();
    await page.getByText("Draft saved").waitFor();
    expect(await draftsOf(id)).toEqual(["Begun yesterday"]);
    await page.context().close();
  });

  it("is joined with what was typed before it arrived, also after its conversation was left", async () => {
    const id = await createConversation("Typed early");
    await saveDraft(id, "Begun yesterday");
    const { page, release } = await openBeforeDrafts(id);
    await composer(page).fill("Typed early");
    await page.locator("body").press("Escape");
    await page.evaluate(`history.pushState(null, "", "/w/1/contacts")`);
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    release();
    await until("both are saved", async () => (await draftsOf(id))[0] === "Begun yesterday\n\nTyped early");
    await page.goBack();
    await hasText(page, "Begun yesterday\n\nTyped early");
    await page.context().close();
  });
});

describe("signing out", () => {
  const signOut = async (page: Page) => {
    await page.getByRole("button", { name: /olive@example\.com/ }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  };
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const openSignedIn = async (conversation: number): Promise<Page> => {
    const { page } = await openPage(browser, parley, { viewport: { width: 1600, height: 860 } });
    await page.goto(`/sign-in?next=${encodeURIComponent(`/w/1/inbox/${conversation}`)}`);
    await signIn(page, "olive@example.com");
    await composer(page).waitFor();
    return page;
  };

  it("sends first what could still be undone and saves what was typed, and the next person sees neither", async () => {
    await join(parley, owner, "agent", "agnes@example.com");
    const id = await createConversation("Shared desk");
    const page = await openSignedIn(id);
    await send(page, "Sent before leaving");
    await composer(page).fill("Half a sentence");
    await signOut(page);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await bodiesOf(id)).toEqual(["Sent before leaving", "Hello?"]);
    expect(await draftsOf(id)).toEqual(["Half a sentence"]);
    await signIn(page, "agnes@example.com");
    await page.getByRole("log").getByText("Sent before leaving").waitFor();
    expect(await page.getByText("Sending in a moment").count()).toBe(0);
    await hasText(page, "");
    await page.context().close();
  });

  it("asks before it loses messages that could not be sent, and shows them to nobody else", async () => {
    const id = await createConversation("Refused");
    const page = await openSignedIn(id);
    await page.route("**/messages", (route) =>
      route.request().method() === "POST" ? route.abort("connectionrefused") : route.continue(),
    );
    await send(page, "Never sent");
    await signOut(page);
    const dialog = page.getByRole("dialog", { name: "Sign out without sending?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("log").getByText("Waiting for a connection").waitFor();
    await signOut(page);
    expect(await page.evaluate(UNSENT_COPIES)).toBe(1);
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(() => page.evaluate(UNSENT_COPIES)).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await signIn(page, "olive@example.com");
    await page.getByRole("log").getByText("Hello?").waitFor();
    expect(await page.getByRole("log").getByText("Never sent").count()).toBe(0);
    await page.context().close();
  });
});

it("adds a suggestion that is edited, with its files, to what was typed", async () => {
  const id = await createConversation("Suggested");
  const { key } = await parley.createKey({ type: "bot", name: "Helper" });
  const headers = { "content-type": "text/plain" };
  const file = await parley.call("POST", "/files?name=terms.txt", { key, rawBody: "Terms", headers });
  expect(file.status, file.text).toBe(201);
  const body = { body: "It arrives on Friday.", attachments: [{ file_id: file.body.data.id }] };
  const suggestion = await parley.call("POST", `/conversations/${id}/drafts`, { key, body });
  expect(suggestion.status, suggestion.text).toBe(201);
  const page = await open(id);
  await composer(page).fill("Dear Ana,");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await hasText(page, "Dear Ana,\n\nIt arrives on Friday.");
  await page.getByRole("button", { name: "Remove terms.txt" }).waitFor();
  await page.getByText("Draft saved").waitFor();
  const { data } = (await owner.call("GET", `//api/v1/conversations/${id}/drafts`)).body;
  expect(data).toMatchObject([{ author: { type: "user" }, attachments: [{ name: "terms.txt" }] }]);
  await page.context().close();
});

describe("a suggestion that is used", () => {
  async function openSuggested(subject: string): Promise<{ id: number; page: Page; suggestion: number; key: string }> {
    const id = await createConversation(subject);
    const { key } = await parley.createKey({ type: "bot", name: "Helper" });
    const body = { body: "It arrives on Friday." };
    const reply = await parley.call("POST", `/conversations/${id}/drafts`, { key, body });
    expect(reply.status, reply.text).toBe(201);
    const page = await open(id);
    await page.getByText("Helper suggests").waitFor();
    return { id, page, suggestion: reply.body.data.id, key };
  }
  const inLog = (page: Page) => page.getByRole("log").getByText("It arrives on Friday.");

  it("can be undone as a reply can, is offered again then, and is sent when the page is left", async () => {
    const { id, page } = await openSuggested("Undone suggestion");
    await page.locator("body").press("y");
    await page.getByRole("log").getByText("Sending in a moment").waitFor();
    expect(await page.getByText("Helper suggests").count()).toBe(0);
    await page.locator("body").press("z");
    await page.getByText("Helper suggests").waitFor();
    expect(await inLog(page).count()).toBe(0);
    await hasText(page, "");
    expect(await bodiesOf(id)).toEqual(["Hello?"]);
    await page.getByRole("button", { name: "Use", exact: true }).click();
    await page.getByRole("log").getByText("Sending in a moment").waitFor();
    expect(await bodiesOf(id)).toEqual(["Hello?"]);
    await page.goto("about:blank");
    const [last] = await until("it is sent", async () => {
      const { body } = await parley.call("GET", `/conversations/${id}/messages`);
      return body.data.length === 2 && body.data;
    });
    expect(last).toMatchObject({ body: "It arrives on Friday.", draft: { author: { name: "Helper" } } });
    await page.context().close();
  });

  it("asks for a second press if someone has replied since it was suggested", async () => {
    const { id, page } = await openSuggested("Replied since");
    await parley.call("POST", `/conversations/${id}/messages`, { body: { body: "On Monday.", direction: "out" } });
    await page.getByRole("log").getByText("On Monday.").waitFor();
    await page.locator("body").press("y");
    await page.getByText("has replied since this was suggested").waitFor();
    expect(await inLog(page).count()).toBe(0);
    await page.locator("body").press("y");
    await inLog(page).waitFor();
    await page.context().close();
  });

  it("is not sent if its bot has changed it meanwhile, and is offered with its new text", async () => {
    const { id, page, suggestion, key } = await openSuggested("Changed");
    await page.locator("body").press("y");
    await page.getByRole("log").getByText("Sending in a moment").waitFor();
    await parley.call("PATCH", `/conversations/${id}/drafts/${suggestion}`, { key, body: { body: "On Monday." } });
    await page.getByText("The suggestion has been changed meanwhile.").waitFor();
    await page.getByLabel("Suggested replies").getByText("On Monday.").waitFor();
    expect(await bodiesOf(id)).toEqual(["Hello?"]);
    await page.context().close();
  });

  it("is not sent a second time if someone else has used it meanwhile", async () => {
    const { id, page, suggestion } = await openSuggested("Used twice");
    await page.locator("body").press("y");
    await page.getByRole("log").getByText("Sending in a moment").waitFor();
    await owner.call("POST", `//api/v1/conversations/${id}/drafts/${suggestion}/send`);
    await sendHeldNow(page);
    await page.getByText("Someone else has used this suggestion").waitFor();
    await expect.poll(() => inLog(page).count()).toBe(1);
    expect(await bodiesOf(id)).toEqual(["It arrives on Friday.", "Hello?"]);
    await page.context().close();
  });
});

it("shows in a composer that was emptied what is typed on another device", async () => {
  const id = await createConversation("Emptied");
  await saveDraft(id, "To be deleted");
  const page = await open(id);
  await hasText(page, "To be deleted");
  await composer(page).fill("");
  await until("the draft is deleted", async () => (await draftsOf(id)).length === 0);
  await saveDraft(id, "Typed on the phone");
  // What the page does not notice by itself it reads when the field is used again.
  await expect
    .poll(async () => {
      await composer(page).blur();
      await composer(page).focus();
      return composer(page).inputValue();
    })
    .toBe("Typed on the phone");
  await page.context().close();
});

it("pastes the text of a clipboard that has its picture too, and attaches a file that text only names", async () => {
  const page = await open(await createConversation("Pasted"));
  /** Whether the page took it, so that the browser inserts no text. */
  const paste = (text: string, file: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      clipboardData.items.add(new File(["content"], ${JSON.stringify(file)}, { type: "image/png" }));
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      return !document.getElementById("composer-field").dispatchEvent(event);
    })()`);
  expect(await paste("Total\t42", "image.png")).toBe(false);
  expect(await paste("pictures/lamp.png", "lamp.png")).toBe(true);
  await page.getByRole("button", { name: "Remove lamp.png" }).waitFor();
  expect(await page.getByRole("button", { name: "Remove image.png" }).count()).toBe(0);
  await page.context().close();
});

it("asks again before a reply is sent if another arrives after it was confirmed or another is begun", async () => {
  const id = await createConversation("Confirmed once");
  const page = await open(id);
  const replyElsewhere = (body: string) =>
    parley.call("POST", `/conversations/${id}/messages`, { body: { body, direction: "out" } });
  const isAskedAbout = async (reply: string) => {
    await replyElsewhere(reply);
    await page.getByRole("log").getByText(reply).waitFor();
    await page.getByText("Read it before you send yours.").waitFor();
    await composer(page).press("Control+Enter");
    await page.getByText("Send again to send your reply anyway.").waitFor();
  };
  await composer(page).fill("My reply");
  await isAskedAbout("First reply elsewhere");
  await isAskedAbout("Second reply elsewhere");
  await composer(page).fill("");
  await composer(page).fill("Another text");
  await isAskedAbout("Third reply elsewhere");
  expect(await page.getByText("Sending in a moment").count()).toBe(0);
  await composer(page).press("Control+Enter");
  await page.getByRole("log").getByText("Another text").waitFor();
  await page.context().close();
});

describe("a reply on its way", () => {
  it("leaves the composer on notes behind a note, so that the next one cannot go to the contact", async () => {
    const id = await createConversation("Notes");
    const page = await open(id);
    const isNote = () => page.getByRole("tab", { name: "Note", selected: true }).count();
    await page.getByRole("tab", { name: "Note" }).click();
    await composer(page).fill("One note");
    await page.getByText("Draft saved").waitFor();
    await page.keyboard.press("Control+Enter");
    const stored = async () => (await parley.call("GET", `/conversations/${id}/messages`)).body.data.length;
    await until("it is stored", async () => (await stored()) === 2);
    await until("its draft is gone", async () => (await draftsOf(id)).length === 0);
    await page.getByRole("log").getByText("One note").waitFor();
    expect(await isNote()).toBe(1);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await composer(page).fill("Another");
    expect(await isNote()).toBe(1);
    await page.context().close();
  });

  it("makes a note of the composer undone while a note is written, so that it cannot go to the contact", async () => {
    const id = await createConversation("Secret");
    const page = await open(id);
    await send(page, "Public reply");
    await page.getByRole("tab", { name: "Note" }).click();
    await composer(page).fill("SECRET note");
    await page.keyboard.press("Escape");
    await page.keyboard.press("z");
    await hasText(page, "Public reply\n\nSECRET note");
    await page.getByRole("tab", { name: "Note", selected: true }).waitFor();
    await page.keyboard.press("Control+Enter");
    await sendHeldNow(page);
    const { data } = await until("it is sent", async () => {
      const { body } = await parley.call("GET", `/conversations/${id}/messages`);
      return body.data.length === 2 && body;
    });
    expect(data[0]).toMatchObject({ body: "Public reply\n\nSECRET note", private: true });
    await page.context().close();
  });

  it("keeps its draft on the server until it has been accepted", async () => {
    const id = await createConversation("Restart");
    const page = await open(id);
    let isDown = true;
    await page.route("**/messages", (route) =>
      isDown && route.request().method() === "POST" ? route.abort("connectionrefused") : route.continue(),
    );
    await composer(page).fill("Not lost");
    await page.getByText("Draft saved").waitFor();
    await send(page, "Not lost");
    await hasText(page, "");
    await page.getByRole("log").getByText("Waiting for a connection").waitFor();
    expect(await draftsOf(id)).toEqual(["Not lost"]);
    // Neither does it come back into the field, though the server has it.
    await page.evaluate(`history.pushState(null, "", "/w/1/contacts")`);
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await page.goBack();
    await composer(page).focus();
    await page.getByRole("log").getByText("Waiting for a connection").waitFor();
    await hasText(page, "");
    // It tries again by itself too: the button would go before a slow machine has pressed it.
    await page.getByRole("button", { name: "Retry" }).click();
    isDown = false;
    await until("the draft is deleted", async () => (await draftsOf(id)).length === 0);
    expect(await bodiesOf(id)).toEqual(["Not lost", "Hello?"]);
    await page.context().close();
  });

  it("leaves a draft that was begun after it", async () => {
    const id = await createConversation("Continued");
    const page = await open(id);
    await composer(page).fill("First reply");
    await page.getByText("Draft saved").waitFor();
    await send(page, "First reply");
    await composer(page).fill("Second thought");
    await page.getByText("Draft saved").waitFor();
    await sendHeldNow(page);
    await until("the reply is there", async () => (await bodiesOf(id)).includes("First reply"));
    await expect.poll(() => page.getByText("Sending").count()).toBe(0);
    await hasText(page, "Second thought");
    expect(await draftsOf(id)).toEqual(["Second thought"]);
    await page.context().close();
  });

  it("is asked about before the page closes if it is too long to be sent then", async () => {
    const id = await createConversation("Long");
    const page = await open(id);
    const asks = () => page.evaluate(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
    await send(page, "Short enough");
    expect(await asks()).toBe(false);
    await composer(page).fill("long ".repeat(5_000));
    await page.keyboard.press("Control+Enter");
    await hasText(page, "");
    expect(await asks()).toBe(true);
    await page.context().close();
  });

  it("can be edited after the server has refused it, as one that is too long", async () => {
    const id = await createConversation("Too long");
    const page = await open(id);
    await composer(page).fill("x".repeat(65_537));
    await page.keyboard.press("Control+Enter");
    await hasText(page, "");
    await sendHeldNow(page);
    await page.getByText("Not sent. body must have at most 65536 characters.").waitFor();
    await page.getByRole("log").getByRole("button", { name: "Edit" }).click();
    await hasText(page, "x".repeat(65_537));
    expect(await page.getByText("Not sent.").count()).toBe(0);
    await send(page, "Shorter");
    await sendHeldNow(page);
    await until("it is sent", async () => (await bodiesOf(id))[0] === "Shorter");
    await page.context().close();
  });

  it("is replaced by its event if the response is lost", async () => {
    const id = await createConversation("Lost response");
    const page = await open(id);
    await page.route("**/messages", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      // The server has the message; the page does not learn it from the response.
      await route.fetch();
      return route.abort("connectionreset");
    });
    const isSend = (request: Any) => request.method() === "POST" && request.url().endsWith("/messages");
    const failed = page.waitForEvent("requestfailed", isSend);
    await send(page, "Arrived once");
    await sendHeldNow(page);
    await failed;
    // Events arrive in their order: with this one, that of the reply is here too.
    const later = { body: "Thank you", direction: "in" };
    await parley.call("POST", `/conversations/${id}/messages`, { body: later });
    await page.getByRole("log").getByText("Thank you").waitFor();
    await expect.poll(() => page.getByRole("log").getByText("Arrived once").count()).toBe(1);
    await expect.poll(() => page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    expect(await bodiesOf(id)).toEqual(["Thank you", "Arrived once", "Hello?"]);
    await page.context().close();
  });
});

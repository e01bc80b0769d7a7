import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";
import { gotoSettled, launchChromium, openPage, type Watched } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  watched = await openPage(browser, parley, { as: owner, viewport: { width: 1400, height: 860 } });
  page = watched.page;
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

async function create(path: string, body: object): Promise<Any> {
  const reply = await parley.call("POST", path, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** Conversations of one label, the newest last created and first in the list. */
async function createQueue(label: string, subjects: string[]): Promise<Any[]> {
  const queue: Any[] = [];
  for (const subject of subjects)
    queue.push(
      await create("/conversations", {
        subject,
        labels: [label],
        contact: { name: "Ana" },
        message: { body: "Hello?", direction: "in" },
      }),
    );
  return queue;
}

const bodiesOf = async (id: number): Promise<string[]> =>
  (await parley.call("GET", `/conversations/${id}/messages`)).body.data.map(({ body }: Any) => body);
const conversation = async (id: number): Promise<Any> => (await parley.call("GET", `/conversations/${id}`)).body.data;

async function open(path: string): Promise<void> {
  await page.context().setOffline(false);
  await gotoSettled(page, `/w/1${path}`);
}
const composer = () => page.locator("#composer-field");
const row = (id: number) => page.locator(`[data-conversation="${id}"]`);
/** Ends the time in which a send can be undone, as leaving the page does. */
const sendHeldNow = () => page.evaluate(`dispatchEvent(new Event("pagehide"))`);
const live = () => page.locator("[data-live=live]").first().waitFor();

it("the inbox sends a reply when the page is left within the time for undo, and resolves as asked", async () => {
  const [only] = await createQueue("leaving", ["Leaving"]);
  await open(`/inbox/${only.id}`);
  // It is resolved only over what its agent has seen.
  await page.getByRole("log", { name: "Messages" }).getByText("Hello?").waitFor();
  await composer().fill("See you.");
  await page.keyboard.press("Control+Shift+Enter");
  await row(only.id).getByText("Sending").waitFor();
  await page.goto("about:blank");
  await until("the reply is there", async () => (await bodiesOf(only.id)).includes("See you."));
  await until("the conversation is resolved", async () => (await conversation(only.id)).status === "resolved");
  await open(`/inbox/${only.id}`);
  await live();
  await page.getByRole("log", { name: "Messages" }).getByText("See you.").first().waitFor();
  expect(await page.getByText("The browser was closed").count()).toBe(0);
});

it("the inbox resolves as asked, without a draft, when the page is left while its reply is on its way", async () => {
  const [only] = await createQueue("left on its way", ["Left on its way"]);
  await open(`/inbox/${only.id}`);
  await page.getByRole("log", { name: "Messages" }).getByText("Hello?").waitFor();
  await composer().fill("On its way.");
  await page.getByText("Draft saved").waitFor();
  // The server has the message, and its response does not come before the page is gone.
  await page.route("**/messages", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    else await route.continue();
  });
  await page.keyboard.press("Control+Shift+Enter");
  await until("the server has it", async () => (await bodiesOf(only.id)).includes("On its way."));
  await page.goto("about:blank");
  await until("the conversation is resolved", async () => (await conversation(only.id)).status === "resolved");
  await until("the draft is gone", async () => {
    const { body } = await owner.call("GET", `//api/v1/conversations/${only.id}/drafts`);
    return body.data.length === 0;
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await open(`/inbox/${only.id}`);
  await live();
  await page.getByRole("log", { name: "Messages" }).getByText("On its way.").first().waitFor();
  expect(await page.getByText("The browser was closed").count()).toBe(0);
});

it("the inbox sends a reply in the workspace where it was written, though another one is open by then", async () => {
  const { body } = await owner.call("POST", "/workspaces", { name: "Second" });
  const [only] = await createQueue("moving", ["Moving"]);
  await open(`/inbox/${only.id}`);
  await live();
  await composer().fill("Written in the first workspace.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Sending in a moment").waitFor();
  await page.evaluate(`history.pushState(null, "", "/w/${body.data.id}/inbox")`);
  await sendHeldNow();
  await until("the reply is there", async () => (await bodiesOf(only.id)).includes("Written in the first workspace."));
});

it("the inbox sends replies of a conversation in order, and shows everywhere what waits to be sent", async () => {
  const [other, first] = await createQueue("order", ["Other", "In order"]);
  await open(`/inbox/${first.id}?label=order`);
  await live();
  // The first one takes longer than the second.
  await page.route("**/messages", async (route) => {
    if (route.request().postDataJSON()?.body === "One") await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  await page.context().setOffline(true);
  for (const text of ["One", "Two"]) {
    await composer().fill(text);
    await page.keyboard.press("Control+Enter");
  }
  await sendHeldNow();
  await row(other.id).getByRole("link").click();
  await page.getByRole("link", { name: "2 messages waiting for a connection" }).waitFor();
  await row(first.id).getByText("Waiting for a connection").waitFor();
  await page.context().setOffline(false);
  await until("both are there", async () => (await bodiesOf(first.id)).length === 3);
  expect(await bodiesOf(first.id)).toEqual(["Two", "One", "Hello?"]);
  await page.getByRole("link", { name: /waiting for a connection/ }).waitFor({ state: "detached" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("the inbox keeps what was typed and attached offline while other conversations are opened", async () => {
  const [other, first] = await createQueue("unsaved", ["Other unsaved", "Unsaved"]);
  await open(`/inbox/${first.id}?label=unsaved`);
  await live();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles([{ name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("one") }]);
  await page.getByText("Draft saved").waitFor();
  await page.context().setOffline(true);
  await composer().fill("Typed in a tunnel");
  await row(other.id).getByRole("link").click();
  await page.getByRole("heading", { name: "Other unsaved" }).waitFor();
  await row(first.id).getByRole("link").click();
  await expect.poll(() => composer().inputValue()).toBe("Typed in a tunnel");
  await page.getByRole("button", { name: "Remove list.txt" }).waitFor();
  await page.context().setOffline(false);
  await page.getByText("Draft saved").waitFor();
  const { body } = await owner.call("GET", `//api/v1/conversations/${first.id}/drafts`);
  expect(body.data).toMatchObject([{ body: "Typed in a tunnel", attachments: [{ name: "list.txt" }] }]);
});

it("the inbox marks a draft in the list after a reload, and not a reply that is sent and resolved", async () => {
  const [last, first] = await createQueue("marks", ["Left", "Sent and resolved"]);
  await owner.call("POST", `//api/v1/conversations/${last.id}/drafts`, { body: "Half a sen" });
  await open(`/inbox/${first.id}?label=marks`);
  await row(last.id).getByText("Draft").waitFor();
  await composer().fill("Done.");
  await page.getByText("Draft saved").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForURL(new RegExp(`/inbox/${last.id}`));
  await row(first.id).getByText("Sending").waitFor();
  expect(await row(first.id).getByText("Draft").count()).toBe(0);
});

it("the inbox has rows of 64 pixels, or 44 where compact, and Back returns to where the list was", async () => {
  const subjects = Array.from({ length: 12 }, (_, index) => `Tall ${index}`);
  const [only, oldest] = (await createQueue("rows", subjects)).toReversed();
  await page.setViewportSize({ width: 1400, height: 400 });
  await open("/inbox?label=rows");
  const scrolled = () => page.locator("[aria-label='All open']").evaluate((list) => list.scrollTop);
  await row(oldest.id).hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(scrolled).toBe(300);
  await page.getByRole("link", { name: "Contacts" }).first().click();
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  await page.goBack();
  await expect.poll(scrolled).toBe(300);
  await page.setViewportSize({ width: 1400, height: 860 });
  await open("/inbox?label=rows");
  const height = () => row(only.id).evaluate((element) => element.getBoundingClientRect().height);
  expect(await height()).toBe(64);
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await expect.poll(height).toBe(44);
  await page.reload();
  await expect.poll(height).toBe(44);
  await page.evaluate("localStorage.clear()");
});

it("the inbox opens labels and priority with keys for one or all selected, and undoes with z", async () => {
  const [third, second, first] = await createQueue("keys", ["Third", "Second", "First"]);
  await open(`/inbox/${first.id}?label=keys`);
  const body = page.locator("body");
  await body.press("l");
  const labels = page.getByRole("dialog", { name: "Labels" });
  await labels.getByLabel("Add a label").fill("vip");
  await labels.getByRole("button", { name: "Save labels" }).click();
  await until("the label is saved", async () => (await conversation(first.id)).labels.includes("vip"));
  await page.getByText("Labels changed").waitFor();
  await body.press("p");
  await page.getByRole("menuitemradio", { name: "High" }).click();
  await until("the priority is saved", async () => (await conversation(first.id)).priority === "high");
  await page.getByText("Priority changed").waitFor();
  await body.press("z");
  await until("the priority is as before", async () => (await conversation(first.id)).priority === null);
  await body.press("e");
  await page.waitForURL(new RegExp(`/inbox/${second.id}`));
  await page
    .getByRole("status")
    .getByText(/^Resolved/)
    .waitFor();
  await body.press("z");
  await until("it is open again", async () => (await conversation(first.id)).status === "open");
  await page.goto(`/w/1/inbox?label=keys`);
  const selectTwo = async () => {
    for (const one of [second, third]) await row(one.id).getByRole("checkbox").check();
  };
  const labelsOfTwo = async () => [...(await conversation(second.id)).labels, ...(await conversation(third.id)).labels];
  await selectTwo();
  await body.press("l");
  const labelsOfAll = page.getByRole("dialog", { name: "Labels of 2 conversations" });
  await labelsOfAll.getByLabel("Add a label to all of them").fill("b2b");
  await labelsOfAll.getByRole("button", { name: "Remove keys" }).click();
  await labelsOfAll.getByRole("button", { name: "Save labels" }).click();
  await page.getByText("2 conversations changed").waitFor();
  expect(await labelsOfTwo()).toEqual(["b2b", "b2b"]);
  await body.press("z");
  await page.getByText("Undone").last().waitFor();
  expect(await labelsOfTwo()).toEqual(["keys", "keys"]);
  await selectTwo();
  await body.press("p");
  await page.getByRole("menuitem", { name: "Urgent" }).click();
  await until("both are urgent", async () => (await conversation(third.id)).priority === "urgent");
  await expect.poll(() => page.getByRole("toolbar").count()).toBe(0);
  await selectTwo();
  await body.press("e");
  await page.getByText("2 conversations resolved").waitFor();
  expect((await conversation(first.id)).status).toBe("open");
});

it("the inbox assigns to its user and marks as unread all that are selected, with the keys for one", async () => {
  const queue = await createQueue("many", ["Third", "Second", "First"]);
  const [third, second, first] = queue;
  const asOwner = (id: number, action = "", body?: object) =>
    owner.call(body ? "POST" : "GET", `//api/v1/conversations/${id}${action}`, body);
  for (const { id } of queue) await asOwner(id, "/read", { seq: 1 });
  await open("/inbox?label=many");
  const body = page.locator("body");
  await body.press("j");
  const pressForTwo = async (key: string) => {
    for (const { id } of [second, third]) await row(id).getByRole("checkbox").check();
    await body.press(key);
  };
  await pressForTwo("i");
  await page.getByText("2 conversations assigned to you").waitFor();
  const assignees = await Promise.all([first, second, third].map(async ({ id }) => (await conversation(id)).assignee));
  expect(assignees.map((one) => one?.name ?? null)).toEqual([null, "Olive Owner", "Olive Owner"]);
  await pressForTwo("u");
  await page.getByText("2 conversations marked as unread").waitFor();
  const unread = await Promise.all([first, second, third].map(async ({ id }) => (await asOwner(id)).body.data));
  expect(unread.map(({ unread_count }) => unread_count)).toEqual([0, 1, 1]);
});

it("the inbox takes / and ] also from keyboards on which they need Shift or AltGr", async () => {
  const [only] = await createQueue("keyboards", ["Only"]);
  await open(`/inbox/${only.id}?label=keyboards`);
  const type = (key: string, modifiers: string) =>
    page.evaluate(`document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, ${modifiers}, bubbles: true, cancelable: true }),
    )`);
  const details = page.getByRole("complementary", { name: "Contact and details" });
  await details.waitFor();
  await type("]", "ctrlKey: true, altKey: true");
  await details.waitFor({ state: "detached" });
  await type("]", "altKey: true");
  await details.waitFor();
  await type("/", "shiftKey: true");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("inbox-search");
});

it("the inbox clears a selection with Escape, before Escape closes the conversation", async () => {
  const [second, first] = await createQueue("cleared", ["Second", "First"]);
  await open(`/inbox/${first.id}?label=cleared`);
  for (const { id } of [first, second]) await row(id).getByRole("checkbox").check();
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("toolbar", { name: "Selected conversations" }).count()).toBe(0);
  await composer().waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("No conversation is open").waitFor();
});

it("the inbox removes the assignee of one conversation or all selected, and undoes that with z", async () => {
  const [second, first] = await createQueue("assigned", ["Second", "First"]);
  const assigneeOf = async ({ id }: Any) => (await conversation(id)).assignee?.id ?? null;
  const me = (await owner.call("GET", "/session")).body.data.user.id;
  const assignButton = page.locator("#assign-button");
  await open(`/inbox/${first.id}?label=assigned`);
  await assignButton.waitFor();
  const body = page.locator("body");
  await body.press("i");
  await page.getByText("Assigned to you").waitFor();
  expect(await assigneeOf(first)).toBe(me);
  await body.press("z");
  await until("it is unassigned again", async () => (await assigneeOf(first)) === null);
  for (const one of [first, second])
    await parley.call("PATCH", `/conversations/${one.id}`, { body: { assignee_id: me } });
  await open(`/inbox/${first.id}?label=assigned`);
  await assignButton.waitFor();
  await body.press("a");
  await page.getByRole("menuitem", { name: "Nobody" }).click();
  await until("the open one is unassigned", async () => (await assigneeOf(first)) === null);
  await row(second.id).getByRole("checkbox").check();
  await page.getByRole("toolbar", { name: "Selected conversations" }).waitFor();
  await body.press("a");
  await page.getByRole("menuitem", { name: "Nobody" }).click();
  await until("the selected one is unassigned", async () => (await assigneeOf(second)) === null);
  await page.getByText("1 conversation unassigned").waitFor();
});

it("the inbox keeps a label added elsewhere while the dialog was open, and says why labels are refused", async () => {
  const [first] = await createQueue("shared", ["First"]);
  await open(`/inbox/${first.id}?label=shared`);
  await page.locator("body").press("l");
  const dialog = page.getByRole("dialog", { name: "Labels" });
  await dialog.getByLabel("Add a label").fill("mine");
  await owner.call("PATCH", `//api/v1/conversations/${first.id}`, { labels: ["shared", "theirs"] });
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await page.getByText("Labels changed").waitFor();
  expect([...(await conversation(first.id)).labels].sort()).toEqual(["mine", "shared", "theirs"]);
  const fifty = Array.from({ length: 50 }, (_, index) => `label ${index}`);
  await owner.call("PATCH", `//api/v1/conversations/${first.id}`, { labels: fifty });
  await page.locator("body").press("l");
  await dialog.getByLabel("Add a label").fill("one more");
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await dialog.getByText("labels must have at most 50 items.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

it("the inbox shows changes made elsewhere at once, and edits attributes next to the conversation", async () => {
  const [only] = await createQueue("elsewhere", ["Elsewhere"]);
  // A part that cannot be loaded leaves the rest of the page as it is.
  await page.route(/assets\/outcome-.*\.css/, (route) => route.abort());
  await open(`/inbox/${only.id}`);
  await page.getByText("This could not be loaded.").waitFor();
  await composer().waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await open(`/inbox/${only.id}`);
  await live();
  await parley.call("PATCH", `/contacts/${only.contact.id}`, { body: { phone: "+49 30 901820" } });
  const details = page.getByRole("complementary", { name: "Contact and details" });
  await details.getByText("+49 30 901820").waitFor();
  await details.getByRole("button", { name: "Add attributes" }).click();
  await details.getByRole("button", { name: "Add attribute", exact: true }).click();
  await details.getByLabel("Name of attribute 1").fill("plan");
  await details.getByLabel("Value of attribute 1").fill("Business");
  await details.getByRole("button", { name: "Save attributes" }).click();
  await details.getByRole("button", { name: "Edit attributes" }).waitFor();
  await details.getByText("Business").waitFor();
  await composer().fill("Half a sentence");
  await parley.call("DELETE", `/conversations/${only.id}`);
  await page.getByText("This conversation is not here any more").waitFor();
  expect(await page.getByLabel("What you had written").inputValue()).toBe("Half a sentence");
  expect(watched.errors).toEqual([]);
});

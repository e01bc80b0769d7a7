import { rmSync } from "node:fs";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";
import { gotoSettled, launchChromium, openPage, openProfile, settledAfter, UNSENT_COPIES } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
type Any = any;

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let agent: HttpClient;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
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

const write = (id: number, body: object, as?: HttpClient): Promise<Any> =>
  as
    ? as.call("POST", `//api/v1/conversations/${id}/messages`, body)
    : parley.call("POST", `/conversations/${id}/messages`, { body });
const conversationOf = async (id: number): Promise<Any> => (await parley.call("GET", `/conversations/${id}`)).body.data;
const bodiesOf = async (id: number): Promise<string[]> =>
  (await parley.call("GET", `/conversations/${id}/messages`)).body.data.map(({ body }: Any) => body);
const draftsOf = async (id: number, as = owner): Promise<string[]> =>
  (await as.call("GET", `//api/v1/conversations/${id}/drafts`)).body.data.map(({ body }: Any) => body);

async function open(id: number, as = owner): Promise<Page> {
  const { page } = await openPage(browser, parley, { as, viewport: { width: 1400, height: 860 } });
  await gotoSettled(page, `/w/1/inbox/${id}`);
  await page.locator("[data-live=live]").first().waitFor();
  return page;
}
const composer = (page: Page) => page.locator("#composer-field");
const hasText = (page: Page, text: string) => expect.poll(() => composer(page).inputValue()).toBe(text);

describe("Send and resolve", () => {
  it("sends and leaves the conversation open if the contact writes within the time for undo, and says so", async () => {
    const id = await createConversation("Resolved too early");
    const page = await open(id);
    await composer(page).fill("It is on its way.");
    await page.keyboard.press("Control+Shift+Enter");
    await write(id, { body: "One more question", direction: "in" });
    await page.getByText(/stays open, because the contact has written/).waitFor();
    expect((await conversationOf(id)).status).toBe("open");
    expect(await bodiesOf(id)).toContain("It is on its way.");
    await page.context().close();
  });

  it("resolves if nothing came in", async () => {
    const id = await createConversation("Resolved in time");
    const page = await open(id);
    await composer(page).fill("Done.");
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByText("Sent and resolved").waitFor();
    expect((await conversationOf(id)).status).toBe("resolved");
    await page.context().close();
  });
});

describe("a reply that someone else's reply overtakes", () => {
  it("is not sent from the time for undo before its author has seen the other one", async () => {
    const id = await createConversation("Overtaken while held");
    const page = await open(id);
    await composer(page).fill("My reply");
    await page.keyboard.press("Control+Enter");
    await write(id, { body: "The reply of Agnes" }, agent);
    await page.getByText(/has replied since you wrote this/).waitFor();
    expect(await bodiesOf(id)).not.toContain("My reply");
    await page.getByRole("button", { name: "Send anyway" }).click();
    await until("it is sent", async () => (await bodiesOf(id)).includes("My reply"));
    await page.context().close();
  });

  it("is not sent when the connection is back before its author has seen the other one", async () => {
    const id = await createConversation("Overtaken while offline");
    const page = await open(id);
    await page.context().setOffline(true);
    await composer(page).fill("Written offline");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Waiting for a connection").first().waitFor();
    await write(id, { body: "Agnes was faster" }, agent);
    await page.context().setOffline(false);
    await page.getByText(/has replied since you wrote this/).waitFor();
    expect(await bodiesOf(id)).not.toContain("Written offline");
    await page.getByRole("button", { name: "Edit" }).click();
    await hasText(page, "Written offline");
    await page.context().close();
  });

  it("is not sent, nor left unsent, where its code cannot be loaded when the connection is back", async () => {
    const id = await createConversation("Overtaken before its code came");
    const { page } = await openPage(browser, parley, { as: owner, viewport: { width: 1400, height: 860 } });
    const context = page.context();
    let failures = 0;
    const refuse = (route: Route) => {
      failures += 1;
      return route.abort();
    };
    await context.route("**/outbox-effects*", refuse);
    await gotoSettled(page, `/w/1/inbox/${id}`);
    await page.locator("[data-live=live]").first().waitFor();
    await context.setOffline(true);
    await composer(page).fill("Written offline");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Waiting for a connection").first().waitFor();
    await write(id, { body: "Agnes was faster" }, agent);
    const before = failures;
    await context.setOffline(false);
    await expect.poll(() => failures).toBeGreaterThan(before);
    await context.unroute("**/outbox-effects*", refuse);
    await page.getByText(/has replied since you wrote this/).waitFor();
    await page.getByRole("button", { name: "Send anyway" }).click();
    await until("it is sent", async () => (await bodiesOf(id)).includes("Written offline"));
    await context.close();
  });

  it("holds up the one behind it, which says so, and is asked about as well", async () => {
    const id = await createConversation("Overtaken in the queue");
    const page = await open(id);
    await page.context().setOffline(true);
    for (const text of ["The first", "The second"]) {
      await composer(page).fill(text);
      await page.keyboard.press("Control+Enter");
      await hasText(page, "");
    }
    await expect.poll(() => page.getByRole("log").getByText("Waiting for a connection").count()).toBe(2);
    await write(id, { body: "Agnes was faster" }, agent);
    await page.context().setOffline(false);
    await page.getByText(/has replied since you wrote this/).waitFor();
    await page.getByText("Waiting for the message before it").waitFor();
    expect(await page.getByText(/waiting for a connection/i).count()).toBe(0);
    await page.getByRole("button", { name: "Send anyway" }).click();
    await until("the first is sent", async () => (await bodiesOf(id)).includes("The first"));
    await page.getByText(/has replied since you wrote this/).waitFor();
    expect(await bodiesOf(id)).not.toContain("The second");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.context().close();
  });

  it("is announced to colleagues while it can still be undone", async () => {
    const id = await createConversation("Announced");
    const colleague = await open(id, agent);
    const page = await open(id);
    await composer(page).fill("In a moment");
    await page.keyboard.press("Control+Shift+Enter");
    await colleague.getByText(/is sending a reply/).waitFor();
    await colleague.getByRole("log").getByText("In a moment").waitFor();
    await expect.poll(() => colleague.getByText(/is sending a reply/).count()).toBe(0);
    await page.context().close();
    await colleague.context().close();
  });
});

describe("a draft on two devices", () => {
  it("keeps what each of them wrote when both change it at once", async () => {
    const id = await createConversation("Two devices");
    const [one, two] = [await open(id), await open(id)];
    await composer(one).fill("Hello Ana.");
    await one.getByText("Draft saved").waitFor();
    await hasText(two, "Hello Ana.");
    await one.context().setOffline(true);
    await composer(one).fill("Hello Ana. From the phone.");
    await composer(two).fill("Hello Ana. From the desk.");
    await two.getByText("Draft saved").waitFor();
    await one.context().setOffline(false);
    const isWhole = (text: string) =>
      ["Hello Ana.", "From the phone.", "From the desk."].every((part) => text.split(part).length === 2);
    await until("both sentences are saved", async () => isWhole((await draftsOf(id))[0] ?? ""), { timeoutMs: 20_000 });
    await expect.poll(async () => isWhole(await composer(one).inputValue())).toBe(true);
    await one.context().close();
    await two.context().close();
  });

  it("shows at once in an open composer what is written on the other device", async () => {
    const id = await createConversation("Follows");
    const [one, two] = [await open(id), await open(id)];
    await composer(one).fill("First");
    await hasText(two, "First");
    await composer(one).fill("First, then second");
    await hasText(two, "First, then second");
    await one.context().close();
    await two.context().close();
  });
});

describe("what was written without a connection", () => {
  it("is there again after the browser has crashed, and is sent when its author says so", async () => {
    const [replied, begun] = [await createConversation("Crashed reply"), await createConversation("Crashed draft")];
    const { directory, page, context, crash } = await openProfile(parley, owner.token);
    await gotoSettled(page, `/w/1/inbox/${begun}`);
    await settledAfter(page, () => page.evaluate(`history.pushState(null, "", "/w/1/inbox/${replied}")`));
    await page.getByRole("heading", { name: "Crashed reply" }).waitFor();
    await settledAfter(page, () => page.mouse.move(10, 10));
    await context.setOffline(true);
    await composer(page).fill("A reply");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Waiting for a connection").first().waitFor();
    await page.locator("body").press("Escape");
    await page.evaluate(`history.pushState(null, "", "/w/1/inbox/${begun}")`);
    await page.getByRole("heading", { name: "Crashed draft" }).waitFor();
    await composer(page).fill("A draft");
    await page.getByText("Draft not saved").waitFor();
    await crash();
    expect(await bodiesOf(replied)).not.toContain("A reply");

    const { page: next, context: restarted } = await openProfile(parley, owner.token, directory);
    await gotoSettled(next, `/w/1/inbox/${replied}`);
    await next.getByText(/The browser was closed before it could be sent/).waitFor();
    await next.getByRole("button", { name: "Retry" }).click();
    await until("it is sent", async () => (await bodiesOf(replied)).includes("A reply"));
    await until("the draft is saved", async () => (await draftsOf(begun))[0] === "A draft");
    await expect.poll(() => next.evaluate(UNSENT_COPIES)).toBe(0);
    await restarted.close();
    rmSync(directory, { recursive: true, force: true });
  });
});

it("what is read in one browser is read in the user's other browser at once", async () => {
  const id = await createConversation("Read elsewhere");
  const other = await createConversation("Open elsewhere");
  const watching = await open(other);
  const row = watching.locator(`[data-conversation="${id}"]`);
  await row.getByText("1 unread").waitFor({ state: "attached" });
  const reading = await open(id);
  await expect.poll(() => row.getByText("1 unread").count(), { timeout: atMost(4_000) }).toBe(0);
  await reading.context().close();
  await watching.context().close();
});

describe("an assignment", () => {
  it("of two people who take a conversation at once, one reads that the other has it", async () => {
    const id = await createConversation("Taken twice");
    const page = await open(id);
    const members = (await owner.call("GET", "//api/v1/members")).body.data;
    const agnes = members.find(({ email }: Any) => email === "agnes@example.com");
    // The other one takes it while this request is on its way.
    await page.route(`**/conversations/${id}`, async (route) => {
      if (route.request().method() === "PATCH")
        await agent.call("PATCH", `//api/v1/conversations/${id}`, { assignee_id: agnes.id });
      await route.continue();
    });
    await page.locator("body").press("i");
    await page.getByText(new RegExp(`${agnes.name} has it now`)).waitFor();
    expect((await conversationOf(id)).assignee.id).toBe(agnes.id);
    await page.context().close();
  });

  it("that someone else has changed since is not undone, and its undo says who has the conversation", async () => {
    const id = await createConversation("Undone too late");
    const page = await open(id);
    await page.locator("body").press("i");
    await page.getByText("Assigned to you").waitFor();
    const members = (await owner.call("GET", "//api/v1/members")).body.data;
    const agnes = members.find(({ email }: Any) => email === "agnes@example.com");
    await agent.call("PATCH", `//api/v1/conversations/${id}`, { assignee_id: agnes.id });
    await page.locator("body").press("z");
    await page.getByText(new RegExp(`${agnes.name} has it now`)).waitFor();
    expect((await conversationOf(id)).assignee.id).toBe(agnes.id);
    await page.context().close();
  });
});

it("a file that was refused says why, and Send asks before it sends without it", async () => {
  const id = await createConversation("Refused file");
  const page = await open(id);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  const [nothing, tooMuch] = [Buffer.alloc(0), Buffer.alloc(25 * 1024 ** 2 + 1)];
  await (await chooser).setFiles([
    { name: "nothing.txt", mimeType: "text/plain", buffer: nothing },
    { name: "film.mp4", mimeType: "video/mp4", buffer: tooMuch },
  ]);
  await page.getByText("Empty", { exact: true }).waitFor();
  await page.getByText("Larger than 25 MiB", { exact: true }).waitFor();
  await composer(page).fill("See the attached file");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Not attached: nothing\.txt.*film\.mp4/).waitFor();
  expect(await composer(page).inputValue()).toBe("See the attached file");
  await page.keyboard.press("Control+Enter");
  await hasText(page, "");
  await page.context().close();
});

it("times and snoozes follow the clock of the server where that of the device is wrong", async () => {
  const id = await createConversation("Wrong clock");
  const { page } = await openPage(browser, parley, { as: owner, viewport: { width: 1400, height: 860 } });
  await page.clock.install({ time: new Date(Date.now() + 3 * 86_400_000) });
  await page.goto(`/w/1/inbox/${id}`);
  await page.getByRole("heading", { name: "Wrong clock" }).waitFor();
  await page.getByText("Today", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Snooze" }).click();
  await page.clock.runFor(1_000);
  await page.getByRole("menuitem", { name: "For one hour" }).click();
  await until("it is snoozed", async () => (await conversationOf(id)).status === "snoozed");
  const wakesAt = Date.parse((await conversationOf(id)).snoozed_until);
  expect(Math.abs(wakesAt - Date.now() - 3_600_000)).toBeLessThan(120_000);
  await page.context().close();
});

it("a search of a list that finds nothing says where it looked, and offers the search of everything", async () => {
  await createConversation("Only among the resolved");
  const page = await open(await createConversation("Open next to the search"));
  await gotoSettled(page, "/w/1/inbox?view=snoozed");
  await page.getByLabel("Search these conversations").fill("among");
  await page.getByText("Nothing in Snoozed was found for “among”.").waitFor();
  await page.getByRole("button", { name: "Search everything" }).click();
  await page
    .getByRole("dialog")
    .getByText(/Only among the resolved/)
    .first()
    .waitFor();
  await page.context().close();
});

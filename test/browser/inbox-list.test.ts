import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import {
  accessibilityFaults,
  gotoSettled,
  launchChromium,
  openPage,
  overflows,
  settledAfter,
  type Watched,
} from "./support.ts";

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

async function create(subject: string, more: object = {}): Promise<Any> {
  const body = { subject, contact: { name: "Ana" }, message: { body: "Hello?", direction: "in" }, ...more };
  const reply = await parley.call("POST", "/conversations", { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** What of a row is cut off, wrapped or elsewhere than it should be. */
const MISPLACED = `(row) => {
  const box = (element) => element.getBoundingClientRect();
  const line = box(row.querySelector("a"));
  const marks = [...row.querySelectorAll("a > span:last-child > span:last-child > *")];
  const label = marks[0];
  return [
    ...marks.filter((mark) => box(mark).right > line.right + 0.5 || box(mark).height > 21).map((mark) => mark.textContent),
    ...(Math.abs(box(marks.at(-1)).right - line.right) > 1 ? ["not at the end"] : []),
    ...(box(label).width < 40 && label.scrollWidth > label.clientWidth ? ["label " + box(label).width] : []),
    ...(marks.length === 4 ? [] : [marks.length + " marks"]),
  ];
}`;

/** The controls of the open conversation that lie under a toast. */
const COVERED = `[...document.querySelectorAll("[data-composer] :is(button, textarea), #main header :is(button, a), aside :is(button, a)")]
  .filter((control) => control.checkVisibility())
  .filter((control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    return [0.1, 0.5, 0.9].some((part) => {
      const found = document.elementFromPoint(left + width * part, top + height * part);
      return found?.closest("[role=status]:has(button)") && !control.contains(found);
    });
  })
  .map((control) => control.ariaLabel ?? control.textContent)`;

const row = (id: number) => page.locator(`[data-conversation="${id}"]`);
const live = () => page.locator("[data-live=live]").first().waitFor();
const log = () => page.getByRole("log", { name: "Messages" });

it("the search of the list keeps the focus and the open conversation, however slowly one types", async () => {
  const { id } = await create("Searched", { labels: ["searched"] });
  await gotoSettled(page, `/w/1/inbox/${id}?label=searched`);
  await page.keyboard.press("/");
  await page.keyboard.type("sea");
  await page.waitForURL(/search=sea$/);
  await page.keyboard.type("rche");
  await page.waitForURL(/search=searche$/);
  await row(id).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/1/inbox/${id}`);
  expect(await page.locator("#inbox-search").inputValue()).toBe("searche");
  expect(await page.evaluate("document.activeElement.id")).toBe("inbox-search");
  await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  expect(watched.errors).toEqual([]);
});

it("the details of a conversation never show the conversations of another contact", async () => {
  const [bo, cy] = ["Bo", "Cy"].map((name) => ({ contact: { name, external_id: name }, labels: ["others"] }));
  await create("Another one of Bo", { ...bo, labels: [] });
  const first = await create("First of Bo", bo);
  const second = await create("Only one of Cy", cy);
  await gotoSettled(page, `/w/1/inbox/${first.id}?label=others`);
  const details = page.getByRole("complementary", { name: "Contact and details" });
  await details.getByRole("link", { name: "Another one of Bo" }).waitFor();
  await page.route("**/api/v1/conversations?*contact_id=*", () => {});
  await row(second.id).getByRole("link").click();
  await details.getByRole("link", { name: "Cy" }).waitFor();
  const shown = await details.getByText("of Bo").count();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  expect(shown).toBe(0);
});

it("older messages that are being read stay where they are while new ones arrive", async () => {
  const { id } = await create("Long", { labels: ["long"] });
  const write = async (body: string) =>
    expect(
      (await parley.call("POST", `/conversations/${id}/messages`, { body: { body, direction: "in" } })).status,
    ).toBe(201);
  for (let n = 1; n <= 120; n++) await write(`${n} of many messages. ${"More words. ".repeat((n * 7) % 40)}`);
  await gotoSettled(page, `/w/1/inbox/${id}?label=long`);
  await live();
  // At the top, the messages before the first fifty are loaded.
  await expect
    .poll(async () => {
      await log().evaluate((list) => list.scrollTo(0, Math.max(300, list.scrollTop - 600)));
      return log().getByText("50 of many").count();
    })
    .toBe(1);
  const read = log().getByText("50 of many");
  await read.scrollIntoViewIfNeeded();
  const top = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
  await settledAfter(page, () => page.evaluate("1"));
  const before = await top();
  for (const body of ["A new one", "Another new one"]) {
    const listed = page.waitForResponse((response) => response.url().includes("/conversations?"));
    await settledAfter(page, () => write(body));
    await row(id).getByText(body).waitFor();
    await listed;
    await settledAfter(page, () => page.evaluate("1"));
    expect(await top()).toBe(before);
  }
  await page.getByRole("button", { name: "Newest" }).click();
  await log().getByText("Another new one").waitFor();
});

it("rows of both heights show two labels, how many more there are and the assignee, whole and at the end", async () => {
  const many = Array.from({ length: 20 }, (_, n) => `premium-${String(n).padStart(2, "0")}`);
  const { id } = await create("A subject that is much longer than a row is wide, whatever its width", { labels: many });
  await owner.call("PATCH", `//api/v1/conversations/${id}`, { assignee_id: 1 });
  await gotoSettled(page, "/w/1/inbox?label=premium-00");
  for (const [rows, height] of [
    ["Comfortable", 64],
    ["Compact", 44],
  ] as const) {
    await page.getByRole("button", { name: /^All open/ }).click();
    await page.getByRole("menuitemradio", { name: rows }).click();
    await expect.poll(async () => (await row(id).boundingBox())?.height).toBe(height);
    expect(await row(id).evaluate(`(${MISPLACED})(document.querySelector('[data-conversation="${id}"]'))`)).toEqual([]);
  }
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitemradio", { name: "Comfortable" }).click();
});

it("what a change says covers neither the composer nor the sidebar nor a header, in any window", async () => {
  const { id } = await create("Covered", { labels: ["covered"] });
  for (const width of [1440, 1100, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await gotoSettled(page, `/w/1/inbox/${id}?label=covered`);
    await page.locator("main").focus();
    await page.keyboard.press("i");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    expect(await page.evaluate(COVERED), `${width}`).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  }
  await page.setViewportSize({ width: 1400, height: 860 });
});

it("an ordinary subject is whole next to the buttons of its conversation, in any window", async () => {
  const subject = "Where is the parcel that I ordered on Tuesday of last week?";
  const { id } = await create(subject, { labels: ["whole"], priority: "high" });
  await owner.call("PATCH", `//api/v1/conversations/${id}`, { assignee_id: 1 });
  await gotoSettled(page, `/w/1/inbox/${id}?label=whole`);
  const isCut = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth || scrollHeight > clientHeight + 1)(document.querySelector("#main header h1"))`;
  for (const width of [1600, 1280, 1100, 860, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await page.getByRole("heading", { name: subject }).waitFor();
    expect(await page.evaluate(isCut), `${width}`).toBe(false);
  }
  await page.setViewportSize({ width: 1400, height: 860 });
  await page.getByRole("button", { name: "More", exact: true }).click();
  const entries = ["Labels", "Mark as unread", "Copy link", "Download as text", "Print"];
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(entries);
  await page.keyboard.press("Escape");
});

it("every label of a workspace can be found and chosen, with the number of its conversations", async () => {
  const { id } = await create("Labelled", { labels: Array.from({ length: 14 }, (_, n) => `topic-${n + 10}`) });
  await create("Labelled too", { labels: ["topic-23"] });
  await gotoSettled(page, "/w/1/inbox");
  await page.getByRole("button", { name: /^All open/ }).click();
  await page.getByRole("menuitem", { name: /^All \d+ labels/ }).click();
  await page.getByPlaceholder("Search labels").fill("topic-23");
  const found = page.getByRole("option", { name: "topic-23" });
  expect(await found.textContent()).toBe("topic-232");
  expect(await accessibilityFaults(page)).toEqual([]);
  await found.click();
  await page.waitForURL(/label=topic-23$/);
  await row(id).waitFor();
});

it("opening the conversation that is already open adds no history, so Back returns to the list", async () => {
  const { id } = await create("Opened again", { labels: ["again"] });
  await gotoSettled(page, "/w/1/inbox?label=again");
  for (let n = 0; n < 3; n++) await row(id).getByRole("link").click();
  await page.locator("main").focus();
  await page.keyboard.press("Enter");
  await log().getByText("Hello?").waitFor();
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe("/w/1/inbox");
});

it("a search of everything that can find nothing says so, whatever was typed", async () => {
  await gotoSettled(page, "/w/1/inbox");
  await page.keyboard.press("Control+k");
  const field = page.getByPlaceholder("Search conversations, messages and contacts");
  for (const text of ["%%", "🎉🎉", "z".repeat(250)]) {
    await field.fill(text);
    await page.getByRole("dialog").getByText("Nothing found.").waitFor();
    await field.fill("");
  }
  await page.keyboard.press("Escape");
});

it("a file with a long name has its size on one line", async () => {
  const attachments = [
    { url: "https://files.example.com/a", name: `${"long-name-".repeat(20)}.pdf`, size_bytes: 1_234_567 },
  ];
  const { id } = await create("Files", { message: { body: "", direction: "in", attachments } });
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await gotoSettled(page, `/w/1/inbox/${id}`);
    const size = await log().getByText("1.2 MB").boundingBox();
    expect(size?.height).toBeLessThan(24);
    expect(size?.width).toBeGreaterThan(30);
    expect(await overflows(page)).toBe(false);
  }
  await page.setViewportSize({ width: 1400, height: 860 });
});

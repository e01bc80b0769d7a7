import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { gotoSettled, launchChromium, openPage, overflows } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  const owner = await setUp(parley);
  ({ page } = await openPage(browser, parley, { as: owner, viewport: { width: 1100, height: 800 } }));
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

it("a saved reply with changes asks before its dialog is closed, by Escape, a click outside or Cancel", async () => {
  await gotoSettled(page, "/w/1/settings/saved-replies");
  await button("New saved reply").first().click();
  const name = page.getByRole("dialog").getByLabel("Name");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await button("New saved reply").first().click();
  await name.fill("Half typed");
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => button("Cancel").click(),
  ]) {
    await close();
    await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
    await button("Keep editing").click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    // The dialog below is in use again once it has the focus.
    await expect.poll(() => page.evaluate(`document.activeElement?.closest("[role=dialog]") !== null`)).toBe(true);
    expect(await name.inputValue()).toBe("Half typed");
  }
  await button("Cancel").click();
  await button("Discard changes").click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

it("saved replies have room for their names and buttons in a window of 1100 pixels", async () => {
  const body = { name: "Where is my order", shortcut: "where-is-my-order", body: "It is on its way. ".repeat(30) };
  expect((await parley.call("POST", "/saved-replies", { body })).status).toBe(201);
  await gotoSettled(page, "/w/1/settings/saved-replies");
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? expect.fail("it is not shown");
  const [edit, remove] = [await box(button("Edit Where is my order")), await box(button("Delete Where is my order"))];
  expect(edit.y).toBe(remove.y);
  expect((await box(page.getByRole("cell", { name: "Where is my order", exact: true }))).width).toBeGreaterThan(120);
  expect((await box(page.getByRole("cell", { name: /^It is on its way/ }))).width).toBeGreaterThan(200);
  expect(await overflows(page)).toBe(false);
});

it("every column of a table has a name, and the inbox of a narrow window a heading", async () => {
  for (const path of ["/settings/saved-replies", "/security"]) {
    await gotoSettled(page, `/w/1${path}`);
    await page.getByRole("table").first().waitFor();
    const names = await page.locator("th").allTextContents();
    expect(names.at(-1)).toBe("Actions");
    expect(names).not.toContain("");
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await gotoSettled(page, "/w/1/inbox");
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { gotoSettled, launchChromium, openPage } from "./support.ts";

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
    expect(await name.inputValue()).toBe("Half typed");
  }
  await button("Cancel").click();
  await button("Discard changes").click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleClient } from "../support/bundle.ts";
import { ensureBuilt } from "../support/cli.ts";
import { exerciseClient } from "../support/client-exercise.mjs";
import { startParley, type TestParley } from "../support/parley.ts";
import { launchChromium, openPage } from "./support.ts";

let parley: TestParley;
let browser: Browser;

beforeAll(async () => {
  await ensureBuilt();
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

describe("/docs in a browser", () => {
  it("searches offline, copies code and switches its theme, within the content security policy", async () => {
    const { page, errors, outside, close } = await openPage(browser, parley, {
      permissions: ["clipboard-read", "clipboard-write"],
      colorScheme: "light",
    });
    await page.goto("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("overlap_seconds");
    await page.locator(".results a").first().waitFor();
    await page.locator(".results a").first().click();
    await page.waitForURL(/\/docs\/.+/);
    await page.goto("/docs/guides/local-development");
    await page.locator(".copy").first().click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain("node bin/parley.mjs listen");
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.locator(".theme").click();
    await expect.poll(background).not.toBe(light);
    await page.reload();
    await expect.poll(background).not.toBe(light);
    await page.setViewportSize({ width: 375, height: 700 });
    await page.reload();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(375);
    expect({ errors, outside }).toEqual({ errors: [], outside: [] });
    await close();
  });
});

describe("the client in a browser", () => {
  it("creates, reads, lists, streams and verifies in Chromium", async () => {
    const { code } = await bundleClient("iife");
    const { page, close } = await openPage(browser, parley, { bypassCSP: true });
    await page.goto("/docs");
    await page.addScriptTag({ content: code });
    const result = await page.evaluate(
      `(${exerciseClient.toString()})(ParleyClient, ${JSON.stringify({ url: parley.url, key: parley.key })})`,
    );
    expect(result).toBe("ok");
    await close();
  });
});

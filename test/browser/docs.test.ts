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

describe("the pages of /docs", () => {
  it("are found by what they explain: guides before decisions, each with the text around the words", async () => {
    const { page, close } = await openPage(browser, parley);
    await page.goto("/docs");
    for (const [words, address, shown] of [
      ["retries", /^\/docs\/(webhooks|delivery)/, /retr/],
      ["idempotent", /^\/docs\/conversations#idempotent-posts/, /idempot/],
      ["verify signature", /^\/docs\/guides\/verify-signatures/, /signature/],
      ["retry schedule", /^\/docs\/webhooks#retries/, /retry_schedule/],
      ["PARLEY_RETRY_SCHEDULE", /^\/docs\/(webhooks#retries|configuration)/, /retry/],
      ["rate limit", /^\/docs\/(api-keys|configuration)/, /limit/],
      ["send a message", /^\/docs\/(conversations|api\/conversations)/, /message/],
      ["how to back up", /^\/docs\/operations#backups/, /backup/],
    ] as const) {
      await page.locator(".search input").fill(words);
      await expect
        .poll(() => page.locator(".results a").first().getAttribute("href"), { message: words })
        .toMatch(address);
      const excerpt = (await page.locator(".results small").first().textContent()) ?? "";
      expect(excerpt.toLowerCase()).toMatch(shown);
    }
    await close();
  });

  it("keep code free of the copy button, and names in tables in one piece", async () => {
    const { page, close } = await openPage(browser, parley, { viewport: { width: 900, height: 800 } });
    await page.goto("/docs/configuration");
    const broken = `[...document.querySelectorAll("td:first-child code")].filter((one) => one.getClientRects().length > 1).length`;
    expect(await page.evaluate(broken)).toBe(0);
    await page.goto("/docs/webhooks");
    const covered = `[...document.querySelectorAll(".code")].filter((one) =>
      one.querySelector(".copy").getBoundingClientRect().bottom > one.querySelector("pre").getBoundingClientRect().top).length`;
    expect(await page.evaluate(covered)).toBe(0);
    await close();
  });

  it("include one for an address that does not exist, and a list of pages like a button on phones", async () => {
    const { page, close } = await openPage(browser, parley, { viewport: { width: 375, height: 700 } });
    const missing = await page.goto("/docs/nope");
    expect(missing?.status()).toBe(404);
    expect(await page.locator("h1").textContent()).toContain("No such page");
    const menu = page.locator("nav summary");
    expect(await page.evaluate('getComputedStyle(document.querySelector("nav summary")).borderTopStyle')).toBe("solid");
    await menu.click();
    await page.getByRole("link", { name: "Webhooks", exact: true }).first().click();
    await page.waitForURL(/\/docs\/.*webhooks/);
    const { status, headers } = await fetch(`${parley.url}/docs/nope`);
    expect({ status, type: headers.get("content-type") }).toMatchObject({
      status: 404,
      type: expect.stringContaining("json"),
    });
    const hidden = `[...document.querySelectorAll("td:nth-child(-n + 3)")].filter((cell) => cell.getBoundingClientRect().left > innerWidth - 100).length`;
    for (const name of ["webhooks", "configuration"]) {
      await page.goto(`/docs/${name}`);
      expect(await page.evaluate(hidden), name).toBe(0);
    }
    const style = await fetch(`${parley.url}/docs/assets/style.css`);
    expect(style.headers.get("cache-control")).toBe("no-cache");
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

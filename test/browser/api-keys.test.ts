import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/auth/scopes.ts";
import { PASSWORD } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { accessibilityFaults, launchChromium, openPage, type Watched } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let window: Watched;
let page: Page;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  window = await openPage(browser, parley, { permissions: ["clipboard-read", "clipboard-write"] });
  page = window.page;
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const status = async (secret: string): Promise<number> => (await parley.call("GET", "/me", { key: secret })).status;
const shownSecret = async (): Promise<string> => (await page.locator("[data-secret]").textContent()) ?? "";

describe.sequential("in the dashboard, from the first run to a revoked key,", () => {
  let first: string;
  let second: string;

  it("the first visitor is shown where to find the set-up link", async () => {
    await page.goto("/");
    await page.getByRole("heading", { name: "Set up Parley" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });

  it("people who have an account can sign in before there is an owner", async () => {
    await button("Sign in with an existing account").click();
    await page.getByLabel("E-mail").waitFor();
  });

  it("the one-time link creates the owner", async () => {
    await page.goto(parley.app.setupUrl ?? "");
    await button("Create account").click();
    await page.getByRole("alert").first().waitFor();
    await page.getByLabel("Your name").fill("Olive Owner");
    await page.getByLabel("E-mail").fill("olive@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Workspace").fill("Acme");
    await button("Create account").click();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    expect(page.url()).not.toContain("token");
    await page.getByRole("link", { name: "API Keys" }).click();
  });

  it("the form offers only the abilities that the type may hold", async () => {
    await page.getByRole("link", { name: "Create key" }).first().click();
    await page.getByRole("radio", { name: "Webhook" }).check();
    await page.getByLabel("Everything a webhook key may hold").uncheck();
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(3);
    await page.getByRole("radio", { name: "Limited" }).check();
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(SCOPES.length);
    await button("Create key").click();
    await page.getByText("Select at least one ability.").waitFor();
  });

  it("creating a limited key shows its secret with a curl command that is ready", async () => {
    await page.getByLabel("conversations:read").check();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Nightly export");
    await button("Create key").click();
    await page.getByText("Copy it now").waitFor();
    first = await shownSecret();
    expect(first).toMatch(/^\w+_limited_\w+$/);
    await button("Copy secret").click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(first);
    await expect
      .poll(() => page.getByRole("region", { name: "curl command" }).textContent())
      .toContain(`Bearer ${first}`);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("a key's secret stays until its button is pressed: the palette, the navigation and Back ask first", async () => {
    const stay = async () => {
      await page.getByRole("dialog", { name: "Leave this page?" }).waitFor();
      await button("Stay here").click();
      expect(await shownSecret()).toBe(first);
    };
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Inbox");
    await page.getByRole("option", { name: "Inbox", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await stay();
    await page.getByRole("link", { name: "Contacts" }).click();
    await stay();
    await page.evaluate("history.back()");
    await stay();
  });

  it("a key's secret is never shown again", async () => {
    await page.getByRole("link", { name: "I have stored it" }).click();
    await page.getByRole("heading", { name: "Nightly export" }).waitFor();
    expect(await page.content()).not.toContain(first);
    await page.goBack();
    expect(await page.content()).not.toContain(first);
    await page.goForward();
    await page.getByText("Never", { exact: true }).first().waitFor();
  });

  it("a key's page shows its last use once the key was used over HTTP", async () => {
    expect(await status(first)).toBe(200);
    expect((await parley.call("GET", "/conversations", { key: first })).status).toBe(200);
    expect((await parley.call("GET", "/contacts", { key: first })).status).toBe(403);
    await page.reload();
    await page.getByText("just now").first().waitFor();
    await page.getByRole("img", { name: "Requests: 2 successful, 1 refused (4xx), 0 failed (5xx)" }).waitFor();
  });

  it("a rotation with an overlap leaves both secrets valid, and neither Escape nor a click closes it", async () => {
    await button("Rotate").click();
    await page.getByRole("radio", { name: "In an hour" }).check();
    await button("Rotate key").click();
    await page.getByText("The old secret works for another hour.").waitFor();
    second = await shownSecret();
    expect(second).not.toBe(first);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await page.mouse.click(5, 5);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await page.evaluate("history.back()");
    await page.getByRole("dialog", { name: "Leave this page?" }).waitFor();
    await button("Stay here").click();
    await button("I have stored it").click();
  });

  it("a key can be paused, resumed and limited, and its page says who did it", async () => {
    await button("Pause").click();
    await page.getByText("This key is paused").waitFor();
    expect(await status(second)).toBe(401);
    await button("Resume").click();
    await button("Pause").waitFor();
    expect(await status(second)).toBe(200);
    await button("Edit").click();
    await page.getByLabel("Rate limit tier").selectOption("low");
    await button("Save changes").click();
    await page.getByText("rate_limit_tier: standard → low").waitFor();
    await page.getByText("Olive Owner rotated the secret").waitFor();
  });

  it("the list finds a key by name and type and keeps the filters in the address", async () => {
    await page.getByRole("link", { name: "API Keys" }).first().click();
    await page.getByRole("searchbox", { name: "Search by name" }).fill("NIGHTLY");
    await page.getByLabel("Type").selectOption("limited");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(new URL(page.url()).search).toBe("?search=NIGHTLY&type=limited");
    await page.reload();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("NIGHTLY");
    await page.getByLabel("Type").selectOption("bot");
    await page.getByText("No key matches").waitFor();
    await button("Clear filters").click();
    await page.getByRole("link", { name: "Nightly export" }).click();
  });

  it("revoking says what will break, and then the key is refused", async () => {
    await button("Revoke").click();
    const dialog = page.getByRole("dialog", { name: "Revoke “Nightly export”?" });
    await dialog.getByText(/^Last used just now, with \d+ requests in the last 24 hours\.$/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Revoke");
    await button("Revoke").click();
    await button("Revoke key").click();
    await page.getByText("It cannot be used again").waitFor();
    expect([await status(first), await status(second)]).toEqual([401, 401]);
  });

  it("the pages sent no request elsewhere and broke none of their own rules", () => {
    expect(window.outside).toEqual([]);
    expect(window.errors).toEqual([]);
  });
});

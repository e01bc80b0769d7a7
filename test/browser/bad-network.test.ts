import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";
import { gotoSettled, launchChromium, openPage } from "./support.ts";

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

async function onPage(path: string, walk: (page: Page) => Promise<void>, as: HttpClient = owner): Promise<void> {
  const { page, errors, close } = await openPage(browser, parley, { as });
  try {
    await gotoSettled(page, path);
    await walk(page);
    expect(errors).toEqual([]);
  } finally {
    await close();
  }
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const focused = (page: Page) => page.evaluate("document.activeElement?.textContent?.trim()");
/** Every read of the API fails, as behind a proxy that lost its server. */
const failReads = (page: Page) =>
  page.route("**/api/v1/**", (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));

describe("a bad network", () => {
  it("a change made offline fails at once and is not sent later", async () => {
    const key = await parley.createKey({ name: "Survivor" });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      await button(page, "Revoke").waitFor();
      await page.context().setOffline(true);
      await button(page, "Revoke").click();
      await button(page, "Revoke key").click();
      await page.getByText("The server did not respond.").first().waitFor();
      await button(page, "Cancel").click();
      await page.context().setOffline(false);
      await expect.poll(() => page.locator("[data-live]").first().getAttribute("data-live")).toBe("live");
    });
    expect((await parley.call("GET", "/me", { key: key.key })).status).toBe(200);
  });

  it("a refetch that fails leaves the content and an open form as they are, and says so", async () => {
    const key = await parley.createKey({ name: "Steady" });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      await button(page, "Edit").click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Half typed");
      await failReads(page);
      // Its event makes the page read its keys again.
      await parley.createKey({ name: "Another" });
      await page.locator("[data-stale]").first().waitFor({ state: "attached" });
      expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Half typed");
      await button(page, "Cancel").click();
      await button(page, "Discard changes").click();
      await page.getByRole("heading", { name: "Steady" }).waitFor();
    });
  });

  it("a one-time secret stays on the screen while reads fail, and Escape does not close it", async () => {
    const key = await parley.createKey({ name: "Rotating" });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      await button(page, "Rotate").click();
      await failReads(page);
      await button(page, "Rotate key").click();
      const secret = await page.locator("[data-secret]").textContent();
      await page.locator("[data-stale]").first().waitFor({ state: "attached" });
      await page.keyboard.press("Escape");
      expect(await page.locator("[data-secret]").textContent()).toBe(secret);
    });
  });

  it("a session that ends during a form asks for the password and keeps what was typed", async () => {
    const other = await signInAgain();
    await onPage(
      "/settings/api-keys/new",
      async (page) => {
        await page.getByLabel("contacts:read").check();
        await page.getByRole("textbox", { name: "Name", exact: true }).fill("Typed before the end");
        // Otherwise the event stream might notice the end first.
        await page.route("**/api/v1/events/stream", (route) => route.abort());
        await other.call("POST", "/sign-out");
        await button(page, "Create key").click();
        const dialog = page.getByRole("dialog", { name: "Your session has ended" });
        await dialog.getByLabel("Password").fill(PASSWORD);
        await dialog.getByRole("button", { name: "Sign in" }).click();
        await dialog.waitFor({ state: "hidden" });
        expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe(
          "Typed before the end",
        );
        await button(page, "Create key").click();
        await page.getByText("Copy it now").waitFor();
      },
      other,
    );
  });
});

it("a form names its own labels, not fields of the API, and shows a limit that belongs to no field", async () => {
  await onPage("/profile", async (page) => {
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("short");
    await button(page, "Change password").click();
    await page.getByText("New password must have at least 10 characters.", { exact: true }).waitFor();
  });
  await onPage("/settings/members", async (page) => {
    const details = { invitations: ["This workspace has reached its limit of 1000 invitations."] };
    const error = { code: "VALIDATION_ERROR", message: "The given data was invalid.", details };
    await page.route("**/dashboard-api/invitations", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 422, json: { success: false, error } })
        : route.continue(),
    );
    await button(page, "Invite").click();
    await page.getByLabel("E-mail").fill("one.more@example.com");
    await button(page, "Create link").click();
    await page.getByText("This workspace has reached its limit of 1000 invitations.").waitFor();
  });
});

it("a session that ended unseen is asked for again without losing what was typed", async () => {
  const other = await signInAgain();
  const { page, close } = await openPage(browser, parley, { as: other });
  await page.clock.install();
  await gotoSettled(page, "/settings/api-keys/new");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Typed before the end");
  await other.call("POST", "/sign-out");
  // The session is read again when the window comes back to the front, once what is known of it is old.
  await page.clock.fastForward(61_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Typed before the end");
  await close();
});

it("a session that ends is noticed by the stream, asks for the second factor, and continues the page", async () => {
  const guarded = await join(parley, owner, "admin", "greta@example.com");
  const { secret } = (await guarded.call("POST", "/two-factor/totp")).body.data;
  await guarded.call("POST", "/two-factor/totp/confirm", { code: totpCode(secret, "confirm") });
  await onPage(
    "/profile",
    async (page) => {
      await page.getByLabel("Your name").fill("Greta the Great");
      await guarded.call("POST", "/sign-out");
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await dialog.getByLabel("Password").fill(PASSWORD);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, "next"));
      await dialog.getByRole("button", { name: "Continue" }).click();
      await dialog.waitFor({ state: "hidden" });
      expect(await page.getByLabel("Your name").inputValue()).toBe("Greta the Great");
      await button(page, "Save").click();
      await page.getByText("Name changed.").waitFor();
    },
    guarded,
  );
});

async function signInAgain(): Promise<HttpClient> {
  const { openBrowser } = await import("../support/browser.ts");
  const other = openBrowser(parley);
  await other.call("POST", "/sign-in", { email: "olive@example.com", password: PASSWORD });
  return other;
}

describe("two people at once", () => {
  it("an edit of a key sends only what was changed, and a conflict is shown instead of overwritten", async () => {
    const key = await parley.createKey({ name: "Shared" });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      await button(page, "Edit").click();
      await page.getByRole("textbox", { name: "Description" }).fill("mine");
      // It does not close a dialog in which something was typed.
      await page.keyboard.press("Escape");
      await button(page, "Keep editing").click();
      await parley.call("PATCH", `/api-keys/${key.id}`, { body: { name: "Theirs" } });
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await button(page, "Save changes").click();
      expect((await sent).postDataJSON()).toEqual({ description: "mine" });
      await page.getByText("Someone changed this key while you were editing it").waitFor();
      await button(page, "Discard my changes and load it again").click();
      await expect.poll(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Theirs");
    });
    expect((await parley.call("GET", `/api-keys/${key.id}`)).body.data).toMatchObject({
      name: "Theirs",
      description: "",
    });
  });

  it("an edit of a webhook sends only what was changed, and a conflict is shown instead of overwritten", async () => {
    const body = { name: "Shared", url: "http://127.0.0.1:9/", events: ["message.created"] };
    const { id } = (await parley.call("POST", "/webhooks", { body })).body.data;
    await onPage(`/settings/webhooks/${id}/edit`, async (page) => {
      await page.getByLabel("Timeout in seconds").fill("20");
      await parley.call("PATCH", `/webhooks/${id}`, { body: { name: "Theirs" } });
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await button(page, "Save changes").click();
      expect((await sent).postDataJSON()).toEqual({ timeout_seconds: 20 });
      await page.getByText("Someone changed this webhook while you were editing it").waitFor();
    });
    expect((await parley.call("GET", `/webhooks/${id}`)).body.data).toMatchObject({
      name: "Theirs",
      timeout_seconds: 15,
    });
  });
});

describe("two people at once, in what agents edit", () => {
  it("an edit of a contact's attributes keeps what an app wrote meanwhile, and what was typed", async () => {
    const { body } = await parley.call("POST", "/contacts", { body: { name: "Cleo", attributes: { plan: "free" } } });
    const { id } = body.data;
    await onPage(`/contacts/${id}`, async (page) => {
      await page.getByLabel("Value of attribute 1").fill("team");
      await parley.call("PATCH", `/contacts/${id}`, { body: { attributes: { plan: "free", credit: 7 } } });
      await button(page, "Save attributes").click();
      await page.getByText("Someone changed this contact while you were editing it").waitFor();
      expect(await page.getByLabel("Value of attribute 1").inputValue()).toBe("team");
      await button(page, "Discard my changes and load it again").click();
      await page.getByLabel("Value of attribute 2").waitFor();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Cleo C.");
      // Another field than the one edited here is no conflict.
      await parley.call("PATCH", `/contacts/${id}`, { body: { phone: "+49 30 1" } });
      await button(page, "Save").click();
      await page.getByText("Contact saved.").waitFor();
    });
    expect((await parley.call("GET", `/contacts/${id}`)).body.data).toMatchObject({
      name: "Cleo C.",
      phone: "+49 30 1",
      attributes: { plan: "free", credit: 7 },
    });
  });

  it("an edit of a saved reply shows a conflict instead of overwriting the text of a colleague", async () => {
    const { body } = await parley.call("POST", "/saved-replies", { body: { name: "Thanks", body: "Thank you!" } });
    await onPage("/settings/saved-replies", async (page) => {
      await button(page, "Edit Thanks").click();
      await page.getByRole("dialog").getByLabel("Text").fill("Many thanks!");
      await parley.call("PATCH", `/saved-replies/${body.data.id}`, { body: { body: "Thanks a lot!" } });
      await button(page, "Save").click();
      await page.getByText("Someone changed this saved reply while you were editing it").waitFor();
    });
    expect((await parley.call("GET", `/saved-replies/${body.data.id}`)).body.data.body).toBe("Thanks a lot!");
  });
});

describe("forms", () => {
  it("an expiry date left blank is an error, and focus moves to the first invalid field", async () => {
    await onPage("/settings/api-keys/new", async (page) => {
      await page.getByLabel("contacts:read").check();
      await page.getByLabel("Expires").selectOption("date");
      await button(page, "Create key").click();
      await page.getByText("Choose a date and a time.").waitFor();
      await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("name");
      await page.getByLabel("Expiry date and time").fill("2020-01-01T10:00");
      await button(page, "Create key").click();
      await page.getByText("Choose a date in the future.").waitFor();
    });
  });

  it("a changed form asks before it is left by a link or by Back, and stays if the user keeps editing", async () => {
    await onPage("/settings/webhooks", async (page) => {
      await page.getByRole("link", { name: "Create webhook" }).first().click();
      await page.getByLabel("Name", { exact: true }).fill("Unsaved");
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
      await button(page, "Keep editing").click();
      await page.goBack();
      await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
      await button(page, "Keep editing").click();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Unsaved");
      await page.goBack();
      await button(page, "Discard changes").click();
      await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
    });
  });

  it("saving one of two changed forms keeps focus on its button, and the other still asks before leaving", async () => {
    const { body } = await parley.call("POST", "/contacts", { body: { name: "Nora" } });
    await onPage(`/contacts/${body.data.id}`, async (page) => {
      await page.getByLabel("New note").fill("Unsaved");
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Nora N.");
      await button(page, "Save").focus();
      await page.keyboard.press("Enter");
      await page.getByText("Contact saved.").waitFor();
      await expect.poll(() => button(page, "Save").isDisabled()).toBe(true);
      expect(await focused(page)).toBe("Save");
      await page.getByRole("link", { name: "Members" }).click();
      await button(page, "Keep editing").click();
      expect(await page.getByLabel("New note").inputValue()).toBe("Unsaved");
    });
  });

  it("a name that does not resolve gets a warning and no tick", async () => {
    await onPage("/settings/webhooks/new", async (page) => {
      await page.getByLabel("URL").fill("https://no-such-host.invalid/hook");
      await page.getByText("This host name does not resolve.").waitFor();
      expect(await page.getByText("Parley may connect to this address.").count()).toBe(0);
    });
  });

  it("the retry hint follows the schedule of this installation", async () => {
    await onPage("/settings/webhooks/new", async (page) => {
      await page.getByText("The last one is about 2 days after it.").waitFor();
      await page.getByLabel("Retries").fill("2");
      await page.getByText("The last one is about 35 seconds after it.").waitFor();
    });
  });

  it("a set-up link that is missing or wrong says so before the form", async () => {
    const fresh = await startParley();
    const { page, close } = await openPage(browser, fresh);
    await page.goto("/setup");
    await page.getByRole("heading", { name: "Open the set-up link" }).waitFor();
    await page.goto("/setup?token=wrong");
    await page.getByRole("heading", { name: "This set-up link is not valid" }).waitFor();
    expect(await page.getByRole("button", { name: "Create account" }).count()).toBe(0);
    await close();
    await fresh.close();
  });
});

describe("states that are shown", () => {
  it("a webhook whose health cannot be read is not called active", async () => {
    const body = { name: "Unknown health", url: "http://127.0.0.1:9/", events: ["message.created"] };
    await parley.call("POST", "/webhooks", { body });
    const { page, close } = await openPage(browser, parley, { as: owner });
    await page.route("**/dashboard-api/webhook-health*", (route) => route.abort());
    await page.goto("/settings/webhooks");
    const row = page.getByRole("row", { name: /Unknown health/ });
    await row.getByText("Enabled").waitFor();
    expect(await row.getByText("Active").count()).toBe(0);
    await close();
  });

  it("a key shows how its secret begins and ends, and its old secret can be ended at once", async () => {
    const key = await parley.createKey({ name: "Overlapping" });
    await parley.call("POST", `/api-keys/${key.id}/rotate`, { body: { overlap_seconds: 3600 } });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      const current = (await parley.call("GET", `/api-keys/${key.id}`)).body.data;
      await page.getByText(`${current.secret_prefix}…${current.last_four}`).waitFor();
      await button(page, "End now").click();
      await button(page, "End old secret").click();
      await page.getByText("The old secret still works").waitFor({ state: "detached" });
    });
    expect((await parley.call("GET", "/me", { key: key.key })).status).toBe(401);
  });
});

describe("focus and position", () => {
  it("a button keeps focus while it works, and a dialog opened from a menu gives it back to the menu", async () => {
    const key = await parley.createKey({ name: "Focused" });
    await onPage(`/settings/api-keys/${key.id}`, async (page) => {
      await button(page, "Pause").focus();
      await page.keyboard.press("Enter");
      await button(page, "Resume").waitFor();
      await expect.poll(() => focused(page)).toBe("Resume");
    });
    const body = { name: "Menu", url: "http://127.0.0.1:9/", events: ["message.created"] };
    const { id } = (await parley.call("POST", "/webhooks", { body })).body.data;
    await onPage(`/settings/webhooks/${id}`, async (page) => {
      await button(page, "More actions").click();
      await page.getByRole("menuitem", { name: "Disable…" }).click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // Focus moves in the task after the one that removes the dialog.
      await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("More actions");
    });
  });

  it("Back returns to where a long list was", async () => {
    for (let index = 0; index < 25; index += 1) await parley.createKey({ name: `Row ${index}` });
    await onPage("/settings/api-keys", async (page) => {
      await page.getByRole("link", { name: "Row 0", exact: true }).waitFor();
      // Repeated: the page scrolls to its top once, when its address has got its workspace.
      await expect.poll(() => page.evaluate("scrollTo(0, 600), scrollY")).toBe(600);
      // A page learns of its position with the next frame.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      await page.getByRole("link", { name: "Row 5", exact: true }).evaluate((link: { click(): void }) => link.click());
      await page.getByRole("heading", { name: "Row 5" }).waitFor();
      await expect.poll(() => page.evaluate("scrollY")).toBe(0);
      await page.goBack();
      await expect.poll(() => page.evaluate("scrollY")).toBe(600);
    });
  });

  it("a name of 200 letters without a space widens no page", async () => {
    const key = await parley.createKey({ name: "x".repeat(200), description: "y".repeat(400) });
    const { page, close } = await openPage(browser, parley, { as: owner, viewport: { width: 390, height: 800 } });
    for (const path of ["/settings/api-keys", `/settings/api-keys/${key.id}`]) {
      await gotoSettled(page, path);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
    await button(page, "Revoke").click();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await close();
  });
});

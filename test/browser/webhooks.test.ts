import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { startParley } from "../support/parley.ts";
import { respondWith, verify } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { launchChromium, openPage, type Watched } from "./support.ts";

let fixture: WebhookFixture;
let browser: Browser;
let window: Watched;
let page: Page;
beforeAll(async () => {
  [fixture, browser] = await Promise.all([startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "1" }), launchChromium()]);
  window = await openPage(browser, fixture.parley, { as: await setUp(fixture.parley) });
  page = window.page;
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const PATH = "/walk";
const button = (name: string | RegExp) => page.getByRole("button", { name });
const rows = () => page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
const shownSecret = async (): Promise<string> => (await page.locator("[data-secret]").textContent()) ?? "";
const more = async (item: string) => {
  await button("More actions").click();
  await page.getByRole("menuitem", { name: item }).click();
};

describe.sequential("the dashboard, from the first webhook to recovered events,", () => {
  let secret: string;

  it("explains what a webhook is before there is one", async () => {
    await page.goto("/settings/webhooks");
    await page.getByRole("heading", { name: "Get notified when something happens" }).waitFor();
    await page.getByRole("link", { name: "Create webhook" }).click();
    await page.getByRole("heading", { name: "Create webhook" }).waitFor();
  });

  it("says what is wrong with a url while it is typed, and refuses a private address in place", async () => {
    const url = page.getByLabel("URL");
    await url.fill("orders.example.com");
    await page.getByText("A URL starts with https:// or http://.").waitFor();
    await url.fill("http://192.168.1.10/hook");
    await page.getByText("The url must not point to a private or reserved address.").waitFor();
    await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");

    await page.getByLabel("Name", { exact: true }).fill("Orders");
    await page.getByLabel("message.*").check();
    await button("Create webhook").click();
    await page.getByText("The url must not point to a private or reserved address.").waitFor();
    await expect.poll(() => url.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect(await fixture.parley.database.query("select id from webhooks")).toEqual([]);
  });

  it("says what is wrong with a header at the header", async () => {
    await page.getByLabel("URL").fill(fixture.receiver.url(PATH));
    await page.getByText("Parley may connect to this address").waitFor();
    await button("Add header").click();
    await page.getByLabel("Name of header 1").fill("Host");
    await page.getByLabel("Value of header 1").fill("orders");
    await button("Create webhook").click();
    await page.getByText("This header must not be set: the header is reserved.").waitFor();
    await page.getByLabel("Name of header 1").fill("X-Team");
  });

  it("creates it, and shows the secret with the code of the documentation", async () => {
    await button("Create webhook").click();
    await page.getByText("Webhook created").waitFor();
    secret = await shownSecret();
    const docs = readFileSync("docs/webhooks.md", "utf8");
    for (const language of ["Node", "Python"]) {
      await page.getByRole("tab", { name: language }).click();
      const code = await page.getByRole("region", { name: `verification code for ${language}` }).textContent();
      expect(code?.length).toBeGreaterThan(400);
      expect(docs).toContain(code);
    }
  });

  it("sends a test and shows the outcome in place", async () => {
    await button("Send test").click();
    await page.getByText(/Delivered: 200 in \d/).waitFor();
    const [arrival] = await fixture.receiver.waitFor(1, PATH);
    expect(arrival?.headers["x-team"]).toBe("orders");
    if (arrival) verify(arrival, secret);
  });

  it("shows a destination fail and recover, live", async () => {
    await page.getByRole("link", { name: "Go to the webhook" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await rows().filter({ hasText: "webhook.test" }).waitFor();
    fixture.receiver.behave(respondWith(503), PATH);
    await fixture.write();
    await rows().filter({ hasText: "503" }).first().waitFor();
    // Not "Failing since just now": the first retry may put it right.
    await page.getByText("Retrying", { exact: true }).first().waitFor();
    expect(await page.getByText("Failing", { exact: true }).count()).toBe(0);
    fixture.receiver.behave(respondWith(200), PATH);
    await rows().filter({ hasText: "message.created" }).filter({ hasText: "200" }).waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
  });

  it("shows an event once with all of its attempts, and counts it once", async () => {
    const row = rows().filter({ hasText: "message.created" });
    await expect.poll(() => row.count()).toBe(1);
    await row.getByText(/^Attempts: [2-9]/).waitFor({ state: "attached" });
    // The test and the message: both arrived, whatever it took.
    await page.getByText("2 of 2 events delivered").waitFor();
    await row.getByRole("link").click();
    const attempts = page.getByRole("dialog").getByRole("region", { name: /attempts for this event/ });
    await attempts.getByRole("link", { name: "Attempt 1", exact: true }).click();
    await page.getByRole("dialog").getByText("HTTP 503").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Group").selectOption("attempts");
    await row.nth(1).waitFor();
    await page.getByLabel("Group").selectOption("");
    await row.nth(1).waitFor({ state: "detached" });
  });

  it("sends a test with the example of a chosen event", async () => {
    const before = fixture.receiver.at(PATH).length;
    await button("Choose an example").click();
    await page.getByRole("menuitem", { name: "message.updated" }).click();
    await page.getByText("The webhook's log has it as message.updated.").waitFor();
    const arrivals = await fixture.receiver.waitFor(before + 1, PATH);
    expect(arrivals.at(-1)?.event.type).toBe("message.updated");
    await rows().filter({ hasText: "message.updated" }).waitFor();
  });

  it("keeps the filters in the address", async () => {
    await page.getByLabel("Status").selectOption("failed");
    await rows().filter({ hasText: "200" }).first().waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("status")).toBe("failed");
    await page.getByLabel("Event").selectOption("contact.created");
    await page.getByRole("heading", { name: "No attempt matches" }).waitFor();
    await button("Clear the filters").click();
    await rows().filter({ hasText: "200" }).first().waitFor();
  });

  it("redelivers, and says how that went", async () => {
    await rows().filter({ hasText: "message.created" }).filter({ hasText: "200" }).getByRole("link").click();
    const panel = page.getByRole("dialog");
    await panel.getByText("Attempt number").waitFor();
    expect(new URL(page.url()).searchParams.get("attempt")).toMatch(/^\d+$/);
    const before = fixture.receiver.at(PATH).length;
    await panel.getByRole("button", { name: "Redeliver" }).click();
    await panel.getByText("Delivered again").waitFor();
    const arrivals = await fixture.receiver.waitFor(before + 1, PATH);
    const first = arrivals.find(({ event }) => event.type === "message.created");
    expect(arrivals.at(-1)?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("attempt");
  });

  it("disables with a reason, and recovers what was missed after a dry run", async () => {
    await more("Disable…");
    await page.getByLabel("Reason").fill("Moving to a new server");
    await button("Disable webhook").click();
    await page.getByText("Moving to a new server").waitFor();
    const before = fixture.receiver.at(PATH).length;
    await fixture.write("missed, one");
    await fixture.write("missed, two");
    await button("Enable").click();
    await button("Recover missed events").click();
    await page.getByText("2 missed", { exact: true }).waitFor();
    expect(fixture.receiver.at(PATH).length).toBe(before);
    await button("Send 2 events").click();
    await page.getByText("2 events will be sent.").waitFor();
    const arrivals = await fixture.receiver.waitFor(before + 2, PATH);
    expect(
      arrivals
        .slice(before)
        .map(({ event }) => event.data.body)
        .sort(),
    ).toEqual(["missed, one", "missed, two"]);
  });

  it("reveals the secret, which is recorded in the audit log, and rotates it", async () => {
    await page.getByRole("tab", { name: "Settings" }).click();
    await button("Reveal secret").click();
    await page.locator("[data-secret]").waitFor();
    await expect.poll(shownSecret).toBe(secret);
    const audit = await fixture.parley.call("GET", "/audit-logs?action=webhook.secret_read");
    expect(audit.body.data[0].actor.name).toBe("Olive Owner");

    await button("Rotate…").click();
    await page.getByRole("radio", { name: "At once" }).check();
    await button("Rotate secret").click();
    const fresh = page.getByRole("dialog").locator("[data-secret]");
    await fresh.waitFor();
    const rotated = (await fresh.textContent()) ?? "";
    expect(rotated).not.toBe(secret);
    await button("Done").click();
    const before = fixture.receiver.at(PATH).length;
    await button("Send test").click();
    const arrival = (await fixture.receiver.waitFor(before + 1, PATH)).at(-1);
    if (arrival) verify(arrival, rotated);
  });

  it("edits and deletes it", async () => {
    await page.getByRole("link", { name: "Edit" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Orders, renamed");
    await page.getByRole("checkbox", { name: "Keep the order of each conversation" }).check();
    await button("Save changes").click();
    await page.getByRole("heading", { name: "Orders, renamed", exact: true }).waitFor();
    const [saved] = (await fixture.parley.call("GET", "/webhooks?search=renamed")).body.data;
    expect(saved).toMatchObject({ ordered: true, skip_own_events: false });
    await more("Delete…");
    await button("Delete webhook").click();
    await page.getByRole("heading", { name: "Get notified when something happens" }).waitFor();
    expect(window.errors).toEqual([]);
    expect(window.outside).toEqual([]);
  });
});

it("the form of a webhook refuses this machine's address where no private one is allowed", async () => {
  const parley = await startParley({ PARLEY_ALLOWED_CIDRS: "" });
  const { page: other, close } = await openPage(browser, parley, { as: await setUp(parley) });
  try {
    await other.goto("/settings/webhooks/new");
    for (const url of ["http://127.0.0.1:9000/hook", "http://2130706433/", "http://localhost/hook"]) {
      await other.getByLabel("URL").fill(url);
      await other.getByText("The url must not point to a private or reserved address.").waitFor();
      await other.getByLabel("URL").fill("");
    }
  } finally {
    await close();
    await parley.close();
  }
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage } from "./support.ts";

let fixture: WebhookFixture;
let browser: Browser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startWebhookFixture(), launchChromium()]);
  const owner = await setUp(fixture.parley);
  ({ page, errors } = await openPage(browser, fixture.parley, { as: owner }));
  const { body } = await fixture.parley.call("POST", "/conversations", { body: { contact: { name: "Ada" } } });
  for (const direction of ["in", "out", "in"])
    await fixture.parley.call("POST", `/conversations/${body.data.id}/messages`, {
      body: { direction, body: `Hello ${direction}` },
    });
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const counted = (words: string) => page.locator("[data-preview]").getByText(words, { exact: true }).waitFor();
const result = () => page.getByRole("region", { name: "body that would be sent" }).textContent();

describe("the form of a webhook", () => {
  it("counts what its conditions would have sent, and shows what its template makes of a real event", async () => {
    await gotoSettled(page, "/w/1/settings/webhooks/new");
    await counted("Choose events to see what would have been sent.");
    await page.locator("input[name='message.created']").check();
    await counted("In the last 7 days this would have sent 3 of 3 events.");
    await button("Add condition").click();
    await page.getByLabel("Field of condition 1").fill("data.direction");
    await page.getByLabel("Value of condition 1").selectOption("in");
    await counted("In the last 7 days this would have sent 2 of 3 events.");
    await button("Slack").click();
    await expect.poll(result).toContain('"text": "Ada: Hello in"');
    expect(await page.getByLabel("Try it on").locator("option").count()).toBe(2);
    await page.getByLabel("Template as JSON").fill('{ "id": "{{ data.seq }}" }');
    await page.getByLabel("Try it on").selectOption({ index: 1 });
    await expect.poll(result).toContain('"id": 1');
    expect(await faultsInEachWindow(page)).toEqual([]);
  });

  it("writes the JSON that its conditions say, and says at the field what is wrong with another one", async () => {
    await page.getByRole("tab", { name: "JSON" }).click();
    const json = page.getByLabel("Filter as JSON");
    expect(JSON.parse(await json.inputValue())).toEqual({ data: { direction: "in" } });
    await json.fill('{ "data": { "direction": { "$is": "in" } } }');
    await page.getByRole("alert").filter({ hasText: "filter.data.direction.$is is not an operator" }).waitFor();
    await json.fill('{ "data": ');
    await page.getByRole("alert").filter({ hasText: "This is not JSON yet" }).waitFor();
    await json.fill('{ "$not": { "data": { "direction": "out" } } }');
    await counted("In the last 7 days this would have sent 2 of 3 events.");
    await page.getByRole("tab", { name: "Conditions" }).click();
    await page.getByText("This filter says more than rows can").waitFor();
  });

  it("saves filter, template and rate, and an edit shows and clears them", async () => {
    await page.getByLabel("Name", { exact: true }).fill("Chat");
    await page.getByLabel("URL").fill(fixture.receiver.url("/chat"));
    await page.getByLabel("Deliveries per second").fill("1001");
    await button("Create webhook").click();
    await page.getByRole("alert").filter({ hasText: "from 1 to 1,000" }).waitFor();
    await page.getByLabel("Deliveries per second").fill("5");
    await button("Create webhook").click();
    await page.locator("[data-secret]").waitFor();
    const [webhook] = (await fixture.parley.call("GET", "/webhooks")).body.data;
    const template = { id: "{{ data.seq }}" };
    const filter = { $not: { data: { direction: "out" } } };
    expect(webhook).toMatchObject({ filter, template, rate_limit: 5 });

    await gotoSettled(page, `/w/1/settings/webhooks/${webhook.id}/edit`);
    expect(JSON.parse(await page.getByLabel("Filter as JSON").inputValue())).toEqual(filter);
    await page.getByLabel("Filter as JSON").fill("");
    await button("Send the event itself").click();
    await page.getByLabel("Deliveries per second").fill("");
    await button("Save changes").click();
    await page.getByText("Webhook saved.").first().waitFor();
    const { body } = await fixture.parley.call("GET", `/webhooks/${webhook.id}`);
    expect(body.data).toMatchObject({ filter: null, template: null, rate_limit: null });
    expect(errors).toEqual([]);
  });
});

describe("the pages of consumers", () => {
  const consumer = async (name: string) => (await fixture.parley.call("GET", `/consumers/${name}`)).body.data;
  const preview = async () => (await page.locator("[data-preview]").textContent()) ?? "";
  const shown = (matched: number) => expect.poll(preview).toContain(`would have shown ${matched} of `);
  const waiting = (words: string) => page.getByRole("definition").getByText(words, { exact: true }).waitFor();

  it("create one from its name, start and conditions, and say how to read it", async () => {
    await gotoSettled(page, "/w/1/settings/consumers");
    await page.getByRole("heading", { name: "No consumers yet" }).waitFor();
    await page.getByRole("link", { name: "Create consumer" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Billing");
    await button("Create consumer").click();
    await page.getByRole("alert").filter({ hasText: "1 to 64 of a-z" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("billing.v2");
    await page.getByText("The beginning").click();
    await button("Add condition").click();
    await page.getByLabel("Field of condition 1").fill("type");
    await page.getByLabel("Value of condition 1").selectOption("message.created");
    await shown(3);
    expect(await faultsInEachWindow(page)).toEqual([]);
    await button("Create consumer").click();
    await waiting("3 events");
    expect(await consumer("billing.v2")).toMatchObject({ types: null, filter: { type: "message.created" } });
    const command = page.getByRole("region", { name: "command" });
    expect(await command.textContent()).toContain("node bin/parley.mjs consume billing.v2 -- node handle.mjs");
    expect(await faultsInEachWindow(page)).toEqual([]);
  });

  it("change what one shows without moving it, reset it, and list how far behind each is", async () => {
    const { cursor } = await consumer("billing.v2");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await shown(3);
    const all = Number(/of (\d+) events/.exec(await preview())?.[1]);
    expect(all).toBeGreaterThan(3);
    await page.getByLabel("Remove condition 1").click();
    await counted(`In the last 7 days this would have shown ${all} of ${all} events.`);
    await button("Save changes").click();
    await waiting(`${all} events`);
    expect(await consumer("billing.v2")).toMatchObject({ filter: null, cursor });

    await button("Reset…").click();
    const dialog = page.getByRole("dialog", { name: "Reset billing.v2" });
    await dialog.getByText("A cursor").click();
    await dialog.getByLabel("Cursor", { exact: true }).fill("nonsense");
    await button("Reset consumer").click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByText("Now", { exact: true }).click();
    await button("Reset consumer").click();
    await waiting("Nothing");
    await page.getByRole("link", { name: "Consumers" }).first().click();
    await page.getByRole("row").filter({ hasText: "billing.v2" }).getByText("Never").waitFor();
    expect(await faultsInEachWindow(page)).toEqual([]);
  });

  it("say that one has missed events, and delete it", async () => {
    await fixture.parley.database.query("update consumers set missed = true");
    await gotoSettled(page, "/w/1/settings/consumers/billing.v2");
    await page.getByText("It has missed events").waitFor();
    await button("Delete…").click();
    await button("Delete consumer").click();
    await page.getByRole("heading", { name: "No consumers yet" }).waitFor();
    expect((await fixture.parley.call("GET", "/consumers")).body.data).toEqual([]);
    expect(errors).toEqual([]);
  });
});

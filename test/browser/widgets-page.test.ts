import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { ensureBuilt } from "../support/cli.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let page: Page;
let errors: string[];
let mailboxId: number;

beforeAll(async () => {
  // The preview is the built frame.
  await ensureBuilt();
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  const owner = await setUp(parley);
  const mailbox = { name: "Help", address: "help@shop.example", inbound: { type: "http" } };
  mailboxId = (await parley.call("POST", "/mailboxes", { body: mailbox })).body.data.id;
  ({ page, errors } = await openPage(browser, parley, { as: owner }));
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });

it("a widget is created from its name and pages, and a wrong page is named at its field", async () => {
  await gotoSettled(page, "/w/1/settings/widgets");
  await page.getByRole("heading", { name: "No widgets yet" }).waitFor();
  await page.getByRole("link", { name: "Create widget" }).click();
  await field("Name").fill("Shop");
  await field("Pages").fill("https://shop.example/cart");
  await button("Create widget").click();
  const problem = page.getByRole("alert").filter({ hasText: "https://shop.example/cart must be an origin" });
  await problem.waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("allowed_origins");
  await field("Pages").fill("https://shop.example\nhttp://localhost:3000");
  await button("Create widget").click();
  await page.getByRole("heading", { name: "Put it into your page" }).waitFor();
  const { body } = await parley.call("GET", "/widgets");
  const [widget] = body.data;
  expect(widget.allowed_origins).toEqual(["https://shop.example", "http://localhost:3000"]);
  const snippet = `<script async src="${parley.url}/widget.js" data-widget="${widget.public_id}"></script>`;
  expect(await page.getByRole("region", { name: "snippet" }).textContent()).toBe(snippet);
  await page.getByText("Nothing is recorded before a visitor writes").waitFor();
});

it("the preview is the real frame: it shows unsaved texts and languages, and sends nothing", async () => {
  const preview = page.frameLocator("iframe");
  await preview.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("textbox", { name: "Title" }).fill("Ask the shop");
  await preview.getByRole("heading", { name: "Ask the shop" }).waitFor();
  await preview.getByRole("textbox", { name: "Message" }).fill("Hello");
  await preview.getByRole("button", { name: "Send" }).click();
  expect(await preview.locator(".message.in").count()).toBe(0);
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await preview.getByRole("textbox", { name: "Nachricht" }).waitFor();
  await field("Color").fill("#7c3aed");
  await page.getByRole("combobox", { name: "Replies by e-mail" }).selectOption("help@shop.example");
  await button("Save changes").click();
  await page.getByText("Widget saved.").first().waitFor();
  const { body } = await parley.call("GET", "/widgets");
  expect(body.data[0]).toMatchObject({
    color: "#7c3aed",
    texts: { en: { title: "Ask the shop" } },
    ask_email: "optional",
    mailbox_id: mailboxId,
  });
});

it("the identity secret is shown on request and rotated, and the page is accessible in every window", async () => {
  await button("Reveal secret").click();
  const first = await page.locator("[data-secret]").textContent();
  expect(first).toMatch(/^wis_[\w+/]{43}=$/);
  await button("Rotate…").click();
  await button("Rotate secret").click();
  const dialog = page.getByRole("dialog", { name: "The new identity secret" });
  expect(await dialog.locator("[data-secret]").textContent()).not.toBe(first);
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await faultsInEachWindow(page)).toEqual([]);
  expect(errors).toEqual([]);
});

it("the latest conversation shows that the snippet works, and a deleted widget is gone from the list", async () => {
  const [widget] = (await parley.call("GET", "/widgets")).body.data;
  const { body } = await parley.call("POST", "/conversations", { body: { message: { body: "Hello" } } });
  await parley.database.query("update conversations set widget_id = $1, page = $2 where id = $3", [
    widget.id,
    JSON.stringify({ url: "https://shop.example/cart", browser: "Firefox" }),
    body.data.id,
  ]);
  await gotoSettled(page, `/w/1/settings/widgets/${widget.id}`);
  await page.getByText(/It works: the latest conversation began .* on https:\/\/shop\.example\./).waitFor();
  await button("Delete…").click();
  await button("Delete widget").click();
  await page.getByRole("heading", { name: "No widgets yet" }).waitFor();
  expect((await parley.call("GET", "/widgets")).body.data).toEqual([]);
});

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blockMarked, readPage } from "../docs/markdown.ts";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { inSeconds, signToken } from "../support/visitor.ts";
import { until } from "../support/wait.ts";
import { accessibilityFaults, launchChromium, openPage } from "./support.ts";
import {
  conversationWith,
  identityToken,
  openChat,
  received,
  reply,
  type Shop,
  sent,
  shopWidget,
  snippet,
  startShop,
  visit,
  write,
} from "./widget-support.ts";

/** docs/guides/web-chat.md as a reader follows it, and the shop of the demo. Only addresses and ids are other ones. */
const guide = readPage("docs/guides/web-chat.md");

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let shop: Shop;
let directory: string;
let served: ChildProcess | undefined;
beforeAll(async () => {
  [parley, browser, shop] = await Promise.all([startParley(), launchChromium(), startShop()]);
  owner = await setUp(parley);
  directory = mkdtempSync(join(tmpdir(), "parley-guide-"));
});
afterAll(async () => {
  served?.kill();
  rmSync(directory, { recursive: true, force: true });
  await browser?.close();
  await shop?.close();
  await parley?.close();
});

it("the page of the guide, served as it says, talks with the inbox", async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const widget = await shopWidget(parley, { ...shop, origin });
  const page = blockMarked(guide, "run: page")
    .replace("http://127.0.0.1:8080", parley.url)
    .replace(/wid_0+/, widget.public_id);
  writeFileSync(join(directory, "index.html"), page);
  writeFileSync(join(directory, "page.mjs"), blockMarked(guide, "run: page.mjs").replace("3000", String(port)));
  served = spawn(process.execPath, ["page.mjs"], { cwd: directory, stdio: "inherit" });
  await until("the page is served", () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const visitor = await visit(browser, origin);
  const chat = await openChat(visitor.page);
  await write(chat, "From a page of my own");
  await sent(chat, "From a page of my own");
  await reply(parley, { to: "From a page of my own", text: "Welcome" });
  await received(chat, "Welcome");
  expect(visitor.errors).toEqual([]);
  await visitor.close();
});

it("the policy of the guide is enough, and its code renews an identity that has expired", async () => {
  const widget = await shopWidget(parley, shop);
  const policy = blockMarked(guide, "run: policy").trim().replaceAll("https://parley.example", parley.url);
  const headers = { "content-security-policy": `default-src 'none'; ${policy}` };
  const strict = await visit(browser, shop.page(snippet(parley, widget), { headers }));
  await write(await openChat(strict.page), "Under the guide's policy");
  await conversationWith(parley, "Under the guide's policy");
  expect(strict.errors).toEqual([]);
  await strict.close();

  const expired = signToken(widget.secret, { sub: "guide-1", exp: inSeconds(-120) });
  const code = blockMarked(guide, "run: stub") + blockMarked(guide, "run: renew");
  const { page, context, close } = await visit(browser, "about:blank");
  const body = identityToken(widget, { sub: "guide-1", name: "Gina" });
  await context.route("**/chat-token", (route) => route.fulfill({ body, contentType: "text/plain" }));
  await page.goto(shop.page(code + snippet(parley, widget, `data-token="${expired}"`)));
  const chat = await openChat(page);
  await page.waitForResponse(async (response) => response.url().endsWith("/session") && response.ok());
  await write(chat, "Signed by the guide");
  await sent(chat, "Signed by the guide");
  const { contact } = await conversationWith(parley, "Signed by the guide");
  expect(contact.external_id).toBe("guide-1");
  await close();
});

it("the shop of the demo is there while the demo is, linked from its inbox, and talks with it", async () => {
  expect((await fetch(`${parley.url}/demo/shop`)).status).toBe(404);
  await parley.database.query("update workspaces set is_demo = true");
  const { page: inbox, close } = await openPage(browser, parley, { as: owner });
  await inbox.goto("/inbox?view=snoozed");
  const link = inbox.getByRole("link", { name: "Write from the demo shop" });
  expect(await link.getAttribute("href")).toBe("/demo/shop");
  const visitor = await visit(browser, `${parley.url}/demo/shop`);
  await visitor.page.getByRole("button", { name: "Open chat" }).waitFor();
  expect(await accessibilityFaults(visitor.page)).toEqual([]);
  const chat = await openChat(visitor.page);
  await write(chat, "How heavy is the tent?");
  await sent(chat, "How heavy is the tent?");
  const { id, page } = await conversationWith(parley, "How heavy is the tent?");
  expect(page.url).toBe(`${parley.url}/demo/shop`);
  await reply(parley, { to: "How heavy is the tent?", text: "2.1 kg" });
  await received(chat, "2.1 kg");
  await inbox.goto(`/inbox/${id}`);
  await inbox.getByText("2.1 kg").last().waitFor();
  expect(visitor.errors).toEqual([]);
  await visitor.close();
  await close();
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage, overflows, type Watched } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let smtp: SmtpReceiver;
let page: Page;
let watched: Watched;
let mailbox: Any;
const { connect, mail, stored, written, replied, settled, messageOf } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  smtp = await startSmtpReceiver();
  [parley, browser] = await Promise.all([
    startParley({
      PARLEY_MAIL_PORTS: "1024-65535",
      PARLEY_MAIL_RETRY_SCHEDULE: "0.2,600",
      PARLEY_MAIL_TIMEOUT_SECONDS: "2",
    }),
    launchChromium(),
  ]);
  const owner = await setUp(parley);
  mailbox = await connect("support@shop.example", smtp.port, { name: "Support", authserv_id: "mx.shop.example" });
  watched = await openPage(browser, parley, { as: owner });
  page = watched.page;
}, 300_000);
beforeEach(() => smtp.behave({}));
afterAll(async () => {
  await browser?.close();
  await parley?.close();
  await smtp?.close();
});

/** Of what happens after a mail server has responded, on a slow machine. */
const PATIENT = { timeout: 60_000 };
const HTML = { "MIME-Version": "1.0", "Content-Type": "text/html; charset=utf-8" };
const open = (message: Any) => gotoSettled(page, `/w/1/inbox/${message.conversation_id}`);
const article = (text: string) => page.getByRole("article").filter({ hasText: text });
const button = (name: string) => page.getByRole("button", { name, exact: true });

const NEWSLETTER = `<html><body><h1>Sale</h1><table width="1400"><tr><td style="color:#b42318">Everything must go</td></tr></table>
<script>document.title = "taken"</script><img src="https://tracker.example/pixel.png" onerror="parent.taken = true">
<a href="https://shop.example/sale">To the sale</a><form action="https://evil.example"><input name="password"></form>
<p>Best</p><blockquote><p>On Monday Bob wrote:</p><p>Send me offers</p></blockquote></body></html>`;

it("the newest message stays in view when the parts of mail that are loaded later make the others longer", async () => {
  const message = await stored(mail({ ...HTML, Subject: "Trip" }, "<p>One</p><blockquote><p>Before</p></blockquote>"));
  for (let n = 2; n <= 12; n++)
    await stored(mail({ "In-Reply-To": `<${message.email.message_id}>` }, `Line ${n}\n\n> old`));
  await written(message, { body: "The newest", private: true });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/mail-message-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/w/1/inbox/${message.conversation_id}`);
  const newest = article("The newest");
  await newest.waitFor();
  const isInView = async () => {
    const [row, log] = [await newest.boundingBox(), await page.getByRole("log").boundingBox()];
    return row !== null && log !== null && row.y + row.height <= log.y + log.height;
  };
  await expect.poll(isInView).toBe(true);
  release();
  await article("Line 12").getByText("To support@shop.example").waitFor();
  await expect.poll(isInView).toBe(true);
  await page.unroute("**/assets/mail-message-*.js");
});

it("a newsletter is shown in a frame where nothing runs or loads, and scrolls in it, not in the thread", async () => {
  const message = await stored(mail({ ...HTML, Subject: "Sale" }, NEWSLETTER));
  await open(message);
  const frame = page.frameLocator('iframe[title="Sale"]');
  await frame.getByRole("heading", { name: "Sale" }).waitFor();
  expect(await page.locator('iframe[title="Sale"]').getAttribute("sandbox")).not.toContain("scripts");
  expect(await frame.locator("script, form, input").count()).toBe(0);
  const color = "getComputedStyle(document.querySelector('td')).color";
  expect(await page.frame({ url: /mail-frame/ })?.evaluate(color)).toBe("rgb(180, 35, 24)");
  expect(await frame.getByRole("link").getAttribute("rel")).toContain("noopener");
  expect(await page.evaluate("'taken' in window")).toBe(false);
  expect(watched.outside).toEqual([]);
  expect(await overflows(page)).toBe(false);
  const box = await page.locator('iframe[title="Sale"]').boundingBox();
  const content = await frame.locator("body").evaluate((body) => body.getBoundingClientRect().height);
  expect(box?.height).toBeGreaterThanOrEqual(content);
  await button("Show images").waitFor();
  await button("Show as text").click();
  await article("Everything must go").locator("p").filter({ hasText: "Everything must go" }).first().waitFor();
  await button("Show as HTML").click();
  await frame.getByRole("heading", { name: "Sale" }).waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it("pictures elsewhere are asked for only on a click, or for a remembered sender where DMARC passed", async () => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/[?&]images=true|\/mail-images\?/.test(request.url())) asked.push(request.url());
  });
  const passed = { "Authentication-Results": "mx.shop.example; dmarc=pass header.from=example.com" };
  const from = (headers: object) => stored(mail({ ...HTML, ...headers, From: "News <news@example.com>" }, NEWSLETTER));
  const opened = async (message: Any) => {
    asked.length = 0;
    await open(message);
    await page.frameLocator("iframe").getByRole("heading", { name: "Sale" }).waitFor();
  };
  await opened(await from(passed));
  await button("Show images").waitFor();
  expect(asked).toEqual([]);
  await button("Show images").click();
  await button("Always show images of news@example.com").click();
  await expect.poll(() => asked.filter((url) => url.includes("/mail-images?")).length).toBeGreaterThan(0);
  await opened(await from(passed));
  await expect.poll(() => asked.filter((url) => url.includes("/mail-images?")).length).toBeGreaterThan(0);
  await opened(await from({ "Authentication-Results": "mx.shop.example; dmarc=fail" }));
  await button("Show images").waitFor();
  expect(asked).toEqual([]);
  expect(watched.outside).toEqual([]);
});

it("the page of the frame runs and loads nothing, even where both sanitisers have been passed", async () => {
  const message = await stored(mail({ ...HTML, Subject: "Sale" }, NEWSLETTER));
  await open(message);
  const frame = page.frameLocator('iframe[title="Sale"]');
  await frame.getByRole("heading", { name: "Sale" }).waitFor();
  const violations = await page.evaluate(`(async () => {
    const target = document.querySelector('iframe[title="Sale"]').contentDocument;
    const found = new Set();
    target.addEventListener("securitypolicyviolation", (violation) => found.add(violation.effectiveDirective));
    const url = "/health/live";
    target.body.innerHTML = '<img src="https://tracker.example/p.png"><link rel="stylesheet" href="' + url + '">' +
      '<iframe src="' + url + '"></iframe><video src="' + url + '"></video><object data="' + url + '"></object>';
    const script = target.createElement("script");
    script.textContent = "parent.taken = true";
    target.body.append(script);
    const deadline = Date.now() + 10_000;
    while (found.size < 5 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    return [...found].sort();
  })()`);
  expect(violations).toEqual(["frame-src", "img-src", "media-src", "object-src", "style-src-elem"]);
  expect(await page.evaluate("'taken' in window")).toBe(false);
  // What was refused is on the console, and nowhere else.
  watched.errors.length = 0;
  watched.outside.length = 0;
});

it("a letter is shown as text, its history is folded, and its addresses and its source are a click away", async () => {
  const text =
    "Thank you!\r\n\r\nOn Mon, 13 Jul 2026 at 09:00, Support <support@shop.example> wrote:\r\n> It is on its way.";
  const message = await stored(
    mail({ From: "Grace <grace@example.com>", Cc: "Carl <carl@example.com>", Subject: "Thanks" }, text),
  );
  await open(message);
  const letter = article("Thank you!");
  await letter.getByText("To support@shop.example, Cc Carl").click();
  await letter.getByText("Grace <grace@example.com>").waitFor();
  expect(await letter.getByText("It is on its way.").isVisible()).toBe(false);
  await letter.getByText("…", { exact: true }).click();
  await letter.getByText("It is on its way.").waitFor();
  const link = await letter.getByRole("link", { name: "Download the mail as it came" }).getAttribute("href");
  expect(await (await fetch(parley.url + link)).text()).toContain("Subject: Thanks");
});

it("senders that are not verified, outsiders, automatic and unreadable mail are marked in words", async () => {
  const failed = "mx.shop.example; dmarc=fail header.from=example.com";
  const first = await stored(
    mail({ From: "Mallory <mallory@example.com>", "Authentication-Results": failed }, "Pay me"),
  );
  const second = await stored(
    mail(
      { From: "x@elsewhere.example", "In-Reply-To": `<${first.email.message_id}>`, "Auto-Submitted": "auto-replied" },
      "Away",
    ),
  );
  expect(second.conversation_id).toBe(first.conversation_id);
  await open(first);
  await article("Pay me").getByText("Sender not verified").waitFor();
  await article("Away").getByText("Outside sender").waitFor();
  await article("Away").getByText("Automatic").waitFor();
});

it("the composer says from where and to whom a reply goes, and sends it to the chosen recipients", async () => {
  const message = await stored(
    mail({
      From: "Ada <ada@example.com>",
      To: "support@shop.example, dora@example.com",
      Cc: "carl@example.com",
      Subject: "Parcel",
    }),
  );
  await open(message);
  const composer = page.getByRole("region", { name: "Write a message" });
  await composer.getByText("From Support to Ada, Cc carl@example.com").waitFor();
  await composer.getByRole("button", { name: "Edit recipients" }).click();
  await composer.getByRole("button", { name: "Reply to all" }).click();
  expect(await composer.getByLabel("Cc", { exact: true }).inputValue()).toBe("dora@example.com, carl@example.com");
  await composer.getByRole("button", { name: "Only the sender" }).click();
  await composer.getByLabel("Bcc", { exact: true }).fill("Boss <boss@example.com>");
  await composer.getByLabel("Subject", { exact: true }).fill("Your parcel");
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("textbox", { name: "Reply to the contact" }).fill("Tomorrow.");
  await composer.getByRole("button", { name: "Send", exact: true }).click();
  await article("Tomorrow.").getByText("Sent", { exact: true }).waitFor(PATIENT);
  const sent = smtp.accepted.find(({ raw }) => raw.includes("Tomorrow."));
  expect(sent?.to).toEqual(["ada@example.com", "boss@example.com"]);
  expect(sent?.raw).toContain("Subject: Your parcel");
  await composer.getByText("From Support to Ada, Cc carl@example.com").waitFor();
});

it("a reply that was refused says why for its recipient, and is sent again only when asked", async () => {
  const message = await stored(mail({ From: "Ivy <ivy@example.com>", Subject: "Refused" }));
  smtp.behave({ rcpt: () => 550 });
  const reply = await replied(message, { body: "For Ivy." });
  await settled(reply, "failed", 60_000);
  await open(message);
  const own = article("For Ivy.");
  await own
    .getByText(/Not delivered\..*550/)
    .first()
    .waitFor();
  smtp.behave({});
  await own.getByRole("button", { name: "Resend" }).click();
  await own.getByText("Sent", { exact: true }).waitFor(PATIENT);
  expect((await messageOf(reply)).delivery.state).toBe("sent");
});

it("a reply whose end was lost is unknown, and a waiting one is cancelled before it is sent", async () => {
  const message = await stored(mail({ From: "Jo <jo@example.com>", Subject: "Unknown" }));
  smtp.behave({ fault: () => ({ at: "dot", how: "drop" }) });
  await settled(await replied(message, { body: "Did this arrive?" }), "unknown", 60_000);
  smtp.behave({ fault: () => ({ at: "mail", how: 451 }) });
  const waiting = await replied(message, { body: "Not yet." });
  await open(message);
  await article("Did this arrive?").getByText("Unknown whether it arrived").waitFor();
  await article("Did this arrive?").getByRole("button", { name: "Resend" }).waitFor();
  await article("Not yet.").getByRole("button", { name: "Cancel sending" }).click();
  await expect.poll(() => article("Not yet.").count(), { timeout: 20_000 }).toBe(0);
  expect((await messageOf(waiting))?.delivery).toBeUndefined();
  expect(await faultsInEachWindow(page)).toEqual([]);
  expect(watched.errors).toEqual([]);
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage } from "./support.ts";

let parley: TestParley;
let browser: Browser;
let smtp: SmtpReceiver;
let page: Page;
let errors: string[];

beforeAll(async () => {
  smtp = await startSmtpReceiver();
  [parley, browser] = await Promise.all([startParley({ PARLEY_MAIL_PORTS: "1024-65535" }), launchChromium()]);
  const owner = await setUp(parley);
  ({ page, errors } = await openPage(browser, parley, { as: owner }));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await parley?.close();
  await smtp?.close();
});

const field = (name: string) => page.getByLabel(new RegExp(`^${name}(optional)?$`));
const button = (name: string) => page.getByRole("button", { name, exact: true });
const stored = async () => (await parley.call("GET", "/mailboxes")).body.data[0];

it("the servers of a known provider follow from the address, and OAuth is asked for where it is needed", async () => {
  await gotoSettled(page, "/w/1/settings/mailboxes");
  await page.getByRole("heading", { name: "No mailboxes yet" }).waitFor();
  await page.getByRole("link", { name: "Connect mailbox" }).click();
  await field("E-mail address").fill("shop@gmx.de");
  await page.getByText("IMAP server: imap.gmx.net").waitFor();
  await page.getByText("SMTP server: mail.gmx.net").waitFor();
  await page.getByText("first allow access by IMAP").waitFor();
  await field("E-mail address").fill("shop@outlook.com");
  await page.getByText("IMAP server: outlook.office365.com").waitFor();
  expect(await field("Password").count()).toBe(0);
  expect(await field("Token URL").inputValue()).toContain("login.microsoftonline.com");
  await field("E-mail address").fill("help@shop.example");
  await field("Provider").selectOption("google");
  await page.getByText("IMAP server: imap.gmail.com").waitFor();
  await field("Provider").selectOption("other");
  expect(await field("IMAP server").inputValue()).toBe("imap.shop.example");
  expect(await faultsInEachWindow(page)).toEqual([]);
});

it("a mailbox is connected from address, password and servers, and what is wrong is said at its part", async () => {
  const closed = await freePort();
  await field("IMAP server").fill("127.0.0.1");
  await field("IMAP port").fill(String(closed));
  await field("IMAP security").selectOption("none");
  await field("SMTP server").fill("127.0.0.1");
  await field("SMTP port").fill(String(smtp.port));
  await field("SMTP security").selectOption("none");
  await field("Sender name").fill("The shop");
  await button("Connect mailbox").click();
  await page.getByRole("alert").filter({ hasText: "Must have a password or oauth" }).first().waitFor();
  await field("Password").fill("a-password");
  await button("Connect mailbox").click();
  await page.getByRole("heading", { level: 1, name: "help@shop.example" }).waitFor();
  expect(await stored()).toMatchObject({
    address: "help@shop.example",
    from_name: "The shop",
    inbound: { type: "imap", host: "127.0.0.1", port: closed, user: "help@shop.example", folder: "INBOX" },
    outbound: { host: "127.0.0.1", port: smtp.port, security: "none", user: "help@shop.example" },
  });
});

it("the check shows the steps that succeeded, the one that failed, and the DNS records that are right", async () => {
  await button("Check now").click();
  const result = page.getByRole("status").filter({ hasText: "What DNS says about the domain" });
  await result.waitFor();
  const incoming = result.getByRole("list").first().getByRole("listitem");
  const outgoing = result.getByRole("list").nth(1).getByRole("listitem");
  expect(await incoming.filter({ has: page.getByRole("img", { name: "Failed" }) }).allTextContents()).toEqual([
    "Connected",
  ]);
  expect(await outgoing.filter({ has: page.getByRole("img", { name: "Done" }) }).count()).toBe(3);
  const unchecked = { has: page.getByRole("img", { name: "Not checked" }), hasText: "DKIM" };
  await result.locator("span").filter(unchecked).first().waitFor();
  await result.getByText("The record that would be right:").first().waitFor();
  await result.getByText(/v=DMARC1; p=none/).waitFor();
  expect(smtp.accepted).toEqual([]);
  expect(await faultsInEachWindow(page)).toEqual([]);
});

it("a test mail goes out only when it is asked for, and is seen when it has come in", async () => {
  await button("Send test mail").click();
  const raw = (await smtp.waitFor(1))[0]?.raw ?? "";
  await page.getByText("The mail server has accepted the test mail").waitFor();
  const { id } = await stored();
  await parley.call("POST", `/mailboxes/${id}/messages`, {
    rawBody: raw,
    headers: { "content-type": "message/rfc822" },
  });
  await page.getByText("The test mail came in").waitFor();
});

it("a changed setting keeps the stored password, and a colleague's change in between is not overwritten", async () => {
  await field("Signature").fill("Your shop");
  await button("Save changes").click();
  await page.getByText("Mailbox saved.").first().waitFor();
  const { id } = await stored();
  expect((await stored()).signature).toBe("Your shop");
  await parley.call("PATCH", `/mailboxes/${id}`, { body: { name: "Help" } });
  await field("Signature").fill("Another");
  await button("Save changes").click();
  await page.getByText("Someone changed this mailbox while you were editing it").waitFor();
  await button("Discard my changes and load it again").click();
  await page.getByRole("heading", { level: 1, name: "Help" }).waitFor();
  expect((await stored()).signature).toBe("Your shop");
});

it("a server for sending that asks nobody to sign in is connected without a user", async () => {
  const open = "This server asks nobody to sign in";
  await gotoSettled(page, "/w/1/settings/mailboxes/new");
  await field("E-mail address").fill("shop@gmx.de");
  await page.getByText("SMTP server: mail.gmx.net").waitFor();
  expect(await page.getByLabel(open).count()).toBe(0);
  await field("E-mail address").fill("local@shop.example");
  await field("Password").fill("a-password");
  for (const name of ["IMAP", "SMTP"]) {
    await field(`${name} server`).fill("127.0.0.1");
    await field(`${name} port`).fill(String(smtp.port));
    await field(`${name} security`).selectOption("none");
  }
  await field("User").fill("local");
  await page.getByLabel(open).check();
  await button("Connect mailbox").click();
  await page.getByRole("heading", { level: 1, name: "local@shop.example" }).waitFor();
  expect(await stored()).toMatchObject({ inbound: { user: "local" }, outbound: { user: null } });
  expect(await page.getByLabel(open).isChecked()).toBe(true);
  await parley.call("DELETE", `/mailboxes/${(await stored()).id}`);
  await gotoSettled(page, "/w/1/settings/mailboxes");
  await page.getByRole("link", { name: "Help" }).click();
  await button("Pause").waitFor();
});

it("a mailbox is paused, resumed and deleted, and the list shows its state with the last error", async () => {
  await button("Pause").click();
  await page.getByText("Nothing is fetched or sent until it is resumed").waitFor();
  await button("Resume").click();
  await button("Pause").waitFor();
  // Nothing listens where its mail is to be read from.
  await expect.poll(async () => (await stored()).status.state, { timeout: 60_000 }).toBe("error");
  await gotoSettled(page, "/w/1/settings/mailboxes");
  const row = page.getByRole("row").filter({ hasText: "Help" });
  await row.getByText("Not working").waitFor();
  await row.getByText((await stored()).status.error).waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  await row.getByRole("link", { name: "Help" }).click();
  await button("Delete…").click();
  await button("Delete mailbox").click();
  await page.getByRole("heading", { name: "No mailboxes yet" }).waitFor();
  expect(errors).toEqual([]);
});

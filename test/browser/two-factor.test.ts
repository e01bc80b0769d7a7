import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PASSWORD, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { totpCode } from "../support/totp.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage, type Watched } from "./support.ts";

let parley: TestParley;
let browser: Browser;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  await setUp(parley, { workspace_name: "Acme" });
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

/** Passkeys are bound to a name: the same server, by the name of this machine. */
const openByName = (): Promise<Watched> =>
  openPage(browser, { ...parley, url: parley.url.replace("127.0.0.1", "localhost") });

/** Chromium's own authenticator, with a finger that is always the right one. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("olive@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /olive@example.com/ }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

it("a person sets up a passkey and an authenticator app, and signs in with each and with a recovery code", async () => {
  const { page, errors, close } = await openByName();
  await addAuthenticator(page);
  await signIn(page);
  await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  await page.getByRole("button", { name: /olive@example.com/ }).click();
  await page.getByRole("menuitem", { name: "Account security" }).click();
  await page.getByRole("heading", { name: "Account security" }).waitFor();

  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("My laptop");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
  const [recoveryCode = ""] = await page.getByRole("dialog").locator("li code").allTextContents();
  expect(recoveryCode).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("cell", { name: "My laptop", exact: true }).waitFor();

  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByAltText("QR code for the authenticator app").waitFor();
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(totpCode(secret, "confirm"));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Authenticator app set up.").waitFor();
  // A state, and nothing that looks as if it could be pressed.
  await page.getByText("It is set up.").waitFor();
  const looks = `[...document.querySelectorAll("main *")].filter((one) => one.textContent === "It is set up.")
    .map((one) => getComputedStyle(one)).map((style) => style.backgroundColor + " " + style.borderTopStyle)`;
  expect(new Set(await page.evaluate<string[]>(looks))).toEqual(new Set(["rgba(0, 0, 0, 0) none"]));
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("button", { name: /olive@example.com/ }).waitFor({ state: "attached" });
  await signOut(page);

  await signIn(page);
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("button", { name: /olive@example.com/ }).waitFor({ state: "attached" });
  await signOut(page);

  await signIn(page);
  await page.getByRole("textbox", { name: "Code", exact: true }).fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The code is wrong or was used already.").waitFor();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(totpCode(secret, "next"));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /olive@example.com/ }).waitFor({ state: "attached" });
  await signOut(page);

  await signIn(page);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /olive@example.com/ }).waitFor({ state: "attached" });
  expect(errors).toEqual([]);
  await close();
});

it("the audit log shows what happened, with filters, and saves it as a file", async () => {
  const { page, close } = await openByName();
  const session = await parley.database.query("select 1 from audit_logs where action = 'user.passkey_added'");
  expect(session).toHaveLength(1);
  await addAuthenticator(page);
  await signIn(page);
  await page.getByRole("button", { name: "Use a recovery code" }).waitFor();
  await parley.database.query("delete from totp_secrets");
  await parley.database.query("delete from passkeys");
  await signIn(page);
  await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("heading", { name: "Audit log" }).waitFor();
  await page.getByLabel("Action", { exact: true }).selectOption("user.passkey_added");
  // The unfiltered list shows it too, until the filtered one has been read.
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByText("name: none → My laptop").waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const stream = await (await download).createReadStream();
  const chunks = await stream.toArray();
  const lines = Buffer.concat(chunks).toString("utf8").trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("user.passkey_added");
  await close();
});

it("at an IP address every place for passkeys says that they need a host name, and links to one", async () => {
  for (const factor of ["totp_secrets", "passkeys", "recovery_codes"])
    await parley.database.query(`delete from ${factor}`);
  const { page: named, close: closeNamed } = await openByName();
  await addAuthenticator(named);
  await signIn(named);
  await named.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  await gotoSettled(named, "/w/1/security");
  await named.getByRole("button", { name: "Add a passkey" }).click();
  await named.getByLabel("Name").fill("My laptop");
  await named.getByRole("button", { name: "Continue" }).click();
  await named.getByRole("button", { name: "I have saved them" }).click();

  const { page, errors, close } = await openPage(browser, parley);
  const place = async (within: Page | Locator): Promise<string | null> => {
    await within.getByText(/^Passkeys need a host name, and 127\.0\.0\.1 is an address\./).waitFor();
    return within.getByRole("link", { name: "localhost" }).getAttribute("href");
  };
  const there = parley.url.replace("127.0.0.1", "localhost");
  await gotoSettled(page, "/w/1/security");
  expect(await place(page)).toBe(`${there}/sign-in?next=%2Fw%2F1%2Fsecurity`);
  await page.getByLabel("E-mail").fill("olive@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  expect(await place(page)).toBe(`${there}/sign-in?next=%2Fw%2F1%2Fsecurity`);
  expect(await page.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
  expect(await faultsInEachWindow(page)).toEqual([]);
  await parley.database.query("delete from passkeys");
  await gotoSettled(page, "/w/1/security");
  await page.getByLabel("E-mail").fill("olive@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  expect(await place(page.getByRole("dialog"))).toBe(`${there}/w/1/security`);
  expect(await page.getByLabel("Name").count()).toBe(0);
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("link").click();
  await page.getByRole("button", { name: "Use a passkey" }).waitFor();
  expect(errors).toEqual([]);
  await Promise.all([close(), closeNamed()]);
});

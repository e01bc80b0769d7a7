import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { type OidcProvider, startOidcProvider } from "../support/oidc-provider.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { faultsInEachWindow, launchChromium, openPage } from "./support.ts";

const OLIVE = { sub: "olive", email: "olive@example.com", email_verified: true, name: "Olive Owner" };
let provider: OidcProvider;
let parley: TestParley;
let browser: Browser;
beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  [provider, browser] = await Promise.all([startOidcProvider(`${url}/sign-in/sso`), launchChromium()]);
  parley = await startParley({
    PORT: String(port),
    PARLEY_PUBLIC_URL: url,
    PARLEY_OIDC_ISSUER: provider.issuer,
    PARLEY_OIDC_CLIENT_ID: "parley",
    PARLEY_OIDC_CLIENT_SECRET: "a-client-secret-for-tests",
    PARLEY_OIDC_NAME: "Acme ID",
    PARLEY_OIDC_ONLY: "true",
  });
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
  await provider?.close();
});

const withAcme = (page: Page) => page.getByRole("button", { name: "Sign in with Acme ID" });

it("a workspace is set up, joined and left by single sign-on alone, and an ended session keeps the page", async () => {
  const { page, errors, close } = await openPage(browser, parley);
  await provider.become(OLIVE);
  await page.goto(parley.app.setupUrl ?? "");
  await page.getByLabel("Workspace").fill("Acme");
  expect(await page.getByLabel("Password").count()).toBe(0);
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await withAcme(page).click();
  await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();

  await page.goto("/security");
  await page.getByText("A second factor is set up at your identity provider.").waitFor();
  expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await page.goto("/profile");
  await page.getByLabel("Your name").fill("Half typed");
  expect(await page.getByLabel("Current password").count()).toBe(0);

  await parley.database.query("delete from sessions");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  const opened = page.context().waitForEvent("page");
  await dialog.getByRole("button", { name: "Sign in in a new tab" }).click();
  const tab = await opened;
  await withAcme(tab).click();
  await tab.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  await dialog.waitFor({ state: "hidden" });
  expect(await page.getByLabel("Your name").inputValue()).toBe("Half typed");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Name changed.").waitFor();

  await page.getByRole("button", { name: /olive@example.com/ }).click();
  await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await page.getByText("Locked out? Ask the people who manage Acme ID.").waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("an invitation is accepted through single sign-on, and what the provider refuses is explained", async () => {
  const token = await inviteAs("ida@example.com");
  const { page, errors, close } = await openPage(browser, parley);
  await provider.become({ sub: "ida", denied: true });
  await page.goto(`/accept-invitation?token=${token}`);
  await page.getByText("Sign in with the account of this address.").waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  await withAcme(page).click();
  await page.getByText("The identity provider denied this sign-in, or it was canceled there.").waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await page.getByText("This sign-in was started in another tab or is already complete.").waitFor();

  await provider.become({ sub: "ida", email: "ida@example.com", email_verified: false });
  await page.goto(`/accept-invitation?token=${token}`);
  await withAcme(page).click();
  await page.getByText("The identity provider did not confirm an e-mail address for you.").waitFor();
  await page.getByRole("link", { name: "Back to sign-in" }).click();

  await provider.become({ sub: "ida", email: "ida@example.com", email_verified: true, name: "Ida" });
  await page.goto(`/accept-invitation?token=${token}`);
  await withAcme(page).click();
  await page.getByRole("heading", { name: "Inbox", exact: true }).waitFor();
  await page.goto(`/accept-invitation?token=${token}`);
  await page.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor();
  expect(errors).toEqual([]);
  await close();
});

/** The link of an invitation by the owner, without a browser window. */
async function inviteAs(email: string): Promise<string> {
  const owner = openBrowser(parley);
  const { url, token } = (await owner.call("POST", "/sso/start")).body.data;
  const search = await provider.signIn(OLIVE, url);
  await owner.call("POST", "/sso/finish", { token, search });
  const invited = await owner.call("POST", "/invitations", { email, role: "agent" });
  return new URL(invited.body.data.url).searchParams.get("token") ?? "";
}

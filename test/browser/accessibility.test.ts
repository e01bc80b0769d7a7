import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { faultsInEachWindow, gotoSettled, launchChromium, openPage } from "./support.ts";

interface Shown {
  path: string;
  as?: "owner" | "agent";
  /** What is there once the page is. */
  heading: string;
  before?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

const PAGES: Record<string, Shown> = {
  "signing in": { path: "/sign-in", heading: "Sign in" },
  "a refused sign-in": { path: "/sign-in", heading: "Sign in", before: press("Sign in") },
  "set-up, done": { path: "/setup?token=x", heading: "Parley is set up" },
  "an invitation": { path: "invitation", heading: "Join Default" },
  "an ended invitation": { path: "/accept-invitation?token=x", heading: "This invitation has ended" },
  "the list of keys": { path: "/settings/api-keys?state=all", as: "owner", heading: "API Keys" },
  "no key found": { path: "/settings/api-keys?search=zzz", as: "owner", heading: "No key matches" },
  "creating a key": { path: "/settings/api-keys/new", as: "owner", heading: "Create key", before: press("Create key") },
  "a key": { path: "key", as: "owner", heading: "Usage" },
  "editing a key": { path: "key", as: "owner", heading: "Edit key", before: press("Edit") },
  "rotating a key": { path: "key", as: "owner", heading: "Rotate “Export”?", before: press("Rotate") },
  "revoking a key": { path: "key", as: "owner", heading: "Revoke “Export”?", before: press("Revoke") },
  "an unknown key": { path: "/settings/api-keys/99999", as: "owner", heading: "Not found" },
  contacts: { path: "/contacts", as: "owner", heading: "Contacts" },
  "a contact": { path: "contact", as: "owner", heading: "Details" },
  "the overview": { path: "/overview", as: "owner", heading: "Needs attention" },
  "the events": { path: "/events", as: "owner", heading: "Events" },
  "an event": { path: "event", as: "owner", heading: "Payload" },
  members: { path: "/settings/members", as: "owner", heading: "Members" },
  inviting: { path: "/settings/members", as: "owner", heading: "Invite a member", before: press("Invite") },
  "the workspace": { path: "/settings/workspace", as: "owner", heading: "Workspace" },
  "the profile": { path: "/profile", as: "owner", heading: "Profile" },
  "an agent in settings": { path: "/settings/api-keys", as: "agent", heading: "This page is for owners and admins" },
  "no page": { path: "/nowhere", as: "owner", heading: "There is no such page" },
};

let parley: TestParley;
let browser: Browser;
const people: Partial<Record<"owner" | "agent", HttpClient>> = {};
const paths: Record<string, string> = {};
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  const owner = await setUp(parley);
  people.owner = owner;
  people.agent = await join(parley, owner, "agent", "amira@example.com");
  const invited = await owner.call("POST", "/invitations", { email: "li@example.com", role: "agent" });
  paths.invitation = invited.body.data.url.slice(parley.url.length);
  const key = await parley.createKey({ name: "Export", type: "limited", abilities: ["contacts:read"] });
  paths.key = `/settings/api-keys/${key.id}`;
  for (const path of ["/contacts", "/webhooks"]) await parley.call("GET", path, { key: key.key });
  const contact = await parley.call("POST", "/contacts", { body: { name: "Ada", attributes: { plan: "pro" } } });
  paths.contact = `/contacts/${contact.body.data.id}`;
  const events = await parley.call("GET", "/events?order=desc&limit=1");
  paths.event = `/events?event=${events.body.data[0].id}`;
  const revoked = await parley.createKey({ name: "Gone", type: "bot" });
  await parley.call("DELETE", `/api-keys/${revoked.id}`);
  const paused = await parley.createKey({ name: "Asleep", description: "until Monday" });
  await parley.call("PATCH", `/api-keys/${paused.id}`, { body: { is_active: false } });
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

it.each(Object.entries(PAGES))("%s meets WCAG 2.2 A and AA, fits, and keeps to itself", async (_name, shown) => {
  const as = shown.as && people[shown.as];
  const window = await openPage(browser, parley, as ? { as } : {});
  try {
    const { page } = window;
    await gotoSettled(page, paths[shown.path] ?? shown.path);
    await shown.before?.(page);
    await page.getByRole("heading", { name: shown.heading, exact: true }).first().waitFor();
    expect(await faultsInEachWindow(page)).toEqual([]);
    expect(window.outside).toEqual([]);
    expect(window.errors).toEqual([]);
  } finally {
    await window.close();
  }
});

describe("the keyboard alone", () => {
  it("reaches everything, skips the navigation, and opens and leaves menus and dialogs", async () => {
    const window = await openPage(browser, parley, { as: people.owner as HttpClient });
    const { page } = window;
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    await gotoSettled(page, "/settings/members");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the page");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Invite");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Invite a member" }).waitFor();
    for (let index = 0; index < 12; index += 1) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(`document.activeElement.closest("[role=dialog]") !== null`)).toBe(true);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(focused).toBe("Invite");
    await window.close();
  });

  it("chooses a theme that holds after a reload", async () => {
    const window = await openPage(browser, parley, { as: people.owner as HttpClient, colorScheme: "light" });
    const { page } = window;
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await gotoSettled(page, "/profile");
    const light = await background();
    await page.getByRole("button", { name: /olive@example.com/ }).focus();
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (const item of ["Profile and password", "Account security", "System", "Light", "Dark"]) {
      await expect.poll(focused).toBe(item);
      await page.keyboard.press(item === "Dark" ? "Enter" : "ArrowDown");
    }
    await expect.poll(background).not.toBe(light);
    await gotoSettled(page, page.url());
    expect(await background()).not.toBe(light);
    await window.close();
  });
});

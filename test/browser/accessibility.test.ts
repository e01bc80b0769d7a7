import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import {
  closeOverlays,
  faultsInEachWindow,
  gotoSettled,
  launchChromium,
  navigate,
  openPage,
  type Watched,
} from "./support.ts";

interface Shown {
  path: string;
  as?: "owner" | "agent";
  /** What is there once the page is. */
  heading: string;
  /** What is done then. */
  before?: (page: Page) => Promise<unknown>;
  /** What that shows; the heading by default. */
  shows?: (page: Page) => Locator;
}

const press = (name: string) => (page: Page) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).first().click();
const key = (name: string) => (page: Page) => page.locator("body").press(name);
const dialog = (name: string) => (page: Page) => page.getByRole("dialog", { name });
const menuItem = (name: string) => (page: Page) => page.getByRole("menuitem", { name });

const PAGES: Record<string, Shown> = {
  "signing in": { path: "/sign-in", heading: "Sign in" },
  "a refused sign-in": {
    path: "/sign-in",
    heading: "Sign in",
    before: (page) => page.getByRole("button", { name: "Sign in", exact: true }).click(),
  },
  "set-up, done": { path: "/setup?token=x", heading: "Parley is set up" },
  "an invitation": { path: "invitation", heading: "Join Default" },
  "an ended invitation": { path: "/accept-invitation?token=x", heading: "This invitation is no longer valid" },
  "a forgotten password": { path: "/forgot-password", heading: "Forgot your password?" },
  "an ended link for a new password": { path: "/reset-password?token=x", heading: "This link is no longer valid" },
  "the list of keys": { path: "/settings/api-keys?state=all", as: "owner", heading: "API Keys" },
  "no key found": { path: "/settings/api-keys?search=zzz", as: "owner", heading: "No key matches" },
  "creating a key": { path: "/settings/api-keys/new", as: "owner", heading: "Create key", before: press("Create key") },
  "a key": { path: "key", as: "owner", heading: "Usage" },
  "editing a key": { path: "key", as: "owner", heading: "Usage", before: press("Edit"), shows: dialog("Edit key") },
  "rotating a key": { path: "key", as: "owner", heading: "Usage", before: press("Rotate"), shows: dialog("Rotate") },
  "revoking a key": { path: "key", as: "owner", heading: "Usage", before: press("Revoke"), shows: dialog("Revoke") },
  "an unknown key": { path: "/settings/api-keys/99999", as: "owner", heading: "Not found" },
  contacts: { path: "/contacts", as: "owner", heading: "Contacts" },
  "no contact found": { path: "/contacts?search=zzz", as: "owner", heading: "Contacts" },
  "a contact": { path: "contact", as: "owner", heading: "Details" },
  "an unknown contact": { path: "/contacts/99999", as: "owner", heading: "Not found" },
  "the overview": { path: "/overview", as: "owner", heading: "Needs attention" },
  "the events": { path: "/events", as: "owner", heading: "Events" },
  "an event": { path: "event", as: "owner", heading: "Payload" },
  "the audit log": { path: "/settings/audit-log", as: "owner", heading: "Audit log" },
  "saved replies": { path: "/settings/saved-replies", as: "owner", heading: "Saved replies" },
  "creating a saved reply": {
    path: "/settings/saved-replies",
    as: "owner",
    heading: "Saved replies",
    before: press("New saved reply"),
    shows: dialog("New saved reply"),
  },
  "deleting a saved reply": {
    path: "/settings/saved-replies",
    as: "owner",
    heading: "Saved replies",
    before: press("Delete Thanks"),
    shows: dialog("Delete"),
  },
  "account security": { path: "/security", as: "owner", heading: "Account security" },
  "setting up an authenticator app": {
    path: "/security",
    as: "owner",
    heading: "Account security",
    before: press("Set up"),
    shows: dialog("Set up an authenticator app"),
  },
  "adding a passkey": {
    path: "/security",
    as: "owner",
    heading: "Account security",
    before: press("Add a passkey"),
    shows: dialog("Add a passkey"),
  },
  members: { path: "/settings/members", as: "owner", heading: "Members" },
  inviting: {
    path: "/settings/members",
    as: "owner",
    heading: "Members",
    before: press("Invite"),
    shows: dialog("Invite a member"),
  },
  "the workspace": { path: "/settings/workspace", as: "owner", heading: "Workspace" },
  "the profile": { path: "/profile", as: "owner", heading: "Profile" },
  "the menu of the profile": {
    path: "/profile",
    as: "owner",
    heading: "Profile",
    before: (page) => page.getByRole("button", { name: /olive@example.com/ }).click(),
    shows: menuItem("Sign out everywhere"),
  },
  "an inbox with nothing open": { path: "/inbox", as: "agent", heading: "No conversation is open" },
  "an empty view of the inbox": { path: "/inbox?view=snoozed", as: "agent", heading: "No conversation is open" },
  "the views of the inbox": {
    path: "/inbox",
    as: "agent",
    heading: "No conversation is open",
    before: (page) => page.getByRole("button", { name: /^Mine|^All open|^Unassigned/ }).click(),
    shows: (page) => page.getByRole("menuitemradio", { name: /^Snoozed/ }),
  },
  "the search of the inbox": {
    path: "/inbox",
    as: "agent",
    heading: "No conversation is open",
    before: async (page) => {
      await key("Control+k")(page);
      await dialog("Search")(page).getByRole("combobox").fill("lid");
    },
    shows: (page) => page.getByRole("option", { name: /Broken lid/ }).first(),
  },
  "the keyboard shortcuts": {
    path: "/inbox",
    as: "agent",
    heading: "No conversation is open",
    before: key("Shift+?"),
    shows: dialog("Keyboard shortcuts"),
  },
  "a conversation": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    shows: (page) => page.getByText("Helper suggests"),
  },
  "assigning a conversation": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    before: key("a"),
    shows: menuItem("Assign to me"),
  },
  "snoozing a conversation": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    before: key("s"),
    shows: menuItem("Tomorrow"),
  },
  "what else is done with a conversation": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    before: press("More"),
    shows: menuItem("Labels"),
  },
  "labels of a conversation": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    before: async (page) => {
      await press("More")(page);
      await menuItem("Labels")(page).click();
    },
    shows: dialog("Labels"),
  },
  "inserting a saved reply": {
    path: "conversation",
    as: "agent",
    heading: "Broken lid",
    before: async (page) => {
      await key("r")(page);
      await page.keyboard.type("/");
    },
    shows: (page) => page.getByRole("option", { name: /Thanks/ }),
  },
  "selected conversations": {
    path: "/inbox",
    as: "agent",
    heading: "No conversation is open",
    before: async (page) => {
      await key("j")(page);
      await key("x")(page);
    },
    shows: (page) => page.getByRole("toolbar", { name: "Selected conversations" }),
  },
  "a deleted conversation": { path: "/inbox/99999", as: "agent", heading: "This conversation is not here any more" },
  "an agent in settings": { path: "/settings/api-keys", as: "agent", heading: "This page is for owners and admins" },
  "no page": { path: "/nowhere", as: "owner", heading: "There is no such page" },
};

let parley: TestParley;
let browser: Browser;
const people: Partial<Record<"owner" | "agent", HttpClient>> = {};
const paths: Record<string, string> = {};
/** One window per role, and one without a session: what a page needs is loaded once. */
const windows = new Map<string, Watched>();
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  const owner = await setUp(parley);
  people.owner = owner;
  people.agent = await join(parley, owner, "agent", "amira@example.com");
  const invited = await owner.call("POST", "/invitations", { email: "li@example.com", role: "agent" });
  paths.invitation = invited.body.data.url.slice(parley.url.length);
  await seedKeys();
  await seedInbox();
  const events = await parley.call("GET", "/events?order=desc&limit=1");
  paths.event = `/events?event=${events.body.data[0].id}`;
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

async function seedKeys(): Promise<void> {
  const created = await parley.createKey({ name: "Export", type: "limited", abilities: ["contacts:read"] });
  paths.key = `/settings/api-keys/${created.id}`;
  for (const path of ["/contacts", "/webhooks"]) await parley.call("GET", path, { key: created.key });
  const revoked = await parley.createKey({ name: "Gone", type: "bot" });
  await parley.call("DELETE", `/api-keys/${revoked.id}`);
  const paused = await parley.createKey({ name: "Asleep", description: "until Monday" });
  await parley.call("PATCH", `/api-keys/${paused.id}`, { body: { is_active: false } });
}

/** A conversation with everything that a thread can show, and a second one, so that there is a list. */
async function seedInbox(): Promise<void> {
  const create = (path: string, body: object, as?: string) =>
    parley.call("POST", path, { body, ...(as ? { key: as } : {}) });
  const contact = { name: "Ada", email: "ada@example.com", attributes: { plan: "pro" } };
  await create("/conversations", { subject: "Where is my order?", message: { body: "It is late.", direction: "in" } });
  const { body } = await create("/conversations", { subject: "Broken lid", contact, labels: ["returns", "urgent"] });
  const { id } = body.data;
  paths.conversation = `/inbox/${id}`;
  paths.contact = `/contacts/${body.data.contact.id}`;
  const write = (message: object) => create(`/conversations/${id}/messages`, message);
  await write({ body: "The lid is broken, see https://example.com/lid", direction: "in" });
  await write({ body: "Ask the warehouse first.", private: true });
  await write({ body: "A new one is on its way.", attachments: [{ url: "https://example.com/a.pdf", name: "a.pdf" }] });
  await parley.call("PATCH", `/conversations/${id}`, { body: { priority: "urgent", status: "pending" } });
  await parley.call("PATCH", `/conversations/${id}`, { body: { status: "open" } });
  await create("/saved-replies", { name: "Thanks", shortcut: "thanks", body: "Thank you, {{contact.name}}!" });
  const bot = await parley.createKey({ type: "bot", name: "Helper" });
  await create(`/conversations/${id}/drafts`, { body: "It arrives on Friday." }, bot.key);
}

async function windowOf(role: Shown["as"]): Promise<Watched> {
  const as = role && people[role];
  const window = windows.get(role ?? "") ?? (await openPage(browser, parley, as ? { as } : {}));
  windows.set(role ?? "", window);
  await window.page.setViewportSize({ width: 1280, height: 800 });
  return window;
}

/** In the application that is open already, where there is one: only what the page itself needs is loaded. */
async function show(page: Page, { path: name, as }: Shown): Promise<void> {
  const path = paths[name] ?? name;
  const address = as ? `/w/1${path}` : path;
  const here = page.url().slice(parley.url.length);
  if (!as || !here.startsWith("/w/")) return gotoSettled(page, address);
  await closeOverlays(page);
  if (here !== address) await navigate(page, address);
}

it.each(Object.entries(PAGES))("%s meets WCAG 2.2 A and AA, fits, and keeps to itself", async (_name, shown) => {
  const { page, outside, errors } = await windowOf(shown.as);
  await show(page, shown);
  const heading = page.getByRole("heading", { name: shown.heading, exact: true }).first();
  await heading.waitFor();
  await shown.before?.(page);
  await (shown.shows?.(page) ?? heading).waitFor();
  expect(await faultsInEachWindow(page)).toEqual([]);
  expect(outside).toEqual([]);
  expect(errors).toEqual([]);
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

  it("keeps the focus where the language is chosen, once, though the page is loaded again", async () => {
    const window = await openPage(browser, parley, { as: people.owner as HttpClient });
    const { page } = window;
    const choose = async (label: string, tag: string, heading: string) => {
      await page.getByLabel(label).focus();
      await page.getByLabel(label).selectOption(tag);
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    };
    const isFocused = () => page.evaluate("document.activeElement.localName === 'select'");
    await gotoSettled(page, "/profile");
    await choose("Language of the dashboard", "de", "Profil");
    await expect.poll(isFocused).toBe(true);
    await gotoSettled(page, page.url());
    expect(await isFocused()).toBe(false);
    await choose("Sprache der Oberfläche", "", "Profile");
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

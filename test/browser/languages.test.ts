import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Texts } from "../../dashboard/src/texts/texts.ts";
import { createPasswords } from "../../src/accounts/passwords.ts";
import { fileLimitsOf } from "../../src/app/settings.ts";
import { readConfig } from "../../src/config/index.ts";
import { createDemo } from "../../src/demo/demo.ts";
import { createFileLinks } from "../../src/files/links.ts";
import { keyOptionsOf } from "../../src/store.ts";
import { openBrowser, type Browser as Session, setUp } from "../support/browser.ts";
import type { Any } from "../support/conversations.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { scale } from "../support/proof.ts";
import { LANGUAGES, PLACES, readCatalogue } from "../tidy/catalogues.ts";
import {
  accessibilityFaults,
  closeOverlays,
  gotoSettled,
  launchChromium,
  navigate,
  openPage,
  overflows,
  type Watched,
} from "./support.ts";

/** German has the longest words; in full, each language. */
const WALKED = scale<readonly string[]>(["de"], LANGUAGES);
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };
/** Saves what is seen into this directory, for a person to look at. */
const PICTURES = process.env.PARLEY_PICTURES;
const SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

interface Shown {
  path: string;
  /** Without a session. */
  isPublic?: boolean;
  /** In English: what is pressed in turn, each by its name. */
  press?: readonly string[];
  /** Pressed on the keyboard before. */
  keys?: readonly string[];
}

let parley: TestParley;
let browser: Browser;
let demo: Session;
const paths: Record<string, string> = {};
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  await setUp(parley);
  const { db, secretBox } = parley.app.store;
  const links = createFileLinks(secretBox, () => parley.url);
  const hashPassword = (password: string) => createPasswords({ dangerousLogN: 10 }).hash(password);
  const config = readConfig({});
  const options = { db, secretBox, keys: keyOptionsOf(config), links, fileLimits: fileLimitsOf(config), hashPassword };
  const { email, password } = await createDemo(options, "small");
  demo = openBrowser(parley);
  await demo.call("POST", "/sign-in", { email, password });
  await findPaths();
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

async function create(path: string, body: object, method = "POST"): Promise<void> {
  const reply = await demo.call(method, `//api/v1${path}`, body);
  expect(reply.status, reply.text).toBe(201);
}

async function findPaths(): Promise<void> {
  const first = async (path: string): Promise<Any> => (await demo.call("GET", `//api/v1${path}`)).body.data[0];
  const conversation = await first("/conversations?status=open&sort=last_activity");
  const webhook = await first("/webhooks?status=all");
  const attempt = await first(`/webhooks/${webhook.id}/logs`);
  const member = await first("/members");
  const note = { body: `@${member.name} **bitte** ansehen`, private: true };
  await create(`/conversations/${conversation.id}/messages`, note);
  await create("/views", {
    name: "Dringend und seit gestern ohne Antwort",
    shared: true,
    filters: { priority: "urgent" },
  });
  await create("/consumers/warehouse", { start: "beginning" }, "PUT");
  Object.assign(paths, {
    conversation: `/inbox/${conversation.id}`,
    contact: `/contacts/${conversation.contact.id}`,
    webhook: `/settings/webhooks/${webhook.id}`,
    attempt: `/settings/webhooks/${webhook.id}?attempt=${attempt?.id}`,
    widget: `/settings/widgets/${(await first("/widgets")).id}`,
    key: `/settings/api-keys/${(await first("/api-keys")).id}`,
    consumer: "/settings/consumers/warehouse",
    event: `/events?event=${(await first("/events?order=desc&limit=1")).id}`,
  });
}

/** Every page and the dialogs with the most text. Names are in English: each language has its own. */
const PAGES: Record<string, Shown> = {
  "sign-in": { path: "/sign-in", isPublic: true },
  "set-up": { path: "/setup?token=x", isPublic: true },
  "forgotten-password": { path: "/forgot-password", isPublic: true },
  "ended-link": { path: "/reset-password?token=x", isPublic: true },
  "ended-invitation": { path: "/accept-invitation?token=x", isPublic: true },
  inbox: { path: "/inbox" },
  mentions: { path: "/inbox?view=mentions" },
  "no-match": { path: "/inbox?view=snoozed&search=zzz" },
  "views-menu": { path: "/inbox", press: ["All open"] },
  "new-conversation": { path: "/inbox", keys: ["c"] },
  palette: { path: "/inbox", keys: ["Control+k"] },
  shortcuts: { path: "/inbox", keys: ["Shift+?"] },
  selected: { path: "/inbox", keys: ["j", "x"] },
  conversation: { path: "conversation" },
  "conversation-menu": { path: "conversation", press: ["More"] },
  "conversation-note": { path: "conversation", keys: ["n"] },
  snooze: { path: "conversation", keys: ["s"] },
  assign: { path: "conversation", keys: ["a"] },
  contacts: { path: "/contacts" },
  "new-contact": { path: "/contacts", press: ["New contact"] },
  contact: { path: "contact" },
  overview: { path: "/overview" },
  events: { path: "/events" },
  event: { path: "event" },
  keys: { path: "/settings/api-keys" },
  "new-key": { path: "/settings/api-keys/new" },
  key: { path: "key" },
  "rotate-key": { path: "key", press: ["Rotate"] },
  webhooks: { path: "/settings/webhooks" },
  "new-webhook": { path: "/settings/webhooks/new" },
  webhook: { path: "webhook" },
  "webhook-settings": { path: "webhook?tab=settings" },
  attempt: { path: "attempt" },
  consumers: { path: "/settings/consumers" },
  "new-consumer": { path: "/settings/consumers?new" },
  consumer: { path: "consumer" },
  widgets: { path: "/settings/widgets" },
  "new-widget": { path: "/settings/widgets/new" },
  widget: { path: "widget" },
  mailboxes: { path: "/settings/mailboxes" },
  "new-mailbox": { path: "/settings/mailboxes/new" },
  members: { path: "/settings/members" },
  invite: { path: "/settings/members", press: ["Invite"] },
  "saved-replies": { path: "/settings/saved-replies" },
  "new-saved-reply": { path: "/settings/saved-replies", press: ["New saved reply"] },
  "audit-log": { path: "/settings/audit-log" },
  workspace: { path: "/settings/workspace" },
  profile: { path: "/profile" },
  security: { path: "/security" },
  "not-found": { path: "/nowhere" },
};

describe.each(WALKED)("in %s", (language) => {
  const texts: Texts = {};
  const windows: Partial<Record<"own" | "public", Watched>> = {};
  beforeAll(async () => {
    for (const place of PLACES) Object.assign(texts, await readCatalogue(language, place));
    windows.own = await openPage(browser, parley, { as: demo, locale: language, viewport: PHONE });
    windows.public = await openPage(browser, parley, { locale: language, viewport: PHONE });
  });
  afterAll(async () => {
    for (const window of Object.values(windows)) await window.close();
  });

  it.each(Object.entries(PAGES))("%s fits a phone and a desk, and meets WCAG 2.2 A and AA", async (name, shown) => {
    const { page, errors } = windows[shown.isPublic ? "public" : "own"] as Watched;
    await page.setViewportSize(PHONE);
    await show(page, shown);
    for (const key of shown.keys ?? []) await page.locator("body").press(key);
    for (const english of shown.press ?? []) await press(page, english);
    expect(await page.evaluate("document.documentElement.lang")).toBe(language);
    expect(await accessibilityFaults(page)).toEqual([]);
    const tooWide: string[] = [];
    for (const viewport of [PHONE, WIDE]) {
      await page.setViewportSize(viewport);
      await page.evaluate(SETTLED);
      if (await overflows(page)) tooWide.push(`${viewport.width} px`);
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${language}-${name}-${viewport.width}.png` });
    }
    await closeOverlays(page, String(texts.Close));
    expect(tooWide).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("what the server refuses is said in this language too, with the label of the field", async () => {
    const { page } = windows.public as Watched;
    await gotoSettled(page, "/sign-in");
    await page.locator("input[type=email]").fill("olive@example.com");
    await page.locator("input[type=password]").fill("not this one");
    await page.keyboard.press("Enter");
    await page.getByText(String(texts["The e-mail address or the password is wrong."])).waitFor();
    const own = (windows.own as Watched).page;
    await show(own, { path: "/contacts" });
    await press(own, "New contact");
    const dialog = own.getByRole("dialog");
    await dialog.getByLabel(String(texts["E-mail"])).fill("no address");
    await dialog.getByRole("button", { name: String(texts["Create contact"]) }).click();
    const said = String(texts["{field} must be an e-mail address."]).replace("{field}", String(texts["E-mail"]));
    await dialog.getByText(said).waitFor();
  });

  it("why a webhook was disabled, and what the audit log says of a sign-in, is in this language", async () => {
    const { page } = windows.own as Watched;
    const body = { name: "Gone", url: "https://gone.example/hook", events: ["contact.created"] };
    const { id } = (await demo.call("POST", "//api/v1/webhooks", body)).body.data;
    const reason = "The destination responded with 410 Gone.";
    const disable = "update webhooks set is_active = false, disabled_reason = $2 where id = $1";
    await parley.database.query(disable, [id, reason]);
    await show(page, { path: `/settings/webhooks/${id}` });
    await page.getByText(String(texts[reason])).waitFor();
    await show(page, { path: "/settings/audit-log" });
    const signIn = String(texts["method: {value}"]).replace("{value}", String(texts.password));
    await page.getByText(signIn).first().waitFor();
  });

  it("the preview of a new widget is in this language", async () => {
    const made = await demo.call("POST", "//api/v1/widgets", {
      name: "New",
      allowed_origins: ["https://shop.example"],
    });
    const { page } = windows.own as Watched;
    await page.setViewportSize(WIDE);
    await show(page, { path: `/settings/widgets/${made.body.data.id}` });
    const chat = page.frameLocator("iframe");
    await chat.locator(`html[lang|="${language.split("-")[0]}"]`).waitFor();
  });

  async function press(page: Page, english: string): Promise<void> {
    const name = new RegExp(`^${texts[english] ?? english}`);
    await page.getByRole("main").getByRole("button", { name }).first().click();
  }
});

async function show(page: Page, { path: name, isPublic }: Shown): Promise<void> {
  const [known = "", query] = name.split("?");
  const path = paths[known] ? paths[known] + (query ? `?${query}` : "") : name;
  if (isPublic) return gotoSettled(page, path);
  const address = `/w/2${path}`;
  // The same page again: another one in between, so that nothing of it stays.
  if (page.url() === parley.url + address) await navigate(page, "/w/2/nowhere");
  if (page.url().startsWith(`${parley.url}/w/`)) await navigate(page, address);
  else await gotoSettled(page, address);
}

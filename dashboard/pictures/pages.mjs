import { createClient, findShown, openDemo, signIn } from "./demo-installation.mjs";

const KEYS = "/settings/api-keys";
const WEBHOOKS = "/settings/webhooks";
const OWNER = { name: "Olive Moreau", email: "olive@acme.example", password: "correct horse battery" };

const clickButton = (name) => (page) => page.getByRole("button", { name, exact: true }).click();

/** What is shown on the first run, before the first user exists. */
export function firstRunPages({ setupUrl }) {
  const { pathname, search } = new URL(setupUrl);
  return [
    { name: "setup", path: pathname + search },
    { name: "first-run", path: "/sign-in" },
  ];
}

/**
 * Every page of the dashboard and many dialogs: its path, whose session (`cookie`) it is seen with, and what to do before
 * the picture is taken (`prepare`). `full: false` shows one window instead of the whole page.
 */
export async function dashboardPages(parley) {
  const owner = createClient(parley.url);
  const token = new URL(parley.setupUrl).searchParams.get("token");
  await owner.call("POST", "/dashboard-api/setup", { token, ...OWNER, workspace_name: "Acme Support" });
  const demo = await openDemo(parley);
  const agent = await signIn(parley.url, { email: "tomas@fernweh.example", password: demo.password });
  const shown = await findShown(demo);
  const inDemo = (page) => ({ cookie: demo.client.token(), ...page, path: demo.workspace + page.path });
  return [
    ...(await publicPages(owner)),
    { name: "api-keys-empty", path: KEYS, cookie: owner.token() },
    { name: "webhooks-empty", path: WEBHOOKS, cookie: owner.token() },
    ...[...accountPages(), ...workPages(shown), ...keyPages(shown), ...webhookPages(shown)].map(inDemo),
    { name: "agent-home", path: "/", cookie: agent.token() },
    { name: "agent-forbidden", path: demo.workspace + KEYS, cookie: agent.token() },
  ];
}

async function publicPages(owner) {
  const invitation = { email: "li@acme.example", role: "agent" };
  const { data } = await owner.call("POST", "/dashboard-api/invitations", invitation);
  const { pathname, search } = new URL(data.url);
  const signInWrong = async (page) => {
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("Password").fill("not this one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
  };
  return [
    { name: "sign-in", path: "/sign-in" },
    { name: "sign-in-wrong", path: "/sign-in", prepare: signInWrong },
    { name: "invitation", path: pathname + search },
    { name: "invitation-ended", path: "/accept-invitation?token=none" },
  ];
}

function accountPages() {
  const openMenu = (label) => async (page) => {
    if (page.viewportSize().width < 860) await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("button", { name: label }).last().click();
  };
  return [
    { name: "members", path: "/settings/members" },
    { name: "members-invite", path: "/settings/members", full: false, prepare: clickButton("Invite") },
    { name: "workspace", path: "/settings/workspace" },
    { name: "profile", path: "/profile" },
    { name: "account-security", path: "/security" },
    { name: "audit-log", path: "/settings/audit-log" },
    { name: "widgets", path: "/settings/widgets" },
    { name: "mailboxes", path: "/settings/mailboxes" },
    { name: "consumers", path: "/settings/consumers" },
    { name: "saved-replies", path: "/settings/saved-replies" },
    { name: "profile-menu", path: "/settings/workspace", full: false, prepare: openMenu(/mara@/) },
    { name: "workspace-menu", path: "/settings/workspace", full: false, prepare: openMenu(/Workspace$/) },
    { name: "not-found", path: "/nowhere" },
  ];
}

const workPages = ({ conversation }) => [
  { name: "overview", path: "/overview" },
  { name: "inbox", path: "/inbox", full: false },
  { name: "conversation", path: `/inbox/${conversation.id}`, full: false },
  { name: "contacts", path: "/contacts" },
  { name: "contact", path: `/contacts/${conversation.contact.id}` },
  { name: "events", path: "/events" },
];

function keyPages({ apiKey }) {
  const path = `${KEYS}/${apiKey.id}`;
  const fillIn = async (page) => {
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Data warehouse");
    await page.getByLabel("conversations:read").check();
    await page.getByLabel("messages:read").check();
  };
  const create = async (page) => {
    await fillIn(page);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("link", { name: "I have stored it" }).waitFor();
    // A real secret does not belong in a picture, even of an installation that is deleted.
    await page.evaluate(HIDE_SECRETS);
  };
  return [
    { name: "api-keys", path: KEYS },
    { name: "api-keys-no-match", path: `${KEYS}?search=zebra` },
    { name: "api-key-new", path: `${KEYS}/new`, prepare: fillIn },
    { name: "api-key-created", path: `${KEYS}/new`, prepare: create },
    { name: "api-key", path: `${path}?range=7d` },
    { name: "api-key-edit", path, full: false, prepare: clickButton("Edit") },
    { name: "api-key-rotate", path, full: false, prepare: clickButton("Rotate") },
    { name: "api-key-revoke", path, full: false, prepare: clickButton("Revoke") },
  ];
}

const HIDE_SECRETS = `for (const node of document.querySelectorAll("code"))
  node.textContent = node.textContent.replace(/(parley_[a-z]+_)\\w+/g, "$1EXAMPLEexample0123456789EXAMPLEexample_0a1b2c")`;

function webhookPages({ webhook, attempt }) {
  const path = `${WEBHOOKS}/${webhook.id}`;
  return [
    { name: "webhooks", path: WEBHOOKS },
    { name: "webhook-new", path: `${WEBHOOKS}/new` },
    { name: "webhook", path, full: false },
    { name: "webhook-settings", path: `${path}?tab=settings` },
    { name: "webhook-edit", path: `${path}/edit` },
    { name: "webhook-attempt", path: `${path}?attempt=${attempt.id}`, full: false },
  ];
}

import { createServer } from "node:http";
import { join } from "node:path";
import { root } from "./root.mjs";

const PASSWORD = "correct horse battery";
const KEYS = "/settings/api-keys";

/** A page to photograph: its address, whose session it is seen with, and what to do before the picture is taken. */

/** What is shown on the first run, before the first user exists. */
export function firstRunPages(parley) {
  const { pathname, search } = new URL(parley.setupUrl);
  return [
    { name: "setup", path: pathname + search },
    { name: "first-run", path: "/sign-in" },
  ];
}

/** Fills a fresh installation with a small company's keys, people and webhooks, and returns the pages that show them. */
export async function seedShowcase(parley) {
  const owner = createClient(parley.url);
  const token = new URL(parley.setupUrl).searchParams.get("token");
  const account = { name: "Olive Moreau", email: "olive@acme.example", password: PASSWORD };
  await owner.call("POST", "/dashboard-api/setup", { token, ...account, workspace_name: "Acme Support" });
  const { data: second } = await owner.call("POST", "/dashboard-api/workspaces", { name: "Acme Staging" });
  const people = await invitePeople(parley, owner);
  const keys = await createKeys(parley, owner);
  await writeUsage(parley, keys[0]);
  const webhooks = await createWebhooks(parley, owner);
  const inbox = await writeConversations(owner);
  return {
    pages: [
      ...accountPages(owner, people, second),
      ...keyPages(owner, keys),
      ...webhookPages(owner, webhooks, second),
      ...workPages(owner, inbox),
    ],
    close: () => webhooks.receiver.close(),
  };
}

/** One conversation with a history, and a contact with details. */
async function writeConversations(owner) {
  const write = (path, body) => owner.call("POST", `/api/v1${path}`, body);
  const contact = {
    name: "Amira Haddad",
    email: "amira@northwind.example",
    phone: "+49 30 1234567",
    attributes: { plan: "Business", seats: 12 },
  };
  const { data } = await write("/conversations", {
    subject: "Invoice for August is missing",
    contact,
    labels: ["billing"],
  });
  const say = (body, more = {}) => write(`/conversations/${data.id}/messages`, { body, ...more });
  await say("Hello, we did not get the invoice for August. Our bookkeeping closes on Friday.", { direction: "in" });
  await say("Finance sent it to the old address. I have asked them to correct it.", { private: true });
  await say(
    "Hello Amira, I am sorry about that. The invoice is on its way to you, and later ones will go to this address.",
  );
  await owner.call("PATCH", `/api/v1/conversations/${data.id}`, { status: "resolved" });
  await say("It arrived, thank you! Could you also add our VAT number to it?", { direction: "in" });
  await owner.call("PATCH", `/api/v1/conversations/${data.id}`, { priority: "high" });
  await write("/saved-replies", { name: "Thanks", shortcut: "thanks", body: "Thank you, {{contact.name}}!" });
  await owner.call("POST", `/dashboard-api/contacts/${data.contact.id}/notes`, {
    body: "Prefers e-mail. Decides about the renewal in October.",
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { data: events } = await owner.call("GET", `/api/v1/events?conversation_id=${data.id}&order=desc&limit=1`);
  return { conversation: data.id, contact: data.contact.id, event: events[0].id };
}

function workPages(owner, { conversation, contact, event }) {
  const cookie = owner.token();
  return [
    { name: "overview", path: "/overview", cookie },
    { name: "inbox", path: "/inbox", cookie, full: false },
    { name: "conversation", path: `/inbox/${conversation}`, cookie, full: false },
    { name: "contacts", path: "/contacts", cookie },
    { name: "contact", path: `/contacts/${contact}`, cookie },
    { name: "events", path: "/events", cookie },
    { name: "event", path: `/events?event=${event}`, cookie, full: false },
  ];
}

function accountPages(owner, { agent, invitationPath }, second) {
  const cookie = owner.token();
  const openMenu = (label) => async (page) => {
    if (page.viewportSize().width < 860) await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("button", { name: label }).last().click();
  };
  return [
    { name: "sign-in", path: "/sign-in" },
    {
      name: "sign-in-wrong",
      path: "/sign-in",
      prepare: async (page) => {
        await page.getByLabel("E-mail").fill("olive@acme.example");
        await page.getByLabel("Password").fill("not this one");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").waitFor();
      },
    },
    { name: "invitation", path: invitationPath },
    { name: "invitation-ended", path: "/accept-invitation?token=none" },
    { name: "members", path: "/settings/members", cookie },
    {
      name: "members-invite",
      path: "/settings/members",
      cookie,
      full: false,
      prepare: (page) => page.getByRole("button", { name: "Invite", exact: true }).click(),
    },
    { name: "workspace", path: "/settings/workspace", cookie },
    { name: "profile", path: "/profile", cookie },
    { name: "account-security", path: "/security", cookie },
    {
      name: "account-security-totp",
      path: "/security",
      cookie,
      full: false,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Set up" }).click();
        await page.getByAltText("QR code for the authenticator app").waitFor();
      },
    },
    { name: "audit-log", path: "/settings/audit-log", cookie },
    { name: "profile-menu", path: "/settings/workspace", cookie, full: false, prepare: openMenu(/olive@acme/) },
    { name: "workspace-menu", path: "/settings/workspace", cookie, full: false, prepare: openMenu(/Workspace$/) },
    { name: "agent-home", path: "/", cookie: agent.token() },
    { name: "agent-forbidden", path: KEYS, cookie: agent.token() },
    { name: "not-found", path: "/nowhere", cookie },
    { name: "api-keys-empty", path: KEYS, cookie, workspace: second.id },
  ];
}

function keyPages(owner, keys) {
  const cookie = owner.token();
  const path = `${KEYS}/${keys[0].id}`;
  const dialog = (button) => (page) => page.getByRole("button", { name: button, exact: true }).click();
  const create = async (page) => {
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Data warehouse");
    await page.getByLabel("conversations:read").check();
    await page.getByLabel("messages:read").check();
  };
  return [
    { name: "api-keys", path: KEYS, cookie },
    { name: "api-keys-no-match", path: `${KEYS}?search=zebra`, cookie },
    { name: "api-key-new", path: `${KEYS}/new`, cookie, prepare: create },
    {
      name: "api-key-new-bot",
      path: `${KEYS}/new`,
      cookie,
      prepare: async (page) => {
        await page.getByRole("radio", { name: "Bot" }).check();
        await page.getByLabel("Everything a bot key may do").uncheck();
        await page.getByRole("button", { name: "Create key" }).click();
      },
    },
    {
      name: "api-key-created",
      path: `${KEYS}/new`,
      cookie,
      prepare: async (page) => {
        await create(page);
        await page.getByRole("button", { name: "Create key" }).click();
        await page.getByRole("link", { name: "I have stored it" }).waitFor();
        // A real secret, even of an installation that is thrown away, has no place in a picture.
        await page.evaluate(HIDE_SECRETS);
      },
    },
    { name: "api-key", path: `${path}?range=7d`, cookie },
    { name: "api-key-edit", path, cookie, full: false, prepare: dialog("Edit") },
    { name: "api-key-rotate", path, cookie, full: false, prepare: dialog("Rotate") },
    { name: "api-key-revoke", path, cookie, full: false, prepare: dialog("Revoke") },
    { name: "api-key-paused", path: `${KEYS}/${keys[3].id}`, cookie },
  ];
}

const HIDE_SECRETS = `for (const node of document.querySelectorAll("code"))
  node.textContent = node.textContent.replace(/(parley_[a-z]+_)\\w+/g, "$1EXAMPLEexample0123456789EXAMPLEexample_0a1b2c")`;

function webhookPages(owner, { ids, failedLogId }, second) {
  const cookie = owner.token();
  const path = `/settings/webhooks/${ids[0]}`;
  return [
    { name: "webhooks", path: "/settings/webhooks", cookie },
    { name: "webhooks-empty", path: "/settings/webhooks", cookie, workspace: second.id },
    { name: "webhook-new", path: "/settings/webhooks/new", cookie },
    { name: "webhook", path, cookie, full: false },
    { name: "webhook-settings", path: `${path}?tab=settings`, cookie },
    { name: "webhook-edit", path: `${path}/edit`, cookie },
    { name: "webhook-failing", path: `/settings/webhooks/${ids[1]}`, cookie, full: false },
    { name: "webhook-attempt", path: `/settings/webhooks/${ids[1]}?attempt=${failedLogId}`, cookie, full: false },
  ];
}

async function invitePeople(parley, owner) {
  const accept = async (email, name, role) => {
    const { data } = await owner.call("POST", "/dashboard-api/invitations", { email, role });
    const person = createClient(parley.url);
    const token = new URL(data.url).searchParams.get("token");
    await person.call("POST", "/dashboard-api/accept-invitation", { token, name, password: PASSWORD });
    return person;
  };
  await accept("jonas@acme.example", "Jonas Weber", "admin");
  const agent = await accept("amira@acme.example", "Amira Haddad", "agent");
  const { data } = await owner.call("POST", "/dashboard-api/invitations", { email: "li@acme.example", role: "agent" });
  const { pathname, search } = new URL(data.url);
  return { agent, invitationPath: pathname + search };
}

async function createKeys(parley, owner) {
  const create = async (input) => (await owner.call("POST", "/api/v1/api-keys", input)).data;
  const limited = (name, description, abilities, more = {}) =>
    create({ name, description, type: "limited", abilities, rate_limit_tier: "standard", ...more });
  const old = await create({ name: "First try", type: "full" });
  const paused = await limited("Old importer", "Replaced by the nightly export", ["contacts:read", "contacts:write"], {
    rate_limit_tier: "low",
  });
  const webhook = await create({
    name: "Zapier connector",
    type: "webhook",
    description: "Subscribes on behalf of Zapier",
  });
  const bot = await create({ name: "Help-centre assistant", type: "bot", rate_limit_tier: "high" });
  const server = await create({ name: "Back office", type: "full", description: "order-service, production" });
  const main = await limited(
    "Nightly export",
    "Copies conversations to the warehouse at 02:00",
    ["conversations:read", "messages:read", "contacts:read"],
    {
      allowed_ips: ["127.0.0.0/8", "198.51.100.0/24"],
      expires_at: new Date(Date.now() + 86 * 86_400_000).toISOString(),
    },
  );
  for (const { key } of [main, main, bot, server, webhook])
    await fetch(`${parley.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await owner.call("PATCH", `/api/v1/api-keys/${main.id}`, { rate_limit_tier: "high" });
  await owner.call("PATCH", `/api/v1/api-keys/${paused.id}`, { is_active: false });
  await owner.call("POST", `/api/v1/api-keys/${main.id}/rotate`, { overlap_seconds: 3600 });
  await owner.call("DELETE", `/api/v1/api-keys/${old.id}`);
  return [main, bot, server, paused];
}

/** A week of use with a daily rhythm, and an hour in which something was wrong. */
async function writeUsage({ store }, key) {
  const { sql } = await import(join(root, "dist", "db", "database.js"));
  const insert = sql(
    "showcase_usage",
    `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
     select workspace_id, id, date_trunc('hour', now(), 'UTC') - make_interval(hours => n),
       40 + (300 * (1 + sin(n / 24.0 * 6.283)))::int + (n * 7919) % 90,
       (n * 31) % 9 + case when n in (50, 51) then 260 else 0 end, case when n in (50, 51, 110) then 84 else (n % 37 = 0)::int end
     from api_keys, generate_series(1, 2160) as n where id = $1 on conflict do nothing`,
  );
  await store.db.query(insert, [key.id]);
}

/** Three destinations, one of them failing. */
async function createWebhooks(parley, owner) {
  const receiver = createServer((request, response) => {
    const isFailing = request.url.startsWith("/crm");
    response
      .writeHead(isFailing ? 503 : 200, { "content-type": "text/plain" })
      .end(isFailing ? "upstream is unavailable" : "ok");
  });
  await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${receiver.address().port}`;
  const create = async (name, path, events) => {
    const { data } = await owner.call("POST", "/api/v1/webhooks", { name, url: base + path, events });
    return data.id;
  };
  const ids = [
    await create("Order service", "/orders", ["conversation.*", "message.created"]),
    await create("CRM sync", "/crm/events", ["contact.created", "contact.updated"]),
    await create("Everything to the data lake", "/lake", ["*"]),
  ];
  await writeAttempts(parley, ids[0], { count: 620, failEvery: 83 });
  await writeAttempts(parley, ids[1], { count: 140, failEvery: 2 });
  await writeAttempts(parley, ids[2], { count: 900, failEvery: 0 });
  for (let index = 1; index <= 24; index += 1) {
    const contact = { name: `Customer ${index}`, email: `c${index}@example.com` };
    const { data } = await owner.call("POST", "/api/v1/conversations", { subject: `Order ${1000 + index}`, contact });
    await owner.call("POST", `/api/v1/conversations/${data.id}/messages`, {
      body: "Where is my parcel?",
      direction: "in",
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { data: failed } = await owner.call("GET", `/api/v1/webhooks/${ids[1]}/logs`);
  return { ids, receiver, failedLogId: failed[0]?.id };
}

/** A day of attempts with a rhythm, as deliveries would have left them. */
async function writeAttempts({ store }, webhookId, { count, failEvery }) {
  const { sql } = await import(join(root, "dist", "db", "database.js"));
  const insert = sql(
    "showcase_attempts",
    `insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, created_at)
     select w.workspace_id, w.id, n, n, gen_random_uuid(), (array['message.created', 'conversation.updated', 'contact.updated'])[1 + n % 3],
       ok, case when ok then 200 else 503 end, 20 + (n * 37) % 400, case when ok then 1 else 1 + n % 4 end,
       case when ok then null else 'HTTP 503' end, null, '{}'::json,
       now() - make_interval(secs => 3600 * (20 * (1 - n::float / $2::int) + 1.6 * (1 + sin(n::float / $2::int * 19))))
     from webhooks w, generate_series(1, $2::int) n, lateral (select $3::int = 0 or n % greatest($3::int, 1) <> 0 as ok) o
     where w.id = $1`,
  );
  await store.db.query(insert, [webhookId, count, failEvery]);
  const total = sql(
    "showcase_attempts_count",
    "update delivery_lanes set attempts_total = attempts_total + $2 where webhook_id = $1",
  );
  await store.db.query(total, [webhookId, count]);
}

/** A browser as far as the server can tell. */
export function createClient(base) {
  let session = null;
  return {
    token: () => session,
    async call(method, path, body) {
      const response = await fetch(base + path, {
        method,
        headers: {
          origin: new URL(base).origin,
          "content-type": "application/json",
          ...(session ? { cookie: `parley_session=${session}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      session = /^parley_session=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? session;
      const received = await response.json();
      if (!response.ok)
        throw new Error(`${method} ${path} responded with ${response.status}: ${JSON.stringify(received)}`);
      return received;
    },
  };
}

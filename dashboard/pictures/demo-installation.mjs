import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, ensureChromium } from "../../scripts/lib/chromium.mjs";
import { root, say } from "../../scripts/lib/root.mjs";
import { gotoSettled } from "../../scripts/lib/settled.mjs";

/** A module of the built server. */
const fromBuild = (...path) => import(join(root, "dist", ...path));

/**
 * Runs `work` with a browser and a new installation, whose data is deleted afterwards.
 *
 * @param {(parts: { parley: any, browser: import("playwright-core").Browser }) => Promise<void>} work
 */
export async function withInstallation(work) {
  const executablePath = await ensureChromium();
  const dataDir = mkdtempSync(join(tmpdir(), "parley-pictures-"));
  // As root the database runs under another user, who needs access.
  chmodSync(dataDir, 0o755);
  const parley = await start(dataDir);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    await work({ parley, browser });
  } finally {
    await browser.close();
    await parley.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Runs `work` with a page that has been loaded, in a browser context of its own.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {{ address: string, cookie?: string, theme: "light" | "dark", [option: string]: unknown }} shown with options of the context
 * @param {(page: import("playwright-core").Page) => Promise<void>} work
 */
export async function withPage(browser, { address, cookie, theme, ...options }, work) {
  const context = await browser.newContext({
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  try {
    if (cookie) await context.addCookies([{ name: "parley_session", value: cookie, url: new URL(address).origin }]);
    const page = await context.newPage();
    await gotoSettled(page, address);
    await work(page);
  } finally {
    await context.close();
  }
}

async function start(dataDir) {
  const { startApp } = await fromBuild("app", "app.js");
  const { readConfig } = await fromBuild("config", "index.js");
  const { createLogger } = await fromBuild("core", "logger.js");
  const config = readConfig({
    PORT: "0",
    PARLEY_DATA_DIR: dataDir,
    PARLEY_LOG_LEVEL: "error",
    // A correctly set up installation has backups. They are deleted with its directory.
    PARLEY_BACKUP_DIR: join(dataDir, "backups"),
  });
  return startApp({ config, logger: createLogger("error"), report: say });
}

/** Writes `parley demo` and signs its admin in. Every person of the demo has the returned password. */
export async function openDemo({ url, store }) {
  const { createDemo } = await fromBuild("demo", "demo.js");
  const { fileLimitsOf } = await fromBuild("app", "settings.js");
  const { createPasswords } = await fromBuild("accounts", "passwords.js");
  const { createFileLinks } = await fromBuild("files", "links.js");
  const { readConfig } = await fromBuild("config", "index.js");
  const { keyOptionsOf } = await fromBuild("store.js");
  const { db, secretBox } = store;
  const links = createFileLinks(secretBox, () => url);
  const hashPassword = (password) => createPasswords().hash(password);
  const config = readConfig({});
  const options = { db, secretBox, keys: keyOptionsOf(config), links, fileLimits: fileLimitsOf(config), hashPassword };
  const demo = await createDemo(options, "small");
  const client = await signIn(url, demo);
  return { client, workspace: `/w/${demo.workspace.id}`, password: demo.password };
}

export async function signIn(url, { email, password }) {
  const client = createClient(url);
  await client.call("POST", "/dashboard-api/sign-in", { email, password });
  return client;
}

/** The records that pages show: a conversation with a note, a failing webhook with its attempts, and an API key. */
export async function findShown({ client }) {
  const { data: open } = await client.call("GET", "/api/v1/conversations?status=open&sort=last_activity&limit=50");
  const conversation = open.find(({ subject }) => subject?.startsWith("The zip")) ?? open[0];
  const { data: webhooks } = await client.call("GET", "/api/v1/webhooks");
  const webhook = webhooks.find(({ name }) => name === "Old chat bot") ?? webhooks[0];
  const { data: attempts } = await client.call("GET", `/api/v1/webhooks/${webhook.id}/logs`);
  const { data: keys } = await client.call("GET", "/api/v1/api-keys");
  return { conversation, webhook, attempt: attempts[0], apiKey: keys.at(-1) };
}

/** Sends requests as a browser does. */
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

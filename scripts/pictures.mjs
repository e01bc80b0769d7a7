import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, ensureChromium } from "./lib/chromium.mjs";
import { root, runScript, say } from "./lib/root.mjs";
import { gotoSettled } from "./lib/settled.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { createClient } from "./lib/showcase.mjs";

const SIZE_MAX = 150_000;
/** Tried in turn until a picture is small enough. */
const QUALITIES = [88, 80, 70, 60];
const WIDE = { width: 1280, height: 800 };
/** Room for the list, the conversation and its details. */
const THREE_PANES = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 800 };

/**
 * `npm run pictures`: the pictures of the README, taken of `parley demo` on an installation that is thrown away. With
 * words, only those whose name holds one of them. Each is a WebP of at most 150 kB, sharp on dense screens.
 */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  const words = process.argv.slice(2);
  const executablePath = await ensureChromium();
  const directory = join(root, "docs", "pictures");
  mkdirSync(directory, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), "parley-pictures-"));
  // As root the database runs under another user, who needs access.
  chmodSync(dataDir, 0o755);
  const parley = await start(dataDir);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const demo = await openDemo(parley);
    for (const picture of await picturesOf(demo)) {
      if (words.length > 0 && !words.some((word) => picture.name.includes(word))) continue;
      const path = join(directory, `${picture.name}.webp`);
      await take(browser, parley.url, { cookie: demo.client.token(), ...picture, path });
      say(`  ${picture.name}: ${Math.round(statSync(path).size / 1000)} kB`);
    }
  } finally {
    await browser.close();
    await parley.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return 0;
});

/** A module of the built server. */
function fromBuild(...path) {
  return import(join(root, "dist", ...path));
}

async function start(dataDir) {
  const { startApp } = await fromBuild("app.js");
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

async function openDemo({ url, store }) {
  const { createDemo } = await fromBuild("demo", "demo.js");
  const { createPasswords } = await fromBuild("accounts", "passwords.js");
  const { createFileLinks } = await fromBuild("files", "links.js");
  const { readConfig } = await fromBuild("config", "index.js");
  const { keyDepsOf } = await fromBuild("store.js");
  const { db, secretBox } = store;
  const links = createFileLinks(secretBox, () => url);
  const hashPassword = (password) => createPasswords().hash(password);
  const demo = await createDemo({ db, secretBox, keys: keyDepsOf(readConfig({})), links, hashPassword }, "small");
  const client = createClient(url);
  await client.call("POST", "/dashboard-api/sign-in", { email: demo.email, password: demo.password });
  return { client, workspace: `/w/${demo.workspace.id}` };
}

async function picturesOf({ client, workspace }) {
  const { data: open } = await client.call("GET", "/api/v1/conversations?status=open&sort=last_activity&limit=50");
  const zip = open.find(({ subject }) => subject?.startsWith("The zip")) ?? open[0];
  const { data: webhooks } = await client.call("GET", "/api/v1/webhooks");
  const failing = webhooks.find(({ name }) => name === "Old chat bot") ?? webhooks[0];
  const { data: attempts } = await client.call("GET", `/api/v1/webhooks/${failing.id}/logs`);
  const { data: keys } = await client.call("GET", "/api/v1/api-keys");
  const settings = `${workspace}/settings`;
  const thread = `${workspace}/inbox/${zip.id}`;
  return [
    { name: "inbox", address: thread, theme: "light", viewport: THREE_PANES },
    { name: "inbox-dark", address: thread, theme: "dark", viewport: THREE_PANES },
    { name: "overview", address: `${workspace}/overview`, theme: "light", height: 900 },
    { name: "webhook", address: `${settings}/webhooks/${failing.id}`, theme: "light" },
    {
      name: "webhook-attempt",
      address: `${settings}/webhooks/${failing.id}?attempt=${attempts[0].id}`,
      theme: "dark",
    },
    { name: "api-key", address: `${settings}/api-keys/${keys.at(-1).id}?range=7d`, theme: "light" },
    { name: "phone-list", address: `${workspace}/inbox`, theme: "light", viewport: NARROW },
    { name: "phone-thread", address: thread, theme: "dark", viewport: NARROW },
  ];
}

async function take(browser, url, { address, cookie, theme, path, viewport = WIDE, height = viewport.height }) {
  const context = await browser.newContext({
    viewport: { ...viewport, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: inTheAfternoon(),
    deviceScaleFactor: 2,
  });
  try {
    await context.addCookies([{ name: "parley_session", value: cookie, url }]);
    const page = await context.newPage();
    await gotoSettled(page, url + address);
    await page.evaluate("document.fonts.ready");
    if (viewport !== NARROW) await page.getByText("Live", { exact: true }).first().waitFor();
    await page.locator("[class*=skeleton]").first().waitFor({ state: "detached" });
    await page.waitForTimeout(300);
    writeFileSync(path, await capture(await context.newCDPSession(page)));
  } finally {
    await context.close();
  }
}

/** The zone where it is three o'clock now: pictures of a working day, whenever they are taken. */
function inTheAfternoon() {
  const ahead = 15 - new Date().getUTCHours();
  return ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${Math.min(14, ahead)}`;
}

async function capture(session) {
  let picture = Buffer.alloc(0);
  for (const quality of QUALITIES) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    picture = Buffer.from(data, "base64");
    if (picture.length <= SIZE_MAX) break;
  }
  return picture;
}

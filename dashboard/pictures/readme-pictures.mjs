import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say } from "../../scripts/lib/root.mjs";
import { ensureBuild, ensureDependencies } from "../../scripts/lib/setup.mjs";
import { findShown, openDemo, withInstallation, withPage } from "./demo-installation.mjs";

const SIZE_MAX = 150_000;
/** Tried in turn until a picture is small enough. */
const QUALITIES = [88, 80, 70, 60];
const WIDE = { width: 1280, height: 800 };
/** Room for the list, the conversation and its details. */
const THREE_PANES = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 800 };

/**
 * `npm run pictures`: the pictures of the README, taken of `parley demo` on an installation that is deleted afterwards. With
 * arguments, only those whose name contains one of them. Each is a WebP of at most 150 kB, sharp on dense screens.
 */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  const wanted = process.argv.slice(2);
  const directory = join(root, "docs", "pictures");
  mkdirSync(directory, { recursive: true });
  await withInstallation(async ({ parley, browser }) => {
    const demo = await openDemo(parley);
    for (const picture of await picturesOf(demo)) {
      if (wanted.length > 0 && !wanted.some((part) => picture.name.includes(part))) continue;
      const path = join(directory, `${picture.name}.webp`);
      await take(browser, parley.url, { cookie: demo.client.token(), ...picture, path });
      say(`  ${picture.name}: ${Math.round(statSync(path).size / 1000)} kB`);
    }
  });
});

async function picturesOf(demo) {
  const { conversation, webhook, attempt, apiKey } = await findShown(demo);
  const settings = `${demo.workspace}/settings`;
  const thread = `${demo.workspace}/inbox/${conversation.id}`;
  const failing = `${settings}/webhooks/${webhook.id}`;
  return [
    { name: "inbox", address: thread, theme: "light", viewport: THREE_PANES },
    { name: "inbox-dark", address: thread, theme: "dark", viewport: THREE_PANES },
    { name: "overview", address: `${demo.workspace}/overview`, theme: "light", height: 900 },
    { name: "webhook", address: failing, theme: "light" },
    { name: "webhook-attempt", address: `${failing}?attempt=${attempt.id}`, theme: "dark" },
    { name: "api-key", address: `${settings}/api-keys/${apiKey.id}?range=7d`, theme: "light" },
    { name: "phone-list", address: `${demo.workspace}/inbox`, theme: "light", viewport: NARROW },
    { name: "phone-thread", address: thread, theme: "dark", viewport: NARROW },
  ];
}

async function take(browser, url, { address, cookie, theme, path, viewport = WIDE, height = viewport.height }) {
  const size = { viewport: { ...viewport, height }, deviceScaleFactor: 2 };
  const shown = { address: url + address, cookie, theme, timezoneId: inTheAfternoon(), ...size };
  await withPage(browser, shown, async (page) => {
    await page.evaluate("document.fonts.ready");
    if (viewport !== NARROW) await page.getByText("Live", { exact: true }).first().waitFor();
    await page.locator("[class*=skeleton]").first().waitFor({ state: "detached" });
    await page.waitForTimeout(300);
    writeFileSync(path, await capture(await page.context().newCDPSession(page)));
  });
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

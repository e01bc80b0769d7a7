import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, ensureChromium } from "./lib/chromium.mjs";
import { root, runScript, say } from "./lib/root.mjs";
import { gotoSettled } from "./lib/settled.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";
import { firstRunPages, seedShowcase } from "./lib/showcase.mjs";

const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const THEMES = ["light", "dark"];

/**
 * `npm run screenshots`: every page of the dashboard, wide and narrow, light and dark, into docs/screenshots/. With words, only
 * pages whose name holds one of them: `npm run screenshots -- webhook`.
 */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  const words = process.argv.slice(2);
  const executablePath = await ensureChromium();
  const directory = join(root, "docs", "screenshots");
  mkdirSync(directory, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), "parley-screenshots-"));
  // As root the database runs under another user, who needs access.
  chmodSync(dataDir, 0o755);
  const parley = await start(dataDir);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const shootAll = async (pages) => {
      for (const page of pages) {
        if (words.length > 0 && !words.some((word) => page.name.includes(word))) continue;
        for (const [width, viewport] of Object.entries(WIDTHS))
          for (const theme of THEMES) {
            const path = join(directory, `${page.name}-${width}-${theme}.png`);
            await shoot(browser, parley.url, page, { viewport, theme, path });
          }
        say(`  ${page.name}`);
      }
    };
    await shootAll(firstRunPages(parley));
    const showcase = await seedShowcase(parley);
    await shootAll(showcase.pages);
    await showcase.close();
  } finally {
    await browser.close();
    await parley.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return 0;
});

async function start(dataDir) {
  const { startApp } = await import(join(root, "dist", "app.js"));
  const { readConfig } = await import(join(root, "dist", "config", "index.js"));
  const { createLogger } = await import(join(root, "dist", "core", "logger.js"));
  const config = readConfig({
    PORT: "0",
    PARLEY_DATA_DIR: dataDir,
    PARLEY_LOG_LEVEL: "error",
    PARLEY_ALLOWED_CIDRS: "127.0.0.0/8",
    ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
  });
  return startApp({ config, logger: createLogger("error"), report: say });
}

async function shoot(
  browser,
  url,
  { path: address, cookie, workspace, prepare, full = true },
  { viewport, theme, path },
) {
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    deviceScaleFactor: viewport.width < 600 ? 2 : 1,
  });
  try {
    if (cookie) await context.addCookies([{ name: "parley_session", value: cookie, url }]);
    if (workspace) await context.addInitScript(`localStorage.setItem("parley.workspace", "${workspace}")`);
    const page = await context.newPage();
    await gotoSettled(page, url + address);
    await prepare?.(page);
    await page.evaluate("document.fonts.ready");
    // A window as high as the page: what sticks to its edges is then seen once, where it belongs.
    if (full) await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, await heightOf(page)) });
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForTimeout(150);
    await page.screenshot({ path });
  } finally {
    await context.close();
  }
}

function heightOf(page) {
  return page.evaluate("document.documentElement.scrollHeight");
}

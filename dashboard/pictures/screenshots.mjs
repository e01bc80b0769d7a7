import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, say } from "../../scripts/lib/root.mjs";
import { ensureBuild, ensureDependencies } from "../../scripts/lib/setup.mjs";
import { withInstallation, withPage } from "./demo-installation.mjs";
import { dashboardPages, firstRunPages } from "./pages.mjs";

const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };
const THEMES = ["light", "dark"];

/**
 * `npm run screenshots`: every page of the dashboard, wide and narrow, light and dark, into docs/screenshots/. With arguments,
 * only pages whose name contains one of them: `npm run screenshots -- webhook`.
 */
await runScript(async () => {
  await ensureDependencies();
  await ensureBuild();
  const wanted = process.argv.slice(2);
  const directory = join(root, "docs", "screenshots");
  mkdirSync(directory, { recursive: true });
  await withInstallation(async ({ parley, browser }) => {
    const shootAll = async (pages) => {
      for (const page of pages) {
        if (wanted.length > 0 && !wanted.some((part) => page.name.includes(part))) continue;
        for (const [width, viewport] of Object.entries(WIDTHS))
          for (const theme of THEMES) {
            const path = join(directory, `${page.name}-${width}-${theme}.png`);
            await shoot(browser, parley.url, page, { viewport, theme, path });
          }
        say(`  ${page.name}`);
      }
    };
    await shootAll(firstRunPages(parley));
    await shootAll(await dashboardPages(parley));
  });
});

async function shoot(browser, url, { path: address, cookie, prepare, full = true }, { viewport, theme, path }) {
  const deviceScaleFactor = viewport.width < 600 ? 2 : 1;
  const shown = { address: url + address, cookie, theme, viewport, timezoneId: "Europe/Berlin", deviceScaleFactor };
  await withPage(browser, shown, async (page) => {
    await prepare?.(page);
    await page.evaluate("document.fonts.ready");
    // A window as high as the page: what sticks to its edges is then seen once, where it belongs.
    if (full) await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, await heightOf(page)) });
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForTimeout(150);
    await page.screenshot({ path });
  });
}

function heightOf(page) {
  return page.evaluate("document.documentElement.scrollHeight");
}

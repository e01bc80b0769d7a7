import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Browser as HttpClient } from "../support/browser.ts";
import type { TestParley } from "../support/parley.ts";
import { atMost, full } from "../support/proof.ts";

const { CHROMIUM_ARGS, ensureChromium } = (await import(
  new URL("../../scripts/lib/chromium.mjs", import.meta.url).href
)) as { CHROMIUM_ARGS: string[]; ensureChromium: () => Promise<string> };

export const { gotoSettled, settledAfter } = (await import(
  new URL("../../scripts/lib/settled.mjs", import.meta.url).href
)) as {
  /** Opens an address and waits until nothing is loading any more. */
  gotoSettled: (page: Page, address: string) => Promise<void>;
  /** Acts and waits until nothing is loading any more. */
  settledAfter: (page: Page, act: () => Promise<unknown>) => Promise<void>;
};

/** Leaves what lies over the page; `close` is the name of the button in the language of the page. */
export async function closeOverlays(page: Page, close = "Close"): Promise<void> {
  const dialog = page.getByRole("dialog");
  if (await dialog.count()) await dialog.getByRole("button", { name: close, exact: true }).click();
  else if (await page.getByRole("menu").count()) await page.keyboard.press("Escape");
  await expect.poll(() => page.locator(OVERLAY).count()).toBe(0);
}

/** As a link would, without loading the application again. */
export const navigate = (page: Page, address: string): Promise<void> =>
  settledAfter(page, () => page.evaluate(`history.pushState(null, "", ${JSON.stringify(address)})`));

/** The system's Chromium, as `npm test` found or installed it. */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_ARGS });

const execute = promisify(execFile);

const newProfile = (): string => mkdtempSync(join(tmpdir(), "parley-profile-"));

/** A browser whose profile is in this directory, so that it can crash: `crash` ends all of its processes at once. */
export async function openProfile({ url }: TestParley, token: string | null, directory = newProfile()) {
  const executablePath = await ensureChromium();
  const viewport = { width: 1400, height: 860 };
  const options = { executablePath, args: CHROMIUM_ARGS, baseURL: url, viewport, locale: "en-US" };
  const context = await chromium.launchPersistentContext(directory, options);
  context.setDefaultTimeout(atMost(20_000));
  if (token) await context.addCookies([{ name: "parley_session", value: token, url }]);
  return {
    directory,
    context,
    page: context.pages()[0] ?? (await context.newPage()),
    async crash() {
      const closed = new Promise((resolve) => context.once("close", resolve));
      await execute("pkill", ["-KILL", "-f", "--", `--user-data-dir=${directory}`]);
      await closed;
    },
  };
}

export interface Watched {
  page: Page;
  /** Requests that went anywhere but to Parley. */
  outside: string[];
  /** What the console called an error: exceptions, and whatever the content security policy stopped. */
  errors: string[];
  close(): Promise<void>;
}

interface OpenOptions extends BrowserContextOptions {
  /** Whose session it has; nobody's by default. */
  as?: HttpClient;
}

/** A window of its own: no cookie or cache is shared with another one. */
export async function openPage(browser: Browser, parley: TestParley, options: OpenOptions = {}): Promise<Watched> {
  const { as, ...rest } = options;
  const context = await browser.newContext({
    baseURL: parley.url,
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    // Navigations through a worker pass by what tests do to the network.
    serviceWorkers: "block",
    ...rest,
  });
  context.setDefaultTimeout(atMost(20_000));
  if (as?.token) await context.addCookies([{ name: "parley_session", value: as.token, url: parley.url }]);
  const page = await context.newPage();
  const watched: Watched = { page, outside: [], errors: [], close: () => context.close() };
  page.on("request", (request) => {
    if (!request.url().startsWith(`${parley.url}/`) && !request.url().startsWith("data:"))
      watched.outside.push(request.url());
  });
  page.on("pageerror", (error) => watched.errors.push(String(error)));
  page.on("response", async (response) => {
    if (response.status() !== 422) return;
    // The dashboard asks for strict handling: what it sends and the server does not know is the page's fault.
    const text = await response.text().catch(() => "");
    if (/ is not a known (?:field|query parameter)| is read-only| is not a (?:field|query parameter) but /.test(text))
      watched.errors.push(`${response.url()}: ${text}`);
  });
  page.on("console", (message) => {
    // A refused request is the server's response, not the page's fault; Chromium logs both alike.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      watched.errors.push(message.text());
  });
  return watched;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };
const RUN_AXE = `axe.run(scope, ${JSON.stringify(RULES)}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " at " + target.join(" ") + ": " + failureSummary)))`;

/** What lies over the page: while it is there, the rest has been looked at without it. */
const OVERLAY = "[role=dialog], [role=menu]";

/** What axe finds against WCAG 2.2 A and AA, one line per element: in the dialog or menu that is open, else in the page. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const scope = `const scope = document.querySelector(${JSON.stringify(OVERLAY)}) ?? document;`;
  return page.evaluate(`(() => { ${scope} return ${RUN_AXE} })()`) as Promise<string[]>;
}

const LIGHT_AND_WIDE = {
  name: "light and wide",
  colorScheme: "light",
  viewport: { width: 1280, height: 800 },
} as const;
const DARK_AND_WIDE = { name: "dark and wide", colorScheme: "dark", viewport: { width: 1280, height: 800 } } as const;
const DARK_AND_NARROW = {
  name: "dark and narrow",
  colorScheme: "dark",
  viewport: { width: 360, height: 740 },
} as const;
const LIGHT_AND_NARROW = {
  name: "light and narrow",
  colorScheme: "light",
  viewport: { width: 360, height: 740 },
} as const;

const EVERY_WINDOW = [LIGHT_AND_WIDE, DARK_AND_WIDE, DARK_AND_NARROW, LIGHT_AND_NARROW] as const;
let pages = 0;

/** The full form sees every page in each theme and width; the short one in light and wide or dark and narrow, in turns. */
function windows() {
  pages++;
  return full ? EVERY_WINDOW : [pages % 2 === 0 ? DARK_AND_NARROW : LIGHT_AND_WIDE];
}

const SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** What is wrong with a page in any of the windows and themes that people have: faults of accessibility, and overflow. */
export async function faultsInEachWindow(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, colorScheme, viewport } of windows()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(SETTLED);
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
    if (await overflows(page)) faults.push(`${name}: something is wider than the window`);
  }
  return faults;
}

/** Bytes of everything that the page has loaded, as they came over the wire: what was read twice counts twice. */
export const bytesLoaded = (page: Page): Promise<number> => page.evaluate(ALL_LOADED) as Promise<number>;

const ALL_LOADED = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

/** The addresses of the API that the page has read more than once, without any reason to. */
export const readTwice = (page: Page): Promise<string[]> => page.evaluate(READ_TWICE) as Promise<string[]>;

const READ_TWICE = `(() => {
  const paths = performance.getEntriesByType("resource")
    .filter(({ initiatorType, name }) => initiatorType === "fetch" && name.includes("/api/v1/"))
    .map(({ name }) => name.replace(location.origin, ""));
  return paths.filter((path, index) => paths.indexOf(path) !== index);
})()`;

/** How far content moved by itself since the page was opened, as the Layout Instability API counts it. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    new PerformanceObserver((list) =>
      done(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0)),
    ).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(0), 500);
  })`) as Promise<number>;

/** Nothing is wider than the window. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth") as Promise<boolean>;

/** How many copies of unsent text the browser has. */
export const UNSENT_COPIES = `new Promise((resolve) => {
  const opened = indexedDB.open("parley.unsent");
  opened.onsuccess = () => {
    const counted = opened.result.transaction("copies").objectStore("copies").count();
    counted.onsuccess = () => {
      opened.result.close();
      resolve(counted.result);
    };
  };
})`;

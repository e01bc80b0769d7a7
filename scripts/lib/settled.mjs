import { setTimeout } from "node:timers/promises";

const QUIET_MS = 300;
const DEADLINE_MS = 20_000;
/** A page whose clock stands has no idle time. */
const IDLE_MS = 2000;

/** The stream of events has no end, so it does not count as loading. */
const isStream = (request) => request.url().includes("/events/stream");

/** Waits until the page has nothing to do: on a busy machine it may not have run yet what it has loaded. */
async function hasRun(page) {
  const idle = page.evaluate("new Promise((resolve) => requestIdleCallback(() => resolve()))").catch(() => undefined);
  await Promise.race([idle, setTimeout(IDLE_MS)]);
}

/**
 * Opens an address and waits until nothing is loading any more. Playwright's "networkidle" would wait for the stream of events.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} address
 */
export const gotoSettled = (page, address) => settledAfter(page, () => page.goto(address));

/**
 * Acts and waits until nothing is loading any more.
 *
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} act
 */
export async function settledAfter(page, act) {
  const open = new Set();
  let changedAt = performance.now();
  const started = (request) => {
    if (isStream(request)) return;
    open.add(request);
    changedAt = performance.now();
  };
  const ended = (request) => {
    if (open.delete(request)) changedAt = performance.now();
  };
  page.on("request", started).on("requestfinished", ended).on("requestfailed", ended);
  try {
    await act();
    const deadline = performance.now() + DEADLINE_MS;
    const isLoading = () => open.size > 0 || performance.now() - changedAt < QUIET_MS;
    do {
      while (isLoading()) {
        if (performance.now() > deadline)
          throw new Error(`${page.url()} is still loading: ${[...open].map((one) => one.url())}`);
        await setTimeout(25);
      }
      await hasRun(page);
    } while (isLoading());
  } finally {
    page.off("request", started).off("requestfinished", ended).off("requestfailed", ended);
  }
}

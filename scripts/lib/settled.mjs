const QUIET_MS = 300;
const DEADLINE_MS = 20_000;

/** The stream of events has no end, so it does not count as loading. */
const isStream = (request) => request.url().includes("/events/stream");

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
    while (open.size > 0 || performance.now() - changedAt < QUIET_MS) {
      if (performance.now() > deadline)
        throw new Error(`${page.url()} is still loading: ${[...open].map((one) => one.url())}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  } finally {
    page.off("request", started).off("requestfinished", ended).off("requestfailed", ended);
  }
}

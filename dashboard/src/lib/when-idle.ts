const DELAY_MS = 3_000;
/** From here on, what is loaded is no part of the first load. */
const MARK = "parley.idle";

/** Loads what is needed later, long after the page is drawn; whoever needs it earlier or without a connection asks again. */
export function whenIdle(load: () => Promise<unknown>): void {
  setTimeout(() => {
    performance.mark(MARK);
    load().catch(() => {});
  }, DELAY_MS);
}

const DELAY_MS = 3_000;

/** Loads what is needed later, long after the page is drawn; whoever needs it earlier or without a connection asks again. */
export function whenIdle(load: () => Promise<unknown>): void {
  setTimeout(() => {
    load().catch(() => {});
  }, DELAY_MS);
}

const SIGNS_OF_USE = ["pointermove", "pointerdown", "keydown"] as const;

/**
 * Loads code that no page needs for its first display, at the first sign of use: long before a pointer reaches a button, and
 * never as a part of the first load. A part that needs it and does not have it (the connection was lost) asks again.
 */
export function whenUsed(load: () => Promise<unknown>): void {
  const used = new AbortController();
  const start = () => {
    used.abort();
    load().catch(() => {});
  };
  for (const sign of SIGNS_OF_USE) addEventListener(sign, start, { signal: used.signal, capture: true, passive: true });
}

/** How far the clock of this device is behind the server's. */
let offsetMs = 0;
/** The header has whole seconds, and a response takes a moment. */
const PRECISION_MS = 3_000;

/** `date`: the header of a response that has just arrived. */
export function noteServerTime(date: string | null): void {
  const offset = Date.parse(date ?? "") - Date.now();
  if (!Number.isNaN(offset)) offsetMs = Math.abs(offset) < PRECISION_MS ? 0 : offset;
}

/** The time by which the server acts and dates everything: that of a device may be wrong by minutes or years. */
export const serverNow = (): Date => new Date(Date.now() + offsetMs);

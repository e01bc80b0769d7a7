import { setTimeout as sleep } from "node:timers/promises";

/** Over one connection, new mail is read before large and older mail: a response to each waits for the one before it. */
export interface Precedence {
  /** What calls `passed` waits for this work. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when new mail has been read, or after `PREFERRED_MS_MAX`. */
  passed(): Promise<void>;
}

/** So that large and older mail is read also where new mail has no end. */
const PREFERRED_MS_MAX = 2_000;

export function createPrecedence(): Precedence {
  let current: Promise<unknown> | null = null;
  return {
    async first(work) {
      const working = work();
      current = working;
      try {
        return await working;
      } finally {
        current = null;
      }
    },
    async passed() {
      if (!current) return;
      const enough = sleep(PREFERRED_MS_MAX, undefined, { ref: false });
      await Promise.race([current.catch(() => {}), enough]);
    },
  };
}

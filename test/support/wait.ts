import { atMost } from "./proof.ts";

const TRIES_MAX = 4;

/**
 * Does what has to be done before a moment that is `ms` from now. On a busy machine it may be done too late: then
 * it is done again, with four times as much time. What fails before the moment, fails.
 */
export async function beforeMoment<T>(ms: number, work: (moment: Date) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const moment = new Date(Date.now() + ms * 4 ** tries);
    try {
      const result = await work(moment);
      if (Date.now() < moment.getTime()) return result;
    } catch (error) {
      if (Date.now() < moment.getTime()) throw error;
    }
  }
  throw new Error(`this machine did it in time in none of ${TRIES_MAX} tries`);
}

/** Waits for a condition, with a deadline: a test never sleeps for luck. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20 } = {},
): Promise<NonNullable<T>> {
  const allowedMs = atMost(timeoutMs);
  const deadline = performance.now() + allowedMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    if (performance.now() > deadline) throw new Error(`waited ${allowedMs} ms without success until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

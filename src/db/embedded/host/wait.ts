import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 15;

/** A deadline that is handed down, so that nested waits share one budget. */
export class Deadline {
  readonly #endsAt: number;

  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get passed(): boolean {
    return this.leftMs === 0;
  }
}

/** Polls until `condition` holds; false when the time is up. */
export async function until(condition: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const deadline = new Deadline(ms);
  for (;;) {
    if (await condition()) return true;
    if (deadline.passed) return false;
    await sleep(POLL_MS);
  }
}

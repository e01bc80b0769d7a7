import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { type Lane, laneName } from "../queue/lane.ts";

export const GONE = "The destination responded with 410 Gone.";
export const FAILED_TOO_LONG = "Every delivery has failed for five days.";

/** Disables webhooks whose destination has ended, apart from the pump: it retries until that is done. */
export interface Disabler {
  scheduleDisable(lane: Lane, reason: string): void;
  close(): void;
}

export type Disable = (lane: Lane, reason: string) => Promise<void>;

const RETRY_MS = 1_000;

export function createDisabler(logger: Logger, disable: Disable): Disabler {
  const scheduled = new Set<string>();
  let closed = false;

  async function disableUntilDone(lane: Lane, reason: string): Promise<void> {
    while (!closed) {
      try {
        return await disable(lane, reason);
      } catch (error) {
        if (error instanceof Fault && error.code === "NOT_FOUND") return;
        logger.warn({ err: (error as Error).message }, "disabling a webhook failed, retrying");
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    scheduleDisable({ workspaceId, webhookId }, reason) {
      const lane = { workspaceId, webhookId };
      const name = laneName(lane);
      if (scheduled.has(name)) return;
      scheduled.add(name);
      void disableUntilDone(lane, reason).finally(() => scheduled.delete(name));
    },
    close() {
      closed = true;
    },
  };
}

import { Fault } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { type Lane, laneName } from "../queue/lane.ts";

export const GONE = "The destination responded with 410 Gone.";
export const FAILED_TOO_LONG = "Every delivery has failed for five days.";

/** Disables webhooks that got a 410 or have failed for too long, and retries until that is done. The pump does not wait. */
export interface Disabler {
  scheduleDisable(lane: Lane, reason: string): void;
  /** Disables what is still scheduled, as far as it can be. Call it when no more attempts can end. */
  close(): Promise<void>;
}

export type Disable = (lane: Lane, reason: string) => Promise<void>;

const RETRY_MS = 1_000;

export function createDisabler(logger: Logger, disable: Disable): Disabler {
  const scheduled = new Map<string, { lane: Lane; reason: string }>();

  /** A webhook that cannot be disabled now does not keep the others waiting. */
  async function disableScheduled(): Promise<void> {
    let failure: unknown = null;
    for (const [name, { lane, reason }] of scheduled) {
      try {
        await disable(lane, reason);
      } catch (error) {
        const isDeleted = error instanceof Fault && error.code === "NOT_FOUND";
        if (!isDeleted) {
          failure = error;
          continue;
        }
      }
      scheduled.delete(name);
    }
    if (failure !== null) throw failure;
  }

  const loop = startLoop({
    work: disableScheduled,
    pauseMs: RETRY_MS,
    onError: (error) => logger.warn({ err: error.message }, "disabling a webhook failed, retrying"),
  });

  return {
    scheduleDisable({ workspaceId, webhookId }, reason) {
      const lane = { workspaceId, webhookId };
      const name = laneName(lane);
      if (scheduled.has(name)) return;
      scheduled.set(name, { lane, reason });
      loop.now();
    },
    async close() {
      await loop.close();
      await disableScheduled().catch((error: Error) =>
        logger.warn(
          { err: error.message },
          "disabling a webhook failed before the stop, its next attempt decides again",
        ),
      );
    },
  };
}

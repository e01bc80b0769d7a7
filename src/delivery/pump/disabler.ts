import { Fault } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { startLoop } from "../../core/loop.ts";
import { isWorkspaceMoved } from "../../db/errors.ts";
import { laneName } from "../../queue/lane.ts";
import type { FailedLane } from "../../queue/settle.ts";

export const GONE = "The destination responded with 410 Gone.";
export const FAILED_TOO_LONG = "Every delivery has failed for five days.";

/** Disables webhooks that got a 410 or have failed for too long, and retries until that is done. The pump does not wait. */
export interface Disabler {
  scheduleDisable(lane: FailedLane, reason: string): void;
  /** Disables what is still scheduled, as far as it can be. Call it when no more attempts can end. */
  close(): Promise<void>;
}

/** Does nothing if the webhook was enabled or got another url since the version of the lane. */
export type Disable = (lane: FailedLane, reason: string) => Promise<void>;

const RETRY_MS = 1_000;

export function createDisabler(logger: Logger, disable: Disable): Disabler {
  const scheduled = new Map<string, { lane: FailedLane; reason: string }>();

  /** A webhook that cannot be disabled now does not keep the others waiting. */
  async function disableScheduled(): Promise<void> {
    let failure: unknown = null;
    for (const [name, entry] of scheduled) {
      const { lane, reason } = entry;
      try {
        await disable(lane, reason);
      } catch (error) {
        const isDeleted = error instanceof Fault && error.code === "NOT_FOUND";
        const hasMoved = isWorkspaceMoved(error);
        if (!isDeleted && !hasMoved) {
          failure = error;
          continue;
        }
        if (hasMoved)
          logger.info(
            { workspace_id: lane.workspaceId, webhook_id: lane.webhookId },
            "a webhook was not disabled because its workspace has moved, its next attempt in the other cell decides",
          );
      }
      if (scheduled.get(name) === entry) scheduled.delete(name);
    }
    if (failure !== null) throw failure;
  }

  const loop = startLoop({
    work: disableScheduled,
    pauseMs: RETRY_MS,
    onError: (error) => logger.warn({ err: error.message }, "disabling a webhook failed, retrying"),
  });

  return {
    scheduleDisable({ workspaceId, webhookId, webhookVersion }, reason) {
      const lane = { workspaceId, webhookId, webhookVersion };
      const name = laneName(lane);
      const earlier = scheduled.get(name);
      if (earlier && earlier.lane.webhookVersion >= webhookVersion) return;
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

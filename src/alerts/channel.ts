import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import type { Database } from "../db/database.ts";
import { ANY_NOTIFICATION, type Channel, type ClaimedNotification, claimDue } from "./queue.ts";

interface ChannelOptions {
  db: Database;
  logger: Logger;
  channel: Channel;
  /** Before each turn. */
  prepare: () => Promise<void>;
  attempt: (notification: ClaimedNotification) => Promise<void>;
}

const POLL_MS = 2_000;
/** How many messages are in flight at once. A push service that does not respond must not hold up the others. */
const WINDOWS: Record<Channel, { total: number; perRecipient: number }> = {
  email: { total: 5, perRecipient: 5 },
  slack: { total: 5, perRecipient: 5 },
  push: { total: 40, perRecipient: 8 },
};

/** Claims what is due and attempts it, up to the window of the channel. Closing it waits for what is in flight. */
export function startChannel({ db, logger, channel, prepare, attempt }: ChannelOptions): Loop {
  const { total, perRecipient } = WINDOWS[channel];
  const inFlight = new Map<ClaimedNotification, Promise<void>>();
  /** Something may be due that there was no room for. */
  let isWaiting = false;
  let closed = false;

  const loop = startLoop({
    work: async () => {
      if (!(await db.isDue(ANY_NOTIFICATION))) return;
      await prepare();
      for (let hasMore = true; hasMore && !closed; ) {
        const room = Math.min(perRecipient, total - inFlight.size);
        if (room === 0) return;
        const except = perRecipient < total ? recipientsWith(inFlight.keys(), perRecipient) : [];
        const claimed = await claimDue(db, channel, { limit: room, except });
        for (const notification of claimed) inFlight.set(notification, settled(notification));
        hasMore = claimed.length === room;
        isWaiting = hasMore || except.length > 0;
      }
    },
    pauseMs: POLL_MS,
    onError: (error) => logger.warn({ err: error.message, channel }, "sending notifications failed, retrying"),
  });

  async function settled(notification: ClaimedNotification): Promise<void> {
    try {
      await attempt(notification);
    } catch (error) {
      // Its lease ends, and then any node sends it again.
      logger.warn({ err: (error as Error).message, channel }, "a notification could not be settled, retrying");
    }
    inFlight.delete(notification);
    if (isWaiting && !closed) loop.now();
  }

  return {
    now: loop.now,
    async close() {
      closed = true;
      await loop.close();
      await Promise.all(inFlight.values());
    },
  };
}

/** Those to whom as many messages are in flight as may be. */
function recipientsWith(inFlight: Iterable<ClaimedNotification>, count: number): string[] {
  const numbers = new Map<string, number>();
  for (const { recipient } of inFlight) numbers.set(recipient ?? "", (numbers.get(recipient ?? "") ?? 0) + 1);
  return [...numbers].flatMap(([recipient, number]) => (number >= count ? [recipient] : []));
}

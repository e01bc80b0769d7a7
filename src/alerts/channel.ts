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
interface Window {
  total: number;
  perRecipient: number;
  perWorkspace: number;
}

/** How many messages are in flight at once. An address that does not respond must not hold up those of others. */
const WINDOWS: Record<Channel, Window> = {
  // All through the operator's own mail server.
  email: { total: 5, perRecipient: 5, perWorkspace: 5 },
  slack: { total: 5, perRecipient: 5, perWorkspace: 2 },
  push: { total: 40, perRecipient: 8, perWorkspace: 16 },
};

/** Claims what is due and attempts it, up to the window of the channel. Closing it waits for what is in flight. */
export function startChannel({ db, logger, channel, prepare, attempt }: ChannelOptions): Loop {
  const { total, perRecipient, perWorkspace } = WINDOWS[channel];
  const inFlight = new Map<ClaimedNotification, Promise<void>>();
  /** Something may be due that there was no room for. */
  let isWaiting = false;
  let closed = false;

  const loop = startLoop({
    work: async () => {
      if (!(await db.isDue(ANY_NOTIFICATION))) return;
      await prepare();
      for (let hasMore = true; hasMore && !closed; ) {
        const room = Math.min(perRecipient, perWorkspace, total - inFlight.size);
        if (room === 0) return;
        const open = [...inFlight.keys()];
        const recipients = perRecipient < total ? withMany(open, "recipient", perRecipient) : [];
        const workspaces = perWorkspace < total ? withMany(open, "workspace_id", perWorkspace) : [];
        const claimed = await claimDue(db, channel, { limit: room, except: { recipients, workspaces } });
        for (const notification of claimed) inFlight.set(notification, settled(notification));
        hasMore = claimed.length === room;
        isWaiting = hasMore || recipients.length > 0 || workspaces.length > 0;
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

/** The recipients or workspaces of which as many messages are in flight as may be. */
function withMany<K extends "recipient" | "workspace_id">(
  inFlight: readonly ClaimedNotification[],
  key: K,
  count: number,
): NonNullable<ClaimedNotification[K]>[] {
  const numbers = new Map<NonNullable<ClaimedNotification[K]>, number>();
  for (const { [key]: value } of inFlight) if (value !== null) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  return [...numbers].flatMap(([value, number]) => (number >= count ? [value] : []));
}

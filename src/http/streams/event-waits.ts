import type { IncomingMessage } from "node:http";
import type { EventTail } from "../../events/event-tail.ts";

/** Requests that wait for the next event. */
export interface EventWaits {
  /** Reads again whenever an event arrives, until something is found, the time is over or the caller has left. */
  readOrWait<P extends Readable>(waiting: Waiting, read: () => Promise<P>): Promise<P>;
  /** Ends every wait: each request gets what there is. */
  close(): Promise<void>;
}

interface Readable {
  events: readonly unknown[];
  hasMore: boolean;
}

interface Waiting {
  workspaceId: number;
  seconds: number;
  request: IncomingMessage;
}

export function createEventWaits(tail: EventTail): EventWaits {
  const ends = new Set<() => void>();

  return {
    async readOrWait({ workspaceId, seconds, request }, read) {
      if (seconds === 0) return read();
      const wait = createWait();
      const timer = setTimeout(wait.end, seconds * 1_000);
      request.socket.once("close", wait.end);
      ends.add(wait.end);
      let unwatch = () => {};
      try {
        // Watched before the first read: an event that arrives during it is not missed.
        unwatch = await tail.watch(workspaceId, wait.notify);
        for (;;) {
          const page = await read();
          if (page.events.length > 0 || page.hasMore || wait.hasEnded()) return page;
          await wait.next();
        }
      } finally {
        unwatch();
        clearTimeout(timer);
        request.socket.off("close", wait.end);
        ends.delete(wait.end);
      }
    },
    async close() {
      for (const end of ends) end();
    },
  };
}

/** Remembers what arrived while nobody waited for it. */
function createWait() {
  let arrived = false;
  let ended = false;
  let wake = () => {};
  const notify = () => {
    arrived = true;
    wake();
  };
  return {
    notify,
    end: () => {
      ended = true;
      notify();
    },
    hasEnded: () => ended,
    async next(): Promise<void> {
      if (!arrived)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      arrived = false;
    },
  };
}

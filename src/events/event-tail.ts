import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { type Database, sql } from "../db/database.ts";
import { eventsAt, headOf, type SequencedEvent } from "./event-reader.ts";
import type { Sequencer } from "./sequencer.ts";

type TailListener = (event: SequencedEvent) => void;

/** Passes new events on to any number of listeners, with one query for the whole process. */
export interface EventTail {
  /** Resolves once every later event of the workspace will reach the listener. Call the result to unsubscribe. */
  watch(workspaceId: number, listener: TailListener): Promise<() => void>;
  /** Other processes have assigned positions: reads them without waiting for the next poll. */
  readNow(): void;
  close(): Promise<void>;
}

interface EventTailOptions {
  db: Database;
  logger: Logger;
  sequencer: Sequencer;
  /** Positions assigned by this process are read at once, those assigned elsewhere within this time. */
  pollMs?: number;
}

interface Watched {
  listeners: Set<TailListener>;
  /** The listeners have been notified up to this position; -1 until `ready`, while the first one is being looked up. */
  notifiedUpTo: number;
  ready: Promise<void>;
}

const ROWS_MAX = 500;
const ROWS_PER_WORKSPACE_MAX = 200;

// Reads the end of one index range per watched workspace; a busy workspace cannot fill the result alone.
const readNewer = sql(
  "event_tail",
  `select watched.workspace_id, newer.position, newer.event_id
   from unnest($1::bigint[], $2::bigint[]) as watched (workspace_id, notified_up_to)
   cross join lateral (
     select position, event_id
     from event_positions
     where workspace_id = watched.workspace_id
       and position > watched.notified_up_to
     order by position
     limit ${ROWS_PER_WORKSPACE_MAX}) newer
   order by newer.position
   limit ${ROWS_MAX}`,
);

export function createEventTail({ db, logger, sequencer, pollMs = 500 }: EventTailOptions): EventTail {
  const watched = new Map<number, Watched>();
  async function notifyAll(): Promise<void> {
    for (;;) {
      const ready = [...watched].filter(([, { notifiedUpTo }]) => notifiedUpTo >= 0);
      if (ready.length === 0) return;
      const workspaceIds = ready.map(([id]) => id);
      const positions = await db.query<{ workspace_id: number; position: number; event_id: number }>(readNewer, [
        workspaceIds,
        ready.map(([, { notifiedUpTo }]) => notifiedUpTo),
      ]);
      for (const { workspace_id, ...event } of await eventsAt(db, workspaceIds, positions)) {
        const entry = watched.get(workspace_id);
        // All listeners left and others came while the query was in progress: the new entry has its own first position.
        if (!entry || entry.notifiedUpTo < 0 || event.position <= entry.notifiedUpTo) continue;
        entry.notifiedUpTo = event.position;
        for (const listener of entry.listeners) listener(event);
      }
      if (positions.length < ROWS_PER_WORKSPACE_MAX) return;
    }
  }

  const reading = startLoop({
    work: notifyAll,
    pauseMs: pollMs,
    onError: (error) => logger.warn({ err: error.message }, "reading new events failed, retrying"),
  });
  sequencer.onSequenced(reading.now);

  function startWatching(workspaceId: number): Watched {
    const entry: Watched = { listeners: new Set(), notifiedUpTo: -1, ready: Promise.resolve() };
    entry.ready = headOf(db, workspaceId).then((head) => {
      entry.notifiedUpTo = head;
    });
    watched.set(workspaceId, entry);
    return entry;
  }

  return {
    async watch(workspaceId, listener) {
      const entry = watched.get(workspaceId) ?? startWatching(workspaceId);
      entry.listeners.add(listener);
      const stop = () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0 && watched.get(workspaceId) === entry) watched.delete(workspaceId);
      };
      try {
        await entry.ready;
      } catch (error) {
        stop();
        throw error;
      }
      reading.now();
      return stop;
    },
    readNow: reading.now,
    close: reading.close,
  };
}

import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "../db/database.ts";
import { eventsAt, headOf, type PlacedEvent } from "./event-reader.ts";
import type { Sequencer } from "./sequencer.ts";

type TailListener = (event: PlacedEvent) => void;

/**
 * What happens from now on, for any number of listeners: one query for the whole process, however many are open.
 */
export interface EventTail {
  /** Resolves once every later event of the workspace will reach the listener. The result stops it. */
  watch(workspaceId: number, listener: TailListener): Promise<() => void>;
  /** Other processes have given positions: reads them without waiting for the next poll. */
  readNow(): void;
  close(): Promise<void>;
}

interface EventTailOptions {
  db: Database;
  logger: Logger;
  sequencer: Sequencer;
  /** Positions given by this process are looked for at once, those given elsewhere within this time. */
  pollMs?: number;
}

interface Watched {
  listeners: Set<TailListener>;
  /** Up to here the listeners have been notified; -1 until `ready`, while the beginning is being looked up. */
  told: number;
  ready: Promise<void>;
}

const ROWS_MAX = 500;
const ROWS_PER_WORKSPACE_MAX = 200;

// Reads the end of one index range per watched workspace; a busy workspace cannot fill the result alone.
const readOn = sql(
  "event_tail",
  `select w.workspace_id, p.position, p.event_id
   from unnest($1::bigint[], $2::bigint[]) as w (workspace_id, told)
   cross join lateral (
     select position, event_id from event_positions
     where workspace_id = w.workspace_id and position > w.told order by position limit ${ROWS_PER_WORKSPACE_MAX}) p
   order by p.position limit ${ROWS_MAX}`,
);

export function createEventTail({ db, logger, sequencer, pollMs = 500 }: EventTailOptions): EventTail {
  const watched = new Map<number, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let failing = false;

  async function tellAll(): Promise<void> {
    for (;;) {
      const asked = [...watched].filter(([, { told }]) => told >= 0);
      if (asked.length === 0) return;
      const workspaceIds = asked.map(([id]) => id);
      const places = await db.query<{ workspace_id: number; position: number; event_id: number }>(readOn, [
        workspaceIds,
        asked.map(([, { told }]) => told),
      ]);
      for (const { workspace_id, ...event } of await eventsAt(db, workspaceIds, places)) {
        const entry = watched.get(workspace_id);
        // Left and come back while the query was in progress: the new entry has its own beginning.
        if (!entry || entry.told < 0 || event.position <= entry.told) continue;
        entry.told = event.position;
        for (const listener of entry.listeners) listener(event);
      }
      if (places.length < ROWS_PER_WORKSPACE_MAX) return;
    }
  }

  function run(): void {
    if (closed || watched.size === 0) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    again = false;
    running = tellAll()
      .then(() => {
        failing = false;
      })
      .catch((error: unknown) => {
        if (!failing) logger.warn({ err: (error as Error).message }, "cannot read new events; trying again");
        failing = true;
      })
      .finally(() => {
        running = null;
        if (again) run();
        else if (!closed && watched.size > 0) timer = setTimeout(run, pollMs).unref();
      });
  }

  sequencer.onPlaced(run);

  function enter(workspaceId: number): Watched {
    const entry: Watched = { listeners: new Set(), told: -1, ready: Promise.resolve() };
    entry.ready = headOf(db, workspaceId).then((head) => {
      entry.told = head;
    });
    watched.set(workspaceId, entry);
    return entry;
  }

  return {
    async watch(workspaceId, listener) {
      const entry = watched.get(workspaceId) ?? enter(workspaceId);
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
      run();
      return stop;
    },
    readNow: run,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

import { newUuid } from "../core/ids.ts";
import { createLru } from "../core/lru.ts";
import { currentTrace } from "../core/tracing.ts";
import { type Queryable, sql } from "../db/database.ts";

/**
 * Which trace an event belongs to, so that its deliveries, which another process may send much later, continue it. Kept
 * in a table of its own and only where tracing is on: it costs nothing where it is off.
 */
const PENDING_MAX = 20_000;
/** Longer than a transaction takes, tried again or not. */
const PENDING_MS = 60_000;
const KEPT_DAYS = 7;

/** Traces of events that are about to be stored, by the event's uuid. */
const pending = createLru<string, string>(PENDING_MAX, { ttl: PENDING_MS });

/** For an event that the current request causes. */
export function newEventUuid(): string {
  const uuid = newUuid();
  const trace = currentTrace();
  if (trace !== null) pending.set(uuid, trace);
  return uuid;
}

/** The traces of the events that a statement stores, by their uuids; null where there is none. */
export function tracesOf(eventUuids: readonly string[]): { tracedUuids: string[]; traces: string[] } | null {
  if (pending.size === 0) return null;
  const tracedUuids = eventUuids.filter((uuid) => pending.has(uuid));
  if (tracedUuids.length === 0) return null;
  return { tracedUuids, traces: tracedUuids.map((uuid) => pending.get(uuid) ?? "") };
}

/** A CTE of the statement that stores the events: they are there together or not at all. */
export const STORE_TRACES = `traced as (
       insert into event_traces (event_uuid, traceparent)
       select *
       from unnest(:tracedUuids::uuid[], :traces::text[])
       on conflict do nothing)`;

const readStatement = sql(
  "event_traces_read",
  `select event_uuid as uuid, traceparent
   from event_traces
   where event_uuid = any($1::uuid[])`,
);

export async function readTraces(db: Queryable, uuids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ uuid: string; traceparent: string }>(readStatement, [uuids]);
  return new Map(rows.map(({ uuid, traceparent }) => [uuid, traceparent]));
}

const expireStatement = sql(
  "event_traces_expire",
  `delete from event_traces
   where created_at < now() - make_interval(days => ${KEPT_DAYS})`,
);

export const expireEventTraces = (db: Queryable): Promise<unknown> => db.query(expireStatement);

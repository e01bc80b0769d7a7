import { type Queryable, type Statement, sql } from "../db/database.ts";
import type { EventType } from "./catalogue.ts";
import { eventsAt, headOf, type Position, rangeOf, type SequencedEvent, typedRangeSql } from "./event-reader.ts";
import { matchesSql } from "./payload-filter.ts";

/** How many events one call looks at. Fewer, if looking at them takes long. */
const EXAMINED_MAX = 10_000;
const EXAMINING_MS_MAX = 1_000;
/** Per statement: few at first, because 500 of the largest events and the most expensive filter take a minute. */
const AT_ONCE_MIN = 20;
const AT_ONCE_MAX = 500;
const STATEMENT_MS_AIM = 100;

interface MatchingQuery {
  order: "asc" | "desc";
  /** The position to continue from; null: from the end that the order begins with. */
  after: number | null;
  types: readonly EventType[];
  /** See payload-filter.ts; null: every event matches. */
  filterPath: string | null;
  /** How many of those that match are returned. */
  limit: number;
  /** Stops at `limit` matches, instead of counting all among those that may be examined. */
  stopsAtLimit: boolean;
  createdAfter?: Date | undefined;
  /** When to stop, as `performance.now()` tells it; a second from now by default. In the past: nothing is looked at. */
  endsAt?: number | undefined;
}

interface MatchingEvents {
  events: SequencedEvent[];
  matched: number;
  examined: number;
  /** Where to continue: behind everything that was looked at. */
  next: number;
  hasMore: boolean;
}

// The event is tested by a lookup of its own row.
const examineStatement = (order: "asc" | "desc"): Statement =>
  sql(
    `event_examine_${order}`,
    `with examined as materialized (
     ${typedRangeSql(order)}
     )

     select
       examined.position,
       examined.event_id,
       coalesce(
         (
           select ${matchesSql("event.payload", "$6::jsonpath")}
           from events event
           where event.workspace_id = $1
             and event.id = examined.event_id
             and $6::jsonpath is not null
         ),
         $6::jsonpath is null
       ) as matches
     from examined
     order by examined.position ${order}`,
  );
const EXAMINE = { asc: examineStatement("asc"), desc: examineStatement("desc") };

/** The events that match, and how far the reader has come: a rare filter moves on although nothing matched. */
export async function readMatchingEvents(
  db: Queryable,
  workspaceId: number,
  query: MatchingQuery,
): Promise<MatchingEvents> {
  const { order, after, limit, types, filterPath } = query;
  const head = await headOf(db, workspaceId);
  const range = await rangeOf(db, workspaceId, { ...query, after });
  const found: Position[] = [];
  let matched = 0;
  let examined = 0;
  let last = after;
  let hasMore = range !== null && (order === "desc" || head > (after ?? 0));
  let startedAt = performance.now();
  let atOnce = filterPath === null && query.stopsAtLimit ? limit + 1 : AT_ONCE_MIN;
  const { endsAt = startedAt + EXAMINING_MS_MAX } = query;
  while (range && hasMore && examined < EXAMINED_MAX && startedAt < endsAt) {
    const above = order === "asc" ? Math.max(range.above, last ?? 0) : range.above;
    const below = order === "desc" ? Math.min(range.below, last ?? range.below) : Math.min(range.below, head + 1);
    const values = [workspaceId, above, below, atOnce, types, filterPath];
    const rows = await db.query<Position & { matches: boolean }>(EXAMINE[order], values);
    hasMore = rows.length === atOnce;
    for (const row of rows) {
      if (row.matches && found.length === limit && query.stopsAtLimit)
        return { events: await eventsAt(db, [workspaceId], found), matched, examined, next: last ?? 0, hasMore: true };
      examined += 1;
      last = row.position;
      if (row.matches) matched += 1;
      if (row.matches && found.length < limit) found.push(row);
    }
    const endedAt = performance.now();
    atOnce = nextBatch(atOnce, endedAt - startedAt);
    startedAt = endedAt;
  }
  const next = hasMore || order === "desc" ? (last ?? 0) : Math.max(head, last ?? 0);
  return { events: await eventsAt(db, [workspaceId], found), matched, examined, next, hasMore };
}

function nextBatch(size: number, tookMs: number): number {
  if (tookMs > STATEMENT_MS_AIM) return Math.max(AT_ONCE_MIN, size >> 1);
  return Math.min(AT_ONCE_MAX, size * 2);
}

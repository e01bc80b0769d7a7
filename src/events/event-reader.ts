import { type Queryable, sql } from "../db/database.ts";
import type { EventType } from "./catalogue.ts";

export interface PlacedEvent {
  position: number;
  type: EventType;
  /** The body as every webhook gets it. */
  payload: string;
}

export interface EventQuery {
  /** The place after which to read; 0: from the oldest that is kept. */
  after: number;
  limit: number;
  types: readonly EventType[] | null;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

export interface EventPage {
  events: PlacedEvent[];
  /** Where to read on, also when there was nothing. */
  next: number;
  hasMore: boolean;
}

/** How many events one read looks at in search of those that a filter lets through. */
const SPAN_MAX = 5_000;

// One statement, hence one snapshot: what was looked at and what was found belong together.
const readStatement = sql(
  "event_read",
  `with span as materialized (
     select position, event_id from event_positions where workspace_id = $1 and position > $2 order by position limit $3),
   found as (
     select s.position, e.type, e.payload from span s join events e on e.workspace_id = $1 and e.id = s.event_id
     where ($4::text[] is null or e.type = any($4))
       and ($5::timestamptz is null or e.created_at >= $5) and ($6::timestamptz is null or e.created_at < $6)
     order by s.position limit $7)
   select looked.seen, looked.seen_to, found.position, found.type, found.payload
   from (select count(*) as seen, max(position) as seen_to from span) looked left join found on true
   order by found.position`,
);
const headStatement = sql(
  "event_head",
  "select coalesce(max(position), 0) as head from event_positions where workspace_id = $1",
);

interface ReadRow {
  seen: number;
  seen_to: number | null;
  position: number | null;
  type: EventType;
  payload: string;
}

/** Oldest first. A page may hold fewer events than there are, even none: `hasMore` tells, `next` leads on. */
export async function readEvents(db: Queryable, workspaceId: number, query: EventQuery): Promise<EventPage> {
  const { after, limit, types, createdAfter, createdBefore } = query;
  const span = types || createdAfter || createdBefore ? SPAN_MAX : limit + 1;
  const rows = await db.query<ReadRow>(readStatement, [
    workspaceId,
    after,
    span,
    types,
    createdAfter ?? null,
    createdBefore ?? null,
    limit + 1,
  ]);
  const found = rows.flatMap(({ position, type, payload }) => (position === null ? [] : [{ position, type, payload }]));
  const events = found.slice(0, limit);
  if (found.length > limit) return { events, next: events.at(-1)?.position ?? after, hasMore: true };
  const [looked] = rows;
  return { events, next: looked?.seen_to ?? after, hasMore: looked?.seen === span };
}

/** The place of the newest event. */
export async function headOf(db: Queryable, workspaceId: number): Promise<number> {
  const [row] = await db.query<{ head: number }>(headStatement, [workspaceId]);
  return row?.head ?? 0;
}

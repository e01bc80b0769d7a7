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

// Three plain statements instead of a join: these tables grow fast, and a join planned while one of them was small goes
// on comparing each row with each other (10 s for a stretch of 5,000 on a fresh database). An event never changes, and
// whoever sees its position sees the event, so the statements need no common snapshot.
const readSpan = sql(
  "event_span",
  `select position, event_id from event_positions where workspace_id = $1 and position > $2 order by position limit $3`,
);
const filterSpan = sql(
  "event_span_filter",
  `select id from events where workspace_id = $1 and id = any($2::bigint[])
     and ($3::text[] is null or type = any($3))
     and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)`,
);
const readPayloads = sql(
  "event_payloads",
  "select id, type, payload from events where workspace_id = any($1::bigint[]) and id = any($2::bigint[])",
);
const headStatement = sql(
  "event_head",
  "select coalesce(max(position), 0) as head from event_positions where workspace_id = $1",
);

interface Place {
  position: number;
  event_id: number;
}

/** Oldest first. A page may hold fewer events than there are, even none: `hasMore` tells, `next` leads on. */
export async function readEvents(db: Queryable, workspaceId: number, query: EventQuery): Promise<EventPage> {
  const { after, limit, types, createdAfter, createdBefore } = query;
  const isFiltered = types !== null || createdAfter !== undefined || createdBefore !== undefined;
  const spanMax = isFiltered ? SPAN_MAX : limit + 1;
  const span = await db.query<Place>(readSpan, [workspaceId, after, spanMax]);
  const matching = isFiltered && span.length > 0 ? await placesThatMatch(db, workspaceId, span, query) : span;
  const places = matching.slice(0, limit);
  const events = await eventsAt(db, [workspaceId], places);
  return matching.length > limit
    ? { events, next: places.at(-1)?.position ?? after, hasMore: true }
    : { events, next: span.at(-1)?.position ?? after, hasMore: span.length === spanMax };
}

async function placesThatMatch(
  db: Queryable,
  workspaceId: number,
  span: readonly Place[],
  { types, createdAfter, createdBefore }: EventQuery,
): Promise<Place[]> {
  const rows = await db.query<{ id: number }>(filterSpan, [
    workspaceId,
    span.map(({ event_id }) => event_id),
    types,
    createdAfter ?? null,
    createdBefore ?? null,
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  return span.filter(({ event_id }) => ids.has(event_id));
}

/** The events at these places, in their order; those that retention has removed are left out. */
export async function eventsAt<P extends Place>(
  db: Queryable,
  workspaceIds: readonly number[],
  places: readonly P[],
): Promise<(PlacedEvent & P)[]> {
  if (places.length === 0) return [];
  const rows = await db.query<{ id: number; type: EventType; payload: string }>(readPayloads, [
    workspaceIds,
    places.map(({ event_id }) => event_id),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap((place) => {
    const found = byId.get(place.event_id);
    return found ? [{ ...place, type: found.type, payload: found.payload }] : [];
  });
}

/** The place of the newest event. */
export async function headOf(db: Queryable, workspaceId: number): Promise<number> {
  const [row] = await db.query<{ head: number }>(headStatement, [workspaceId]);
  return row?.head ?? 0;
}

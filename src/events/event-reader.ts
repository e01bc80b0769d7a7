import { type Queryable, queryOne, type Statement, sql } from "../db/database.ts";
import type { EventType } from "./catalogue.ts";

export interface SequencedEvent {
  position: number;
  type: EventType;
  /** The body as every webhook gets it. */
  payload: string;
}

export interface EventQuery {
  /** The position to continue from; null: from the end that the order begins with. */
  after: number | null;
  limit: number;
  order?: "asc" | "desc";
  types: readonly EventType[] | null;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The page ends with the event that reaches this. Without it, it has as many events as it may. */
  bytesMax?: number | undefined;
}

export interface EventPage {
  events: SequencedEvent[];
  /** Where to continue, also when there was nothing. */
  next: number;
  hasMore: boolean;
}

export interface Position {
  position: number;
  event_id: number;
}

const FROM_POSITIONS = `select position, event_id
     from event_positions
     where workspace_id = $1
       and position > $2
       and position < $3`;

const rangeStatement = (order: "asc" | "desc"): Statement =>
  sql(`event_range_${order}`, `${FROM_POSITIONS} order by position ${order} limit $4`);

/**
 * Positions of the types $5. Each type is a range of its own in the index: read for itself, it costs what it returns, however
 * rare it is.
 */
export const typedRangeSql = (order: "asc" | "desc"): string =>
  `select found.position, found.event_id
     from unnest($5::text[]) as named (type)
     cross join lateral (
       ${FROM_POSITIONS}
         and event_positions.type = named.type
       order by position ${order}
       limit $4) found
     order by found.position ${order}
     limit $4`;

const typedStatement = (order: "asc" | "desc"): Statement => sql(`event_range_types_${order}`, typedRangeSql(order));

const RANGES = { asc: rangeStatement("asc"), desc: rangeStatement("desc") };
const TYPED_RANGES = { asc: typedStatement("asc"), desc: typedStatement("desc") };

// Positions are assigned in the order of commits, times in the order of transaction starts: the two differ by no more than
// the transactions that were open at once, so the first few hundred events from a time on hold its first position.
const positionAtStatement = sql(
  "event_position_at",
  `select min(position) as position
   from event_positions
   where workspace_id = $1
     and event_id = any(array(
       select id
       from events
       where workspace_id = $1
         and created_at >= $2
       order by created_at
       limit 500))`,
);
/** Longer than any transaction lasts: an event of before a time has its position this much later at the latest. */
const TRANSACTION_MS_MAX = 300_000;

const filterByTime = sql(
  "event_filter_time",
  `select id
   from events
   where workspace_id = $1
     and id = any($2::bigint[])
     and created_at >= coalesce($3, '-infinity'::timestamptz)
     and created_at < coalesce($4, 'infinity'::timestamptz)`,
);
const readPayloads = sql(
  "event_payloads",
  "select id, type, payload from events where workspace_id = any($1::bigint[]) and id = any($2::bigint[])",
);
// Sizes are known without reading the texts.
const countUpTo = sql(
  "event_payloads_up_to",
  `select count(*)::int as count
   from (
     select coalesce(sum(octet_length(event.payload)) over earlier, 0) as before
     from unnest($2::bigint[]) with ordinality as wanted (id, number)
     left join events event
       on event.workspace_id = $1
       and event.id = wanted.id
     window earlier as (order by wanted.number rows between unbounded preceding and 1 preceding)) sized
   where sized.before < $3`,
);
const headStatement = sql(
  "event_head",
  "select coalesce(max(position), 0) as head from event_positions where workspace_id = $1",
);

/** A page may hold fewer events than there are, even none: `hasMore` says so, `next` leads on. */
export async function readEvents(db: Queryable, workspaceId: number, query: EventQuery): Promise<EventPage> {
  const { after, limit, order = "asc", types, createdAfter, createdBefore } = query;
  const isTimed = createdAfter !== undefined || createdBefore !== undefined;
  // A filtered reader that has reached the end continues behind everything that was there, not behind its last match.
  const end = order === "asc" && (isTimed || types !== null) ? await headOf(db, workspaceId) : null;
  const stay = Math.max(after ?? 0, end ?? 0);
  const range = await rangeOf(db, workspaceId, query);
  if (!range) return { events: [], next: stay, hasMore: false };
  const values = [workspaceId, range.above, end === null ? range.below : Math.min(range.below, end + 1), limit + 1];
  const found = await (types === null
    ? db.query<Position>(RANGES[order], values)
    : db.query<Position>(TYPED_RANGES[order], [...values, types]));
  const positions = await upTo(db, workspaceId, found.slice(0, limit), query.bytesMax);
  const matching = await inTime(db, workspaceId, positions, query);
  const hasMore = found.length > positions.length;
  const last = positions.at(-1)?.position;
  const next = end !== null && !hasMore ? stay : (last ?? stay);
  return { events: await eventsAt(db, [workspaceId], matching), next, hasMore };
}

/** Those of the first `bytesMax` bytes, with the one that reaches it. */
async function upTo<P extends Position>(
  db: Queryable,
  workspaceId: number,
  positions: P[],
  bytesMax: number | undefined,
): Promise<P[]> {
  if (bytesMax === undefined || positions.length <= 1) return positions;
  const ids = positions.map(({ event_id }) => event_id);
  const { count } = await queryOne<{ count: number }>(db, countUpTo, [workspaceId, ids, bytesMax]);
  return positions.slice(0, Math.max(1, count));
}

/** The open interval of positions to read; null: nothing can be in it. */
export async function rangeOf(
  db: Queryable,
  workspaceId: number,
  { after, order, createdAfter, createdBefore }: EventQuery,
): Promise<{ above: number; below: number } | null> {
  const positionAt = async (time: Date) =>
    (await queryOne<{ position: number | null }>(db, positionAtStatement, [workspaceId, time])).position;
  const first = createdAfter && (await positionAt(createdAfter));
  if (first === null) return null;
  const end = createdBefore && (await positionAt(new Date(createdBefore.getTime() + TRANSACTION_MS_MAX)));
  const bounds = { above: (first ?? 1) - 1, below: end ?? Number.MAX_SAFE_INTEGER };
  if (after === null) return bounds;
  return order === "desc"
    ? { above: bounds.above, below: Math.min(bounds.below, after) }
    : { above: Math.max(bounds.above, after), below: bounds.below };
}

export async function inTime<P extends Position>(
  db: Queryable,
  workspaceId: number,
  positions: readonly P[],
  { createdAfter, createdBefore }: Pick<EventQuery, "createdAfter" | "createdBefore">,
): Promise<P[]> {
  if (createdAfter === undefined && createdBefore === undefined) return [...positions];
  const eventIds = positions.map(({ event_id }) => event_id);
  const values = [workspaceId, eventIds, createdAfter ?? null, createdBefore ?? null];
  const rows = await db.query<{ id: number }>(filterByTime, values);
  const ids = new Set(rows.map(({ id }) => id));
  return positions.filter(({ event_id }) => ids.has(event_id));
}

/** The events at these positions, in their order; those that retention has removed are left out. */
export async function eventsAt<P extends Position>(
  db: Queryable,
  workspaceIds: readonly number[],
  positions: readonly P[],
): Promise<(SequencedEvent & P)[]> {
  if (positions.length === 0) return [];
  const rows = await db.query<{ id: number; type: EventType; payload: string }>(readPayloads, [
    workspaceIds,
    positions.map(({ event_id }) => event_id),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return positions.flatMap((position) => {
    const found = byId.get(position.event_id);
    return found ? [{ ...position, type: found.type, payload: found.payload }] : [];
  });
}

/** The position of the newest event. */
export async function headOf(db: Queryable, workspaceId: number): Promise<number> {
  return (await queryOne<{ head: number }>(db, headStatement, [workspaceId])).head;
}

interface FoundEvent {
  id: number;
  type: EventType;
  payload: string;
  created_at: string;
}

const findStatement = sql(
  "event_find",
  `select id, type, payload, created_at
   from events
   where workspace_id = $1
     and uuid = $2`,
);

export async function findEvent(db: Queryable, workspaceId: number, uuid: string): Promise<FoundEvent | null> {
  const [event] = await db.query<FoundEvent>(findStatement, [workspaceId, uuid]);
  return event ?? null;
}

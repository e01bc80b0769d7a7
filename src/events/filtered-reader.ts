import { type Queryable, type Statement, sql } from "../db/database.ts";
import type { ACTOR_TYPES } from "../resources/conversations.ts";
import { type EventPage, type EventQuery, eventsAt, headOf, inTime, type Position, rangeOf } from "./event-reader.ts";

export const EVENT_DELIVERY_FILTERS = ["pending", "failed"] as const;

export interface EventFilter {
  conversationId?: number | undefined;
  actorType?: (typeof ACTOR_TYPES)[number] | undefined;
  actorId?: number | undefined;
  /** `pending`: a delivery is not finished. `failed`: one ended without a success. */
  deliveryState?: (typeof EVENT_DELIVERY_FILTERS)[number] | undefined;
}

/** No index knows who caused an event: this many are looked at per request, and the cursor leads on from there. */
const ACTOR_WINDOW = 1_000;

const DELIVERY_STATES = {
  pending: `exists (
         select
         from deliveries delivery
         where delivery.workspace_id = $1
           and delivery.event_id = event_positions.event_id)`,
  failed: `exists (
         select
         from dead_letters letter
         where letter.workspace_id = $1
           and letter.event_id = event_positions.event_id)`,
};

interface Shape {
  order: "asc" | "desc";
  inConversation: boolean;
  state: EventFilter["deliveryState"];
}

function statementOf({ order, inConversation, state }: Shape): Statement {
  const conditions = [
    ...(inConversation ? ["and conversation_id = $6"] : []),
    ...(state ? [`and ${DELIVERY_STATES[state]}`] : []),
  ];
  return sql(
    `event_filter_${order}${inConversation ? "_conversation" : ""}${state ? `_${state}` : ""}`,
    `select position, event_id
     from event_positions
     where workspace_id = $1
       and position > $2
       and position < $3
       and ($5::text[] is null or type = any($5::text[]))
       ${conditions.join("\n       ")}
     order by position ${order}
     limit $4`,
  );
}

/** Like `readEvents`, for filters that few ask for. A page may hold fewer events than there are, even none. */
export async function readFilteredEvents(
  db: Queryable,
  workspaceId: number,
  { filter, ...query }: EventQuery & { filter: EventFilter },
): Promise<EventPage> {
  const { after, limit, order = "asc", types } = query;
  const { conversationId, deliveryState } = filter;
  const byActor = filter.actorType !== undefined || filter.actorId !== undefined;
  const end = order === "asc" ? await headOf(db, workspaceId) : null;
  const stay = Math.max(after ?? 0, end ?? 0);
  const range = await rangeOf(db, workspaceId, query);
  if (!range) return { events: [], next: stay, hasMore: false };
  const windowSize = byActor ? ACTOR_WINDOW : limit;
  const below = end === null ? range.below : Math.min(range.below, end + 1);
  const statement = statementOf({ order, inConversation: conversationId !== undefined, state: deliveryState });
  const found = await db.query<Position>(statement, [
    workspaceId,
    range.above,
    below,
    windowSize + 1,
    types,
    ...(conversationId === undefined ? [] : [conversationId]),
  ]);
  const looked = found.slice(0, windowSize);
  const events = await eventsAt(db, [workspaceId], await inTime(db, workspaceId, looked, query));
  const matching = byActor ? events.filter(({ payload }) => isBy(payload, filter)) : events;
  const page = matching.slice(0, limit);
  const hasMore = found.length > windowSize || matching.length > limit;
  const last = matching.length > limit ? page.at(-1)?.position : looked.at(-1)?.position;
  return { events: page, next: hasMore || end === null ? (last ?? stay) : stay, hasMore };
}

function isBy(payload: string, { actorType, actorId }: EventFilter): boolean {
  const { actor } = JSON.parse(payload) as { actor: { type: string; id: number | null } };
  return (actorType === undefined || actor.type === actorType) && (actorId === undefined || actor.id === actorId);
}

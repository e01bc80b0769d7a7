import { Type } from "typebox";
import type { Principal } from "../../../auth/principal.ts";
import { forbidden, notFound, problems } from "../../../core/errors.ts";
import { EVENT_DELIVERY_STATES, type EventDelivery, readEventDeliveries } from "../../../delivery/index.ts";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "../../../events/catalogue.ts";
import { decodeCursor, encodeCursor } from "../../../events/event-cursor.ts";
import { findEvent, readEvents } from "../../../events/event-reader.ts";
import { EventRecord } from "../../../events/event-record.ts";
import { EVENT_DELIVERY_FILTERS, type EventFilter, readFilteredEvents } from "../../../events/filtered-reader.ts";
import {
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  nullableString,
  oneOf,
  optionalString,
  Timestamp,
} from "../../../resources/common.ts";
import { ACTOR_TYPES } from "../../../resources/conversations.ts";
import { type EventTypeFilter, EventTypeQuery, eventTypeProblems, visibleTypes } from "../../pipeline/event-types.ts";
import { PER_PAGE_DEFAULT, PER_PAGE_MAX } from "../../pipeline/paging.ts";
import { CreatedBetween } from "../../pipeline/query.ts";
import { route } from "./services.ts";

/** They are parsed and written in one turn of the event loop. */
const PAGE_BYTES_MAX = 2_097_152;
const EventTypeRecord = Type.Object(
  {
    name: oneOf(EVENT_TYPES),
    description: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the event's `data`." }),
    example: EventRecord,
  },
  { title: "EventType" },
);

const EventAttempt = Type.Object(
  {
    id: Type.Integer({ description: "The `id` of the delivery log." }),
    attempt: Type.Integer({ minimum: 1 }),
    status: oneOf(["success", "failed"]),
    response_code: Type.Integer({ description: "0 when there was no HTTP response." }),
    response_time_ms: Type.Integer(),
    error_message: NullableString,
    created_at: Timestamp,
  },
  { title: "EventAttempt" },
);

const EventWithDeliveries = Type.Object(
  {
    ...EventRecord.properties,
    deliveries: Type.Array(
      Type.Object(
        {
          webhook_id: Id,
          webhook_name: nullableString("Null for a deleted webhook."),
          status: oneOf(EVENT_DELIVERY_STATES, {
            description:
              "`pending`: an attempt or a retry will follow. `failed`: the last attempt failed. `canceled`: the webhook was disabled or deleted before the next attempt; `recover` sends it.",
          }),
          attempts: Type.Integer(),
          last_attempt_at: NullableTimestamp,
          last_response_code: NullableInteger,
          last_error: NullableString,
          next_attempt_at: NullableTimestamp,
          log: Type.Array(EventAttempt, { description: "Its attempts, newest first, at most 50." }),
        },
        { title: "EventDelivery" },
      ),
    ),
  },
  { title: "EventWithDeliveries" },
);

const FILTERS = {
  ...EventTypeQuery,
  cursor: optionalString(128, "Continue after this position: a `next_cursor`, or the `id` of a streamed event."),
};

const RARE_FILTERS = {
  conversation_id: Type.Optional(
    Type.Integer({ minimum: 1, description: "Events about this conversation, its messages and its drafts." }),
  ),
  actor_type: Type.Optional(oneOf(ACTOR_TYPES, { description: "Who caused it." })),
  actor_id: Type.Optional(Type.Integer({ minimum: 1, description: "Goes with `actor_type`." })),
  delivery_state: Type.Optional(
    oneOf(EVENT_DELIVERY_FILTERS, {
      description:
        "`pending`: a delivery is not finished. `failed`: one ended without a success. Needs `webhooks:manage`.",
    }),
  ),
};

const pageSize = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: PER_PAGE_MAX, description }));

export const eventRoutes = [
  route({
    method: "GET",
    path: "/events",
    summary: "Read events by cursor",
    description:
      "Oldest first, or newest first with `order=desc`, in an order that never changes: an event whose change was committed late comes late, and is never skipped. Continue with `next_cursor`. `api_key.*` events also require `api-keys:manage`.",
    access: "events:read",
    query: Type.Object({
      ...FILTERS,
      order: Type.Optional(oneOf(["asc", "desc"], { description: "`asc`, the default: oldest first." })),
      limit: pageSize(`Events per page; ${PER_PAGE_DEFAULT} by default.`),
      per_page: pageSize("The same as `limit`, which takes precedence."),
      ...CreatedBetween,
      ...RARE_FILTERS,
    }),
    success: { status: 200, data: Type.Array(EventRecord), cursor: true },
    check: ({ principal, query, request }) =>
      problems({
        ...filterProblems(principal, query),
        page: pageProblems(request.originalQuery?.page, query),
        actor_id:
          query.actor_id !== undefined && query.actor_type === undefined ? ["actor_id goes with actor_type."] : [],
      }),
    handler: async ({ principal, query }, { db, sequencer }) => {
      const { workspaceId } = principal;
      await sequencer.catchUp();
      if (query.delivery_state !== undefined && !principal.scopes.has("webhooks:manage"))
        throw forbidden("Filtering by delivery needs the scope webhooks:manage.");
      const asked = {
        after: query.cursor === undefined ? null : decodeCursor(workspaceId, query.cursor),
        order: query.order ?? "asc",
        limit: query.limit ?? query.per_page ?? PER_PAGE_DEFAULT,
        types: visibleTypes(principal, query),
        createdAfter: query.created_after,
        createdBefore: query.created_before,
        bytesMax: PAGE_BYTES_MAX,
      };
      const filter = filterOf(query);
      const { events, next, hasMore } = filter
        ? await readFilteredEvents(db, workspaceId, { ...asked, filter })
        : await readEvents(db, workspaceId, asked);
      return {
        data: events.map(({ payload }) => JSON.parse(payload)),
        cursor: { next_cursor: encodeCursor(workspaceId, next), has_more: hasMore },
      };
    },
  }),
  route({
    method: "GET",
    path: "/events/stream",
    operationId: "streamEvents",
    summary: "Stream events as they happen",
    description:
      "Server-sent events in the order of `GET /events`: `id` is a cursor, `event` the type, `data` the body. Begins now, or after the `Last-Event-ID` header or `cursor`, without gap or repeat. A comment every 15 seconds keeps the connection alive. Before the server ends a stream it says why in an event `error` with `code` and `message`: `SLOW_READER`, `UNAUTHORIZED`, `FORBIDDEN` or `SERVICE_UNAVAILABLE`. When the server stops, the stream ends with a comment instead.",
    access: "events:read",
    query: Type.Object(FILTERS),
    success: { status: 200, data: Type.String({ description: "text/event-stream" }), streamed: true },
    check: ({ principal, query, request }) => {
      const lastId = lastEventId(request.headers);
      return problems({
        ...filterProblems(principal, query),
        "Last-Event-ID": cursorProblems("Last-Event-ID", principal, lastId),
      });
    },
    handler: (context, { streams }) => {
      const { principal, query, request } = context;
      // A reader that reconnects by itself repeats its first address, `cursor` and all: the header is newer.
      const cursor = lastEventId(request.headers) ?? query.cursor;
      return streams.open(context, {
        after: cursor === undefined ? null : decodeCursor(principal.workspaceId, cursor),
        typesFor: (current) => visibleTypes(current, query),
      });
    },
  }),
  route({
    method: "GET",
    path: "/events/{event}",
    summary: "Get an event with its deliveries",
    description:
      "The event as every webhook gets it, and how its delivery to each webhook went. Names and errors are shown to callers with `webhooks:manage`.",
    access: "events:read",
    success: { status: 200, data: EventWithDeliveries },
    handler: async ({ principal, params }, { db }) => {
      const { workspaceId } = principal;
      const { uuid } = params.event;
      const event = uuid === undefined ? null : await findEvent(db, workspaceId, uuid);
      const visible = visibleTypes(principal, {});
      if (!event || (visible && !visible.includes(event.type))) throw notFound("event");
      const seesWebhooks = principal.scopes.has("webhooks:manage");
      const deliveries = await readEventDeliveries(db, workspaceId, event);
      const shown = seesWebhooks ? deliveries : deliveries.map(withoutSettings);
      return { data: { ...JSON.parse(event.payload), deliveries: shown } };
    },
  }),
  route({
    method: "GET",
    path: "/event-types",
    summary: "List the event types",
    description: "Each event with the schema of its data and an example of its whole body.",
    access: "any",
    success: { status: 200, data: Type.Array(EventTypeRecord) },
    handler: async () => ({ data: CATALOGUE }),
  }),
];

/** Ignored, every number would get the first page, and a reader that counts pages would never end. */
function pageProblems(page: unknown, { limit, cursor }: { limit?: number; cursor?: string }): string[] {
  if (page === undefined || page === "") return [];
  const isFirst = page === "1" && limit === undefined && cursor === undefined;
  return isFirst ? [] : ["page must not be given: continue with cursor."];
}

const CATALOGUE = EVENT_TYPES.map((name) => ({
  name,
  description: EVENT_CATALOGUE[name].about,
  schema: EVENT_CATALOGUE[name].data as unknown as Record<string, unknown>,
  example: {
    id: "evt_01980a4e7b107d05a3c74e1f2b6a9d80",
    type: name,
    timestamp: exampleTime(EVENT_CATALOGUE[name].example),
    data: EVENT_CATALOGUE[name].example as Record<string, unknown>,
    actor: exampleActor(name),
  },
}));

/** The time of the change that the example shows. */
function exampleTime(data: { revoked_at?: string | null; rotated_at?: string | null; updated_at?: string }): string {
  return data.revoked_at ?? data.rotated_at ?? data.updated_at ?? "2026-07-14T10:00:00+00:00";
}

function exampleActor(name: EventType) {
  if (name === "message.created") return { type: "contact" as const, id: 7, name: "Ada Lovelace" };
  if (name.startsWith("webhook.")) return { type: "system" as const, id: null, name: null };
  return { type: "api_key" as const, id: 2, name: "Order service" };
}

interface FilterQuery {
  conversation_id?: number;
  actor_type?: EventFilter["actorType"];
  actor_id?: number;
  delivery_state?: EventFilter["deliveryState"];
}

/** Null: none of the filters that few ask for. */
function filterOf({ conversation_id, actor_type, actor_id, delivery_state }: FilterQuery): EventFilter | null {
  const filter = {
    conversationId: conversation_id,
    actorType: actor_type,
    actorId: actor_id,
    deliveryState: delivery_state,
  };
  return Object.values(filter).some((value) => value !== undefined) ? filter : null;
}

/** Names and errors say where a webhook leads. */
const withoutSettings = (delivery: EventDelivery): EventDelivery => ({
  ...delivery,
  webhook_name: null,
  last_error: null,
  log: delivery.log.map((attempt) => ({ ...attempt, error_message: null })),
});

function filterProblems(principal: Principal, query: EventTypeFilter & { cursor?: string }) {
  return problems({ ...eventTypeProblems(query), cursor: cursorProblems("cursor", principal, query.cursor) });
}

export const cursorProblems = (
  field: string,
  { workspaceId }: Pick<Principal, "workspaceId">,
  cursor: string | undefined,
): string[] =>
  cursor === undefined || decodeCursor(workspaceId, cursor) !== null ? [] : [`${field} is not a cursor of this list.`];

function lastEventId(headers: Record<string, string | string[] | undefined>): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" && value !== "" ? value : undefined;
}

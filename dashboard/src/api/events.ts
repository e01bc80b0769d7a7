import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ApiError, api, apiCursorPage, type CursorPage } from "./client.ts";
import { eventKeys } from "./query-keys.ts";
import type { Event, EventWithDeliveries } from "./schema.ts";

export type { Event, EventDelivery, EventWithDeliveries } from "./schema.ts";

export interface EventFilter {
  type: string;
  created_after: string | undefined;
}

export const useEvents = (filter: EventFilter, { limit = 50 } = {}) =>
  useInfiniteQuery<CursorPage<Event>, ApiError, Event[], readonly unknown[], string | null>({
    queryKey: eventKeys.list({ ...filter, limit }),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiCursorPage("/events", { query: { ...filter, order: "desc", limit, cursor: pageParam }, signal }),
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: (before) => before,
  });

export const useEvent = (id: string) =>
  useQuery<EventWithDeliveries, ApiError>({
    queryKey: eventKeys.detail(id),
    queryFn: ({ signal }) => api("GET", `/events/${encodeURIComponent(id)}`, { signal }),
    // Until every delivery is settled, the next attempt is news.
    refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === "pending") ? 3_000 : false),
  });

/** An event of the list, or the same with its deliveries. */
type AnyEvent = { type: string; data: object };

/** What an event is about, in words: "Conversation 120 · Where is my order". */
export function subjectOf(event: AnyEvent): string {
  const data = event.data as Record<string, unknown>;
  const [resource = ""] = event.type.split(".");
  const title = [data.subject, data.name, data.email, data.body].find((one) => typeof one === "string" && one !== "");
  const id = resource === "message" || resource === "draft" ? data.conversation_id : data.id;
  const what = { message: "Message in conversation", draft: "Draft in conversation", api_key: "API key" }[resource];
  const name =
    `${what ?? resource.charAt(0).toUpperCase() + resource.slice(1)} ${typeof id === "number" ? id : ""}`.trim();
  return title === undefined ? name : `${name} · ${String(title).slice(0, 120)}`;
}

/** The conversation an event belongs to, if any. */
export function conversationOf({ type, data }: AnyEvent): number | null {
  const record = data as Record<string, unknown>;
  if (type === "conversation.deleted") return null;
  const id = type.startsWith("conversation.") ? record.id : record.conversation_id;
  return typeof id === "number" ? id : null;
}

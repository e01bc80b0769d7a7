import type { Event, EventDelivery, EventWithDeliveries } from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { plainText } from "../../../src/rich-text/plain-text.ts";
import { t } from "../lib/texts.ts";
import { type ApiError, api, apiCursorPage, type CursorPage, dashboardApi, type QueryValues } from "./client.ts";
import type { EventOutcome } from "./dashboard-schema.ts";
import { eventKeys } from "./query-keys.ts";

export type { Event, EventDelivery, EventWithDeliveries } from "@parley/client";
export type { EventOutcome } from "./dashboard-schema.ts";

export interface EventFilter {
  type?: string;
  created_after?: string | undefined;
  actor_type?: string;
  conversation_id?: string;
  delivery_state?: string;
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
    // Until every delivery is settled, another attempt may follow.
    refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === "pending") ? 3_000 : false),
  });

/** Changes of the status and the assignee of one conversation, newest first. */
export const useConversationChanges = (conversation: number) =>
  useQuery<Event[], ApiError>({
    queryKey: eventKeys.changesOf(conversation),
    queryFn: ({ signal }) => newestOf(conversation, { type: CHANGES, limit: 50 }, signal),
  });

const CHANGES = "conversation.status_changed,conversation.assigned";

/** The last things that happened in a conversation, newest first. */
export const useConversationEvents = (conversation: number, { limit }: { limit: number }) =>
  useQuery<Event[], ApiError>({
    queryKey: eventKeys.newestOf(conversation),
    queryFn: ({ signal }) => newestOf(conversation, { limit }, signal),
  });

async function newestOf(conversation: number, query: QueryValues, signal: AbortSignal): Promise<Event[]> {
  const asked = { conversation_id: conversation, order: "desc", ...query };
  return (await apiCursorPage<Event>("/events", { query: asked, signal })).data;
}

/** At how many webhooks each event has arrived; for those who may see webhooks. */
export const useEventOutcomes = (ids: readonly string[], { enabled }: { enabled: boolean }) =>
  useQuery<Map<string, EventOutcome>, ApiError>({
    queryKey: eventKeys.outcomes(ids),
    queryFn: async ({ signal }) => {
      const query = { event_ids: ids.join(",") };
      const outcomes = await dashboardApi<EventOutcome[]>("GET", "/event-outcomes", { query, signal });
      return new Map(outcomes.map((outcome) => [outcome.event_id, outcome]));
    },
    enabled: enabled && ids.length > 0,
    placeholderData: (before) => before,
    // A first attempt follows its event within moments; later ones come with their retries.
    refetchInterval: ({ state }) => {
      const isSettled = [...(state.data?.values() ?? [])].every(({ pending }) => pending === 0);
      return isSettled && state.dataUpdateCount > 2 ? false : 2_000;
    },
  });

/** Sends the event of a delivery again; its newest attempt names it. */
export function useRedeliverEvent(eventId: string) {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, readonly EventDelivery[]>({
    mutationFn: (deliveries) =>
      Promise.all(
        deliveries.map(({ webhook_id, log }) => api("POST", `/webhooks/${webhook_id}/logs/${log[0]?.id}/redeliver`)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: eventKeys.detail(eventId) }),
  });
}

/** An event of the list, or the same with its deliveries. */
type AnyEvent = { type: string; data: object };

/** What an event is about, as text: "Conversation 120 · Where is my order". */
export function subjectOf(event: AnyEvent): string {
  const data = event.data as Record<string, unknown>;
  const [resource = ""] = event.type.split(".");
  const title = [data.subject, data.name, data.email, data.body].find((one) => typeof one === "string" && one !== "");
  const id = resource === "message" || resource === "draft" ? data.conversation_id : data.id;
  const what: Record<string, string> = {
    conversation: t("Conversation"),
    message: t("Message in conversation"),
    draft: t("Draft in conversation"),
    contact: t("Contact"),
    api_key: t("API key"),
    webhook: t("Webhook"),
  };
  const name = `${what[resource] ?? resource} ${typeof id === "number" ? id : ""}`.trim();
  if (title === undefined) return name;
  // Agents write Markdown; what a contact wrote stays as it is.
  const isMarkdown = resource === "draft" || data.direction === "out";
  return `${name} · ${(isMarkdown ? plainText(String(title)) : String(title)).slice(0, 120)}`;
}

/** The conversation an event belongs to, if any. */
export function conversationOf({ type, data }: AnyEvent): number | null {
  const record = data as Record<string, unknown>;
  if (type === "conversation.deleted") return null;
  const id = type.startsWith("conversation.") ? record.id : record.conversation_id;
  return typeof id === "number" ? id : null;
}

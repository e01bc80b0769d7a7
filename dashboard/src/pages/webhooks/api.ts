import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, apiPage, dashboardApi, type Page } from "../../api/client.ts";
import type {
  CreateWebhookBody,
  DeliveryLogDetail,
  EventType,
  UpdateWebhookBody,
  Webhook,
  WebhookTestResult,
  WebhookWithSecret,
} from "../../api/schema.ts";

export interface HealthPoint {
  at: string;
  attempts: number;
  successes: number;
}

/** How deliveries went in the last 24 hourly buckets. */
export interface WebhookHealth {
  webhook_id: number;
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  attempts: number;
  successes: number;
  points: HealthPoint[];
  last_failure: { log_id: number; at: string; response_code: number; error_message: string | null } | null;
}

const ROOT = ["webhooks"] as const;
const LIST_PAGE = 50;

export const webhookHref = (id: number | string): string => `/settings/webhooks/${id}`;

export const useWebhooks = (search: string) =>
  useInfiniteQuery<Page<Webhook>, ApiError, Webhook[], unknown[], string | null>({
    queryKey: [...ROOT, "list", search],
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<Webhook>("/webhooks", {
        query: {
          search,
          per_page: LIST_PAGE,
          ...(pageParam ? Object.fromEntries(new URLSearchParams(pageParam)) : {}),
        },
        signal,
      }),
    getNextPageParam: ({ links }) => (links.next === null ? null : new URL(links.next).search),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: (before) => before,
  });

export const useHealthList = () =>
  useQuery<WebhookHealth[], ApiError>({
    queryKey: [...ROOT, "health"],
    queryFn: ({ signal }) => dashboardApi("GET", "/webhook-health", { signal }),
    refetchInterval: 10_000,
  });

export const useHealth = (id: number) =>
  useQuery<WebhookHealth | null, ApiError>({
    queryKey: [...ROOT, "health", id],
    queryFn: async ({ signal }) => {
      const query = { webhook_id: id };
      return (await dashboardApi<WebhookHealth[]>("GET", "/webhook-health", { query, signal }))[0] ?? null;
    },
    refetchInterval: 10_000,
  });

export const useWebhook = (id: string) =>
  useQuery<Webhook, ApiError>({
    queryKey: [...ROOT, "one", id],
    queryFn: ({ signal }) => api("GET", `/webhooks/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: 10_000,
  });

export const useEventTypes = () =>
  useQuery<EventType[], ApiError>({
    queryKey: ["event-types"],
    queryFn: ({ signal }) => api("GET", "/event-types", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useAttempt = (webhookId: number, logId: string) =>
  useQuery<DeliveryLogDetail, ApiError>({
    queryKey: [...ROOT, "attempt", webhookId, logId],
    queryFn: ({ signal }) => api("GET", `/webhooks/${webhookId}/logs/${encodeURIComponent(logId)}`, { signal }),
    // An attempt is history: it does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What was missed since then: counts, sends nothing. Asked anew each time it is looked at. */
export const useMissed = (webhookId: number, since: string | null) =>
  useQuery<{ events: number }, ApiError>({
    queryKey: [...ROOT, "missed", webhookId, since],
    queryFn: ({ signal }) => api("POST", `/webhooks/${webhookId}/recover`, { body: { since, dry_run: true }, signal }),
    enabled: since !== null,
    staleTime: 0,
    gcTime: 0,
  });

function useChange<Input, Output>(call: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation<Output, ApiError, Input>({
    mutationFn: call,
    onSuccess: () => client.invalidateQueries({ queryKey: ROOT }),
  });
}

export const useCreateWebhook = () =>
  useChange((body: CreateWebhookBody) => api<WebhookWithSecret>("POST", "/webhooks", { body }));

export const useSaveWebhook = (id: number) =>
  useChange((body: UpdateWebhookBody) => api<Webhook>("PATCH", `/webhooks/${id}`, { body }));

export const useDeleteWebhook = (id: number) => {
  const client = useQueryClient();
  return useMutation<Webhook, ApiError, void>({
    mutationFn: () => api("DELETE", `/webhooks/${id}`),
    // Not everything: the page that is still open would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: [...ROOT, "list"] }),
  });
};

export const useEnableWebhook = (id: number) =>
  useChange((_: undefined) => api<Webhook>("POST", `/webhooks/${id}/enable`));

export const useDisableWebhook = (id: number) =>
  useChange((reason: string) =>
    api<Webhook>("POST", `/webhooks/${id}/disable`, { body: reason === "" ? {} : { reason } }),
  );

export const useTestWebhook = (id: number) =>
  useChange((_: undefined) => api<WebhookTestResult>("POST", `/webhooks/${id}/test`));

export const useRevealSecret = (id: number) =>
  useMutation<{ secret: string }, ApiError, void>({
    mutationFn: () => api("GET", `/webhooks/${id}/secret`),
    // A secret has no business in a cache.
    gcTime: 0,
  });

export const useRotateSecret = (id: number) =>
  useMutation<WebhookWithSecret, ApiError, number>({
    mutationFn: (overlap_seconds) => api("POST", `/webhooks/${id}/rotate-secret`, { body: { overlap_seconds } }),
    gcTime: 0,
  });

export const useRedeliver = (webhookId: number, logId: number) =>
  useMutation<{ delivery_id: number }, ApiError, void>({
    mutationFn: () => api("POST", `/webhooks/${webhookId}/logs/${logId}/redeliver`),
  });

export const useRecover = (webhookId: number) =>
  useChange((since: string) =>
    api<{ events: number }>("POST", `/webhooks/${webhookId}/recover`, { body: { since, dry_run: false } }),
  );

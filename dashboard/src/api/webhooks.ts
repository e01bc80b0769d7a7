import type {
  CreateWebhookBody,
  PreviewWebhookBody,
  UpdateWebhookBody,
  Webhook,
  WebhookPreview,
  WebhookTestResult,
  WebhookWithSecret,
} from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import {
  type ApiError,
  api,
  apiPage,
  apiVersioned,
  dashboardApi,
  ifMatch,
  type Page,
  type Versioned,
} from "./client.ts";
import type { UrlVerdict, WebhookHealth } from "./dashboard-schema.ts";
import { webhookKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type {
  CreateWebhookBody,
  UpdateWebhookBody,
  Webhook,
  WebhookTestResult,
  WebhookWithSecret,
} from "@parley/client";
export type { WebhookHealth, WebhookHealthPoint as HealthPoint } from "./dashboard-schema.ts";

const LIST_PAGE = 50;

export const webhookHref = (id: number | string): string => `/settings/webhooks/${id}`;

export const useWebhooks = (search: string) =>
  useInfiniteQuery<Page<Webhook>, ApiError, Webhook[], readonly unknown[], string | null>({
    queryKey: webhookKeys.list(search),
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
    queryKey: webhookKeys.healthList(),
    queryFn: ({ signal }) => dashboardApi("GET", "/webhook-health", { signal }),
    refetchInterval: pollInterval({ busyMs: 10_000, idleMs: 60_000 }),
  });

export const useHealth = (id: number) =>
  useQuery<WebhookHealth | null, ApiError>({
    queryKey: webhookKeys.health(id),
    queryFn: async ({ signal }) => {
      const query = { webhook_id: id };
      return (await dashboardApi<WebhookHealth[]>("GET", "/webhook-health", { query, signal }))[0] ?? null;
    },
    refetchInterval: pollInterval({ busyMs: 10_000, idleMs: 60_000 }),
  });

/** With the version that an edit sends back. */
export const useWebhook = (id: string) =>
  useQuery<Versioned<Webhook>, ApiError>({
    queryKey: webhookKeys.detail(id),
    queryFn: ({ signal }) => apiVersioned("GET", `/webhooks/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: pollInterval({ busyMs: 10_000, idleMs: 60_000 }),
  });

/** What was missed since then: counts and sends nothing. Asked again each time it is shown. */
export const useMissed = (webhookId: number, since: string | null) =>
  useQuery<{ events: number }, ApiError>({
    queryKey: webhookKeys.missed(webhookId, since),
    queryFn: ({ signal }) => api("POST", `/webhooks/${webhookId}/recover`, { body: { since, dry_run: true }, signal }),
    enabled: since !== null,
    staleTime: 0,
    gcTime: 0,
  });

/** What the server says about a URL while it is typed: the same that saving would say, and whether the name resolves. */
export const useUrlVerdict = (url: string, { enabled }: { enabled: boolean }) =>
  useQuery<UrlVerdict, ApiError>({
    queryKey: webhookKeys.urlCheck(url),
    queryFn: ({ signal }) => dashboardApi("POST", "/url-check", { body: { url }, signal }),
    enabled,
    staleTime: 30_000,
    retry: false,
  });

/** What a filter and a template would have done with the stored events; null: nothing can be asked yet. */
export const usePreview = (body: PreviewWebhookBody | null) =>
  useQuery<WebhookPreview, ApiError>({
    queryKey: webhookKeys.preview(body),
    queryFn: ({ signal }) => api("POST", "/webhooks/preview", { body, signal }),
    enabled: body !== null,
    staleTime: 30_000,
    retry: false,
    placeholderData: (before) => before,
  });

const useWebhookChange = <Result, Input>(run: (input: Input) => Promise<Result>) => useChange(run, webhookKeys.all());

export const useCreateWebhook = () =>
  useWebhookChange((body: CreateWebhookBody) => api<WebhookWithSecret>("POST", "/webhooks", { body }));

export const useUpdateWebhook = (id: number) =>
  useWebhookChange(({ body, etag }: { body: UpdateWebhookBody; etag: string | null }) =>
    api<Webhook>("PATCH", `/webhooks/${id}`, { body, ...ifMatch(etag) }),
  );

export const useDeleteWebhook = (id: number) => {
  const client = useQueryClient();
  return useMutation<Webhook, ApiError, void>({
    mutationFn: () => api("DELETE", `/webhooks/${id}`),
    // Only the lists: the page that is still open would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.lists() }),
  });
};

export const useEnableWebhook = (id: number) =>
  useWebhookChange((_: undefined) => api<Webhook>("POST", `/webhooks/${id}/enable`));

export const useDisableWebhook = (id: number) =>
  useWebhookChange((reason: string) =>
    api<Webhook>("POST", `/webhooks/${id}/disable`, { body: reason === "" ? {} : { reason } }),
  );

export const useTestWebhook = (id: number) =>
  useWebhookChange((event_type: string | undefined) =>
    api<WebhookTestResult>("POST", `/webhooks/${id}/test`, { query: { event_type } }),
  );

export const useRevealSecret = (id: number) =>
  useMutation<{ secret: string }, ApiError, void>({
    mutationFn: () => api("GET", `/webhooks/${id}/secret`),
    // A secret does not belong in a cache.
    gcTime: 0,
  });

export const useRotateSecret = (id: number) =>
  useMutation<WebhookWithSecret, ApiError, number>({
    mutationFn: (overlap_seconds) => api("POST", `/webhooks/${id}/rotate-secret`, { body: { overlap_seconds } }),
    gcTime: 0,
  });

export const useRecover = (webhookId: number) =>
  useWebhookChange((since: string) =>
    api<{ events: number }>("POST", `/webhooks/${webhookId}/recover`, { body: { since, dry_run: false } }),
  );

import type {
  CreateWebhookBody,
  PreviewWebhookBody,
  UpdateWebhookBody,
  Webhook,
  WebhookPreview,
  WebhookTestResult,
  WebhookWithSecret,
} from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { UrlVerdict, WebhookHealth } from "./dashboard-schema.ts";
import { webhookKeys } from "./query-keys.ts";
import { useDeleteRecord, useRecord, useRecords, useUpdateRecord } from "./records.ts";
import { useChange } from "./use-change.ts";

export type {
  CreateWebhookBody,
  UpdateWebhookBody,
  Webhook,
  WebhookTestResult,
  WebhookWithSecret,
} from "@parley/client";
export type { WebhookHealth, WebhookHealthPoint as HealthPoint } from "./dashboard-schema.ts";

export const webhookHref = (id: number | string): string => `/settings/webhooks/${id}`;

export const webhookPath = (id: number | string): string => `/webhooks/${encodeURIComponent(id)}`;

export const useWebhooks = (search: string) =>
  useRecords<Webhook>("/webhooks", webhookKeys.list(search), {
    query: { search, per_page: 50 },
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

export const useWebhook = (id: string) =>
  useRecord<Webhook>(webhookPath(id), webhookKeys.detail(id), pollInterval({ busyMs: 10_000, idleMs: 60_000 }));

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
  useUpdateRecord<Webhook, UpdateWebhookBody>(webhookPath(id), webhookKeys.all());

export const useDeleteWebhook = (id: number) => useDeleteRecord<Webhook>(webhookPath(id), webhookKeys.lists());

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

export const useRecover = (webhookId: number) =>
  useWebhookChange((since: string) =>
    api<{ events: number }>("POST", `/webhooks/${webhookId}/recover`, { body: { since, dry_run: false } }),
  );

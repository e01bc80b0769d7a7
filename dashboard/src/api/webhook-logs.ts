import type { DeliveryLog, DeliveryLogDetail } from "@parley/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, api, apiPage, type QueryValues } from "./client.ts";
import { webhookLogKeys } from "./query-keys.ts";

export type { DeliveryLog, DeliveryLogDetail } from "@parley/client";

export const readLogPage = (webhookId: number, query: QueryValues, signal?: AbortSignal) =>
  apiPage<DeliveryLog>(`/webhooks/${webhookId}/logs`, { query, ...(signal ? { signal } : {}) });

export const useAttempt = (webhookId: number, logId: string, { enabled }: { enabled: boolean }) =>
  useQuery<DeliveryLogDetail, ApiError>({
    queryKey: webhookLogKeys.detail(webhookId, logId),
    queryFn: ({ signal }) => api("GET", `/webhooks/${webhookId}/logs/${encodeURIComponent(logId)}`, { signal }),
    enabled,
    // An attempt is history: it does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useRedeliver = (webhookId: number, logId: number) =>
  useMutation<{ delivery_id: number }, ApiError, void>({
    mutationFn: () => api("POST", `/webhooks/${webhookId}/logs/${logId}/redeliver`),
  });

/** The first attempt of the same event that is newer than `after`; asked every second until it is there. */
export const useRedelivery = (webhookId: number, attempt: DeliveryLogDetail, after: number | null) =>
  useQuery<DeliveryLog | null, ApiError>({
    queryKey: webhookLogKeys.redelivery(webhookId, attempt.id, after),
    queryFn: async ({ signal }) => {
      const { data: logs } = await readLogPage(webhookId, { event_type: attempt.event_type, per_page: 100 }, signal);
      return logs.findLast(({ id, event_id }) => id > (after ?? 0) && event_id === attempt.event_id) ?? null;
    },
    enabled: after !== null,
    refetchInterval: ({ state }) => (state.data ? false : 1_000),
    staleTime: 0,
    gcTime: 0,
  });

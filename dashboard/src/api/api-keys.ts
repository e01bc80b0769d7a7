import type { ApiKey, ApiKeyWithSecret, AuditLog, CreateApiKeyBody, UpdateApiKeyBody } from "@parley/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, api, apiPage, dashboardApi, ifMatch, type Page } from "./client.ts";
import type { Usage, UsageRange } from "./dashboard-schema.ts";
import { apiKeyKeys } from "./query-keys.ts";
import { useRecord } from "./records.ts";
import { useChange } from "./use-change.ts";

export type { ApiKey, UpdateApiKeyBody } from "@parley/client";
export type { UsageRange } from "./dashboard-schema.ts";
export type KeyState = "active" | "paused" | "expired" | "revoked";

export function stateOf(key: ApiKey): KeyState {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && new Date(key.expires_at).getTime() <= Date.now()) return "expired";
  return key.is_active ? "active" : "paused";
}

/** The newest 1,000, and more of them when asked for: a response without pages has no more. */
export const useApiKeys = () =>
  useInfiniteQuery<Partial<Page<ApiKey>>, ApiError, ApiKey[], readonly unknown[], string | null>({
    queryKey: apiKeyKeys.list(),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<ApiKey>("/api-keys", { query: Object.fromEntries(new URLSearchParams(pageParam ?? "")), signal }),
    getNextPageParam: ({ links }) => (links?.next ? new URL(links.next).search : null),
    select: ({ pages }) => pages.flatMap(({ data }) => data ?? []),
    refetchInterval: pollInterval({ busyMs: 30_000, idleMs: 120_000 }),
  });

export const useApiKey = (id: string) =>
  useRecord<ApiKey>(
    `/api-keys/${encodeURIComponent(id)}`,
    apiKeyKeys.detail(id),
    pollInterval({ busyMs: 30_000, idleMs: 120_000 }),
  );

export const useUsage = (keyId: number, range: UsageRange) =>
  useQuery<Usage, ApiError>({
    queryKey: apiKeyKeys.usage(keyId, range),
    queryFn: ({ signal }) => dashboardApi("GET", "/usage", { query: { api_key_id: keyId, range }, signal }),
    refetchInterval: pollInterval({ busyMs: 30_000, idleMs: 120_000 }),
    placeholderData: (before) => before,
  });

export const useKeyAudit = (keyId: number) =>
  useQuery<Page<AuditLog>, ApiError>({
    queryKey: apiKeyKeys.audit(keyId),
    queryFn: ({ signal }) =>
      apiPage("/audit-logs", { query: { resource_type: "api_key", resource_id: keyId, per_page: 25 }, signal }),
  });

/** Everything shown about keys is read again after a change. */
const useKeyChange = <Result, Input>(run: (input: Input) => Promise<Result>) => useChange(run, apiKeyKeys.all());

export const useCreateKey = () =>
  useKeyChange((body: CreateApiKeyBody) => api<ApiKeyWithSecret>("POST", "/api-keys", { body }));

export const useUpdateKey = (id: number) =>
  useKeyChange(({ body, etag = null }: { body: UpdateApiKeyBody; etag?: string | null }) =>
    api<ApiKey>("PATCH", `/api-keys/${id}`, { body, ...ifMatch(etag) }),
  );

export const useRotateKey = (id: number) =>
  useKeyChange((overlapSeconds: number) =>
    api<ApiKeyWithSecret>("POST", `/api-keys/${id}/rotate`, { body: { overlap_seconds: overlapSeconds } }),
  );

/** The secret before the last rotation stops working at once. */
export const useRevokeOldSecret = (id: number) =>
  useKeyChange(() => api<ApiKey>("POST", `/api-keys/${id}/revoke-old-secret`));

export const useRevokeKey = (id: number) => useKeyChange(() => api<ApiKey>("DELETE", `/api-keys/${id}`));

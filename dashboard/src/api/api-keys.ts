import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, api, apiPage, dashboardApi, type Page } from "./client.ts";
import type { ApiKey, ApiKeyWithSecret, AuditLog, CreateApiKeyBody, UpdateApiKeyBody } from "./schema.ts";

export type KeyState = "active" | "paused" | "expired" | "revoked";

export function stateOf(key: ApiKey): KeyState {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && new Date(key.expires_at).getTime() <= Date.now()) return "expired";
  return key.is_active ? "active" : "paused";
}

export const useApiKeys = () =>
  useQuery<ApiKey[], ApiError>({
    queryKey: ["api-keys", "list"],
    queryFn: ({ signal }) => api("GET", "/api-keys", { signal }),
    refetchInterval: 30_000,
  });

export const useApiKey = (id: string) =>
  useQuery<ApiKey, ApiError>({
    queryKey: ["api-keys", "one", id],
    queryFn: ({ signal }) => api("GET", `/api-keys/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: 15_000,
  });

export type UsageRange = "24h" | "7d" | "30d" | "90d";

export interface Usage {
  range: UsageRange;
  bucket: "hour" | "day";
  points: { at: string; requests: number; errors_4xx: number; errors_5xx: number }[];
  totals: { requests: number; errors_4xx: number; errors_5xx: number };
}

export const useUsage = (keyId: number, range: UsageRange) =>
  useQuery<Usage, ApiError>({
    queryKey: ["api-keys", "usage", keyId, range],
    queryFn: ({ signal }) => dashboardApi("GET", "/usage", { query: { api_key_id: keyId, range }, signal }),
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });

export const useKeyAudit = (keyId: number) =>
  useQuery<Page<AuditLog>, ApiError>({
    queryKey: ["api-keys", "audit", keyId],
    queryFn: ({ signal }) =>
      apiPage("/audit-logs", { query: { resource_type: "api_key", resource_id: keyId, per_page: 25 }, signal }),
  });

/** Everything shown about keys is read again after a change. */
function useKeyMutation<Result, Input>(run: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: ["api-keys"] }),
  });
}

export const useCreateKey = () =>
  useKeyMutation((body: CreateApiKeyBody) => api<ApiKeyWithSecret>("POST", "/api-keys", { body }));

export const useChangeKey = (id: number) =>
  useKeyMutation((body: UpdateApiKeyBody) => api<ApiKey>("PATCH", `/api-keys/${id}`, { body }));

export const useRotateKey = (id: number) =>
  useKeyMutation((overlapSeconds: number) =>
    api<ApiKeyWithSecret>("POST", `/api-keys/${id}/rotate`, { body: { overlap_seconds: overlapSeconds } }),
  );

export const useRevokeKey = (id: number) => useKeyMutation(() => api<ApiKey>("DELETE", `/api-keys/${id}`));

import type { CreateWidgetBody, UpdateWidgetBody, Widget, WidgetWithSecret } from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
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
import type { WidgetInstallation } from "./dashboard-schema.ts";
import { widgetKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { UpdateWidgetBody, Widget } from "@parley/client";

const LIST_PAGE = 50;

export const widgetHref = (id: number | string): string => `/settings/widgets/${id}`;

export const useWidgets = () =>
  useInfiniteQuery<Page<Widget>, ApiError, Widget[], readonly unknown[], string | null>({
    queryKey: widgetKeys.list(),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<Widget>("/widgets", {
        query: { per_page: LIST_PAGE, ...(pageParam ? Object.fromEntries(new URLSearchParams(pageParam)) : {}) },
        signal,
      }),
    getNextPageParam: ({ links }) => (links.next === null ? null : new URL(links.next).search),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

/** With the version that an edit sends back. */
export const useWidget = (id: string) =>
  useQuery<Versioned<Widget>, ApiError>({
    queryKey: widgetKeys.detail(id),
    queryFn: ({ signal }) => apiVersioned("GET", `/widgets/${encodeURIComponent(id)}`, { signal }),
  });

/** Where the latest conversation began. Asked again each time it is shown. */
export const useInstallation = (id: number) =>
  useQuery<WidgetInstallation, ApiError>({
    queryKey: widgetKeys.installation(id),
    queryFn: ({ signal }) => dashboardApi("GET", `/widgets/${id}/installation`, { signal }),
    staleTime: 0,
    refetchInterval: 10_000,
  });

export const useCreateWidget = () =>
  useChange((body: CreateWidgetBody) => api<WidgetWithSecret>("POST", "/widgets", { body }), widgetKeys.list());

export const useUpdateWidget = (id: number) =>
  useChange(
    ({ body, etag }: { body: UpdateWidgetBody; etag: string | null }) =>
      api<Widget>("PATCH", `/widgets/${id}`, { body, ...ifMatch(etag) }),
    widgetKeys.list(),
  );

export const useDeleteWidget = (id: number) => {
  const client = useQueryClient();
  return useMutation<Widget, ApiError, void>({
    mutationFn: () => api("DELETE", `/widgets/${id}`),
    // Only the list: the page that is still open would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: widgetKeys.list() }),
  });
};

export const useRevealIdentitySecret = (id: number) =>
  useMutation<{ secret: string }, ApiError, void>({
    mutationFn: () => api("GET", `/widgets/${id}/secret`),
    // A secret does not belong in a cache.
    gcTime: 0,
  });

export const useRotateIdentitySecret = (id: number) =>
  useMutation<WidgetWithSecret, ApiError, number>({
    mutationFn: (overlap_seconds) => api("POST", `/widgets/${id}/rotate-secret`, { body: { overlap_seconds } }),
    gcTime: 0,
  });

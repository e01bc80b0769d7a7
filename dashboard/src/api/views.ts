import type { CreateViewBody, View } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { type ApiError, api, dashboardApi, patchUnlessChanged } from "./client.ts";
import { conversationKeys, viewKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { View } from "@parley/client";
export type ViewFilters = NonNullable<CreateViewBody["filters"]>;

export const useViews = () =>
  useQuery<View[], ApiError>({
    queryKey: viewKeys.all(),
    queryFn: ({ signal }) => api("GET", "/views", { signal }),
    // Events are not about views, and a colleague may have shared one.
    refetchInterval: 60_000,
  });

export const VIEW_COUNT_MAX = 100;

/** How many conversations each view has, up to 100. Read again with the counts of the built-in views. */
export const useViewCounts = ({ enabled }: { enabled: boolean }) =>
  useQuery<{ id: number; count: number }[], ApiError>({
    queryKey: conversationKeys.viewCounts(),
    queryFn: ({ signal }) => dashboardApi("GET", "/view-counts", { signal }),
    enabled,
    refetchInterval: 60_000,
  });

const useViewChange = <Input, Result = View>(run: (input: Input) => Promise<Result>) =>
  useChange(run, viewKeys.all(), conversationKeys.viewCounts());

export const useCreateView = () => useViewChange((body: CreateViewBody) => api<View>("POST", "/views", { body }));

export const useChangeView = () =>
  useViewChange(({ base, change }: { base: View; change: Partial<View> }) =>
    patchUnlessChanged<View>(`/views/${base.id}`, base, change),
  );

export const useDeleteView = () => useViewChange((id: number) => api<View>("DELETE", `/views/${id}`));

/** Gives each view the position that it has in this order. */
export const useOrderViews = () =>
  useViewChange(async (ordered: readonly View[]) => {
    for (const [position, view] of ordered.entries())
      if (view.position !== position) await api("PATCH", `/views/${view.id}`, { body: { position } });
  });

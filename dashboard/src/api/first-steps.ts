import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, dashboardApi } from "./client.ts";
import type { FirstSteps } from "./dashboard-schema.ts";
import { overviewKeys } from "./query-keys.ts";

/** Read again like the overview: the steps happen on other pages, and elsewhere. */
export const useFirstSteps = () =>
  useQuery<FirstSteps, ApiError>({
    queryKey: overviewKeys.firstSteps(),
    queryFn: ({ signal }) => dashboardApi("GET", "/first-steps", { signal }),
    refetchInterval: pollInterval({ busyMs: 5_000, idleMs: 60_000 }),
  });

export function useHideFirstSteps() {
  const client = useQueryClient();
  return useMutation<FirstSteps, ApiError, boolean>({
    mutationFn: (hidden) => dashboardApi("PATCH", "/first-steps", { body: { hidden } }),
    onSuccess: (steps) => client.setQueryData(overviewKeys.firstSteps(), steps),
  });
}

import { useQuery } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, dashboardApi } from "./client.ts";
import type { Overview, OverviewRange } from "./dashboard-schema.ts";
import { overviewKeys } from "./query-keys.ts";

export type { Overview, OverviewRange } from "./dashboard-schema.ts";

export const useOverview = (range: OverviewRange) =>
  useQuery<Overview, ApiError>({
    queryKey: overviewKeys.range(range),
    queryFn: ({ signal }) => dashboardApi("GET", "/overview", { query: { range }, signal }),
    refetchInterval: pollInterval({ busyMs: 5_000, idleMs: 60_000 }),
    placeholderData: (before) => before,
  });

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // "always": without a network a query fails visibly at once instead of waiting with a skeleton.
        networkMode: "always",
        refetchOnReconnect: true,
        // A refusal stays a refusal; only a missing or failing server is worth another try.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      },
      mutations: {
        // The default would pause a change made offline and send it later, after its author has cancelled it.
        networkMode: "always",
        retry: false,
      },
    },
  });

import { QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { sessionKeys, viewKeys } from "./query-keys.ts";

export const createQueryClient = (): QueryClient => {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, { queryKey }) => followRefusal(client, error, queryKey) }),
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
  return client;
};

/** What a page offers is of a while ago: a role may have changed since, and a view may be gone. */
function followRefusal(client: QueryClient, error: Error, refused: QueryKey): void {
  if (!(error instanceof ApiError)) return;
  const isSession = refused[0] === sessionKeys.all[0];
  if (error.status === 403 && !isSession) void client.invalidateQueries({ queryKey: sessionKeys.all });
  if (error.details.view) void client.invalidateQueries({ queryKey: viewKeys.all() });
}

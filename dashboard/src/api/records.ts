import { type UseInfiniteQueryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type ApiError, api, apiPage, apiVersioned, ifMatch, type Page, type Versioned } from "./client.ts";
import { useChange } from "./use-change.ts";

// What pages of the settings read and change in the same way, whatever the resource. `path` is that of the public API.

type Key = readonly unknown[];
type PagesOptions<Item> = Partial<
  Pick<UseInfiniteQueryOptions<Page<Item>, ApiError, Item[], Key, string | null>, "refetchInterval" | "placeholderData">
>;

/** A list, page by page. */
export const useRecords = <Item>(
  path: string,
  queryKey: Key,
  { query = { per_page: 50 }, ...options }: { query?: Record<string, string | number> } & PagesOptions<Item> = {},
) =>
  useInfiniteQuery<Page<Item>, ApiError, Item[], Key, string | null>({
    queryKey,
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<Item>(path, {
        query: { ...query, ...(pageParam ? Object.fromEntries(new URLSearchParams(pageParam)) : {}) },
        signal,
      }),
    getNextPageParam: ({ links }) => (links.next === null ? null : new URL(links.next).search),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    ...options,
  });

/** With the version that an edit sends back. `pollMs` is asked after each response. */
export const useRecord = <Item>(
  path: string,
  queryKey: Key,
  pollMs: (record: Item | undefined) => number | false = () => false,
) =>
  useQuery<Versioned<Item>, ApiError>({
    queryKey,
    queryFn: ({ signal }) => apiVersioned("GET", path, { signal }),
    refetchInterval: ({ state: { data } }) => pollMs(data?.record),
  });

/** `queryKey`: what is read again. */
export const useUpdateRecord = <Item, Body>(path: string, queryKey: Key) =>
  useChange(
    ({ body, etag }: { body: Body; etag: string | null }) => api<Item>("PATCH", path, { body, ...ifMatch(etag) }),
    queryKey,
  );

/** `listKey`: only the lists are read again, because the page that is still open would ask for what is gone. */
export const useDeleteRecord = <Item>(path: string, listKey: Key) =>
  useChange<Item, void>(() => api("DELETE", path), listKey);

// A secret does not belong in a cache.

export const useRevealSecret = (path: string) =>
  useMutation<{ secret: string }, ApiError, void>({ mutationFn: () => api("GET", `${path}/secret`), gcTime: 0 });

export const useRotateSecret = (path: string) =>
  useMutation<{ secret: string }, ApiError, number>({
    mutationFn: (overlap_seconds) => api("POST", `${path}/rotate-secret`, { body: { overlap_seconds } }),
    gcTime: 0,
  });

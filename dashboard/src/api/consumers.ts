import type { Consumer, PutConsumerBody } from "@parley/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, api, apiPage, type Page } from "./client.ts";
import { consumerKeys } from "./query-keys.ts";
import { useChange } from "./use-change.ts";

export type { Consumer, PutConsumerBody } from "@parley/client";

/** Few: the lag of each is counted for the response. */
const LIST_PAGE = 20;

export const consumerHref = (name: string): string => `/settings/consumers/${name}`;

const pathOf = (name: string): string => `/consumers/${encodeURIComponent(name)}`;

export const useConsumers = () =>
  useInfiniteQuery<Page<Consumer>, ApiError, Consumer[], readonly unknown[], string | null>({
    queryKey: consumerKeys.list(),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      apiPage<Consumer>("/consumers", {
        query: { per_page: LIST_PAGE, ...(pageParam ? Object.fromEntries(new URLSearchParams(pageParam)) : {}) },
        signal,
      }),
    getNextPageParam: ({ links }) => (links.next === null ? null : new URL(links.next).search),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: pollInterval({ busyMs: 10_000, idleMs: 60_000 }),
  });

export const useConsumer = (name: string) =>
  useQuery<Consumer, ApiError>({
    queryKey: consumerKeys.detail(name),
    queryFn: ({ signal }) => api("GET", pathOf(name), { signal }),
    refetchInterval: pollInterval({ busyMs: 10_000, idleMs: 60_000 }),
  });

/** Creates it, or replaces what it shows. */
export const usePutConsumer = () =>
  useChange(
    ({ name, body }: { name: string; body: PutConsumerBody }) => api<Consumer>("PUT", pathOf(name), { body }),
    consumerKeys.all(),
  );

export const useResetConsumer = (name: string) =>
  useChange((start: string) => api<Consumer>("POST", `${pathOf(name)}/reset`, { body: { start } }), consumerKeys.all());

export const useDeleteConsumer = (name: string) => {
  const client = useQueryClient();
  return useMutation<Consumer, ApiError, void>({
    mutationFn: () => api("DELETE", pathOf(name)),
    // Only the list: the page that is still open would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: consumerKeys.list() }),
  });
};

import type { Consumer, PutConsumerBody } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { pollInterval } from "../live/poll-interval.ts";
import { type ApiError, api } from "./client.ts";
import { consumerKeys } from "./query-keys.ts";
import { useDeleteRecord, useRecords } from "./records.ts";
import { useChange } from "./use-change.ts";

export type { Consumer, PutConsumerBody } from "@parley/client";

/** Few: the lag of each is counted for the response. */
const LIST_PAGE = 20;

export const consumerHref = (name: string): string => `/settings/consumers/${name}`;

const pathOf = (name: string): string => `/consumers/${encodeURIComponent(name)}`;

export const useConsumers = () =>
  useRecords<Consumer>("/consumers", consumerKeys.list(), {
    query: { per_page: LIST_PAGE },
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

export const useDeleteConsumer = (name: string) => useDeleteRecord<Consumer>(pathOf(name), consumerKeys.list());

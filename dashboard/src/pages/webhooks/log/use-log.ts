import { keepPreviousData, type UseQueryResult, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { ApiError, Page, QueryValues } from "../../../api/client.ts";
import { webhookKeys, webhookLogKeys } from "../../../api/query-keys.ts";
import { type DeliveryLog, readLogPage } from "../../../api/webhook-logs.ts";
import { pollInterval } from "../../../live/poll-interval.ts";

export const PAGE_ROWS = 100;
/** Browsers cannot draw a list much higher than this; filters lead further back. */
const ROWS_MAX = 400_000;
/** Attempts follow events: while none arrive, only retries are due. */
const POLL_MS = 2_000;
const IDLE_POLL_MS = 5_000;

/** The log is fixed below this id: pages keep their rows while new attempts come in. */
interface Anchor {
  key: string;
  id: number;
  total: number;
}

/**
 * A log of any length: its total, the rows of the pages asked for, and how many attempts came in since it was drawn. Those
 * join by themselves while `follow` says so, else when `showNew` is called.
 */
export function useLog(webhookId: number, query: QueryValues) {
  const client = useQueryClient();
  const key = JSON.stringify([webhookId, query]);
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const newest = useQuery<Page<DeliveryLog> & { key: string }, ApiError>({
    queryKey: webhookLogKeys.newest(webhookId, query),
    queryFn: async ({ signal }) => ({
      key,
      ...(await readLogPage(webhookId, { ...query, per_page: 1 }, signal)),
    }),
    refetchInterval: pollInterval({ busyMs: POLL_MS, idleMs: IDLE_POLL_MS }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

  const pageQuery = useCallback(
    (upTo: number, page: number) => ({
      queryKey: webhookLogKeys.page(webhookId, query, upTo, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readLogPage(webhookId, { ...query, per_page: PAGE_ROWS, page: page + 1, up_to_id: upTo }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
    [webhookId, query],
  );

  const found = newest.data?.key === key ? newest.data : null;
  const foundId = found?.data[0]?.id ?? 0;
  const foundTotal = found?.meta.pagination.total ?? 0;
  const current = anchor?.key === key ? anchor : null;
  // The first page is there before the anchor moves: nothing flickers.
  const showNew = useCallback(async () => {
    if (foundId > 0) await client.fetchQuery(pageQuery(foundId, 0)).catch(() => null);
    setAnchor((before) =>
      before?.key === key && before.id > foundId ? before : { key, id: foundId, total: foundTotal },
    );
  }, [client, pageQuery, key, foundId, foundTotal]);
  useEffect(() => {
    if (found && !current) void showNew();
  }, [found, current, showNew]);

  // New attempts may have changed the webhook's health.
  useEffect(() => {
    if (foundId === 0) return;
    for (const queryKey of [webhookKeys.detail(webhookId), webhookKeys.health(webhookId)])
      void client.invalidateQueries({ queryKey });
  }, [foundId, client, webhookId]);

  const unseen = current && foundId > current.id ? Math.max(1, foundTotal - current.total) : 0;
  return {
    key,
    total: current ? Math.min(current.total, ROWS_MAX) : null,
    all: foundTotal,
    unseen,
    showNew,
    error: newest.error,
    retry: () => newest.refetch(),
    anchorId: current?.id ?? 0,
    pageQuery,
  };
}

type Log = ReturnType<typeof useLog>;

/** The rows from `first` to `last`; undefined while they load. */
export function useLogRows({ anchorId, total, pageQuery }: Log, first: number, last: number) {
  const firstPage = Math.floor(first / PAGE_ROWS);
  const lastPage = Math.floor(Math.max(first, last) / PAGE_ROWS);
  const numbers = total ? Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index) : [];
  const { pages, loaded } = useQueries({
    queries: numbers.map((page) => pageQuery(anchorId, page)),
    combine: rowsOf,
  });
  const rowAt = (index: number): DeliveryLog | undefined =>
    pages[Math.floor(index / PAGE_ROWS) - firstPage]?.data?.data[index % PAGE_ROWS];
  const failed = pages.find((page) => page.error !== null);
  return { rowAt, loaded, error: (failed?.error ?? null) as ApiError | null, retry: () => void failed?.refetch() };
}

/** The pages, and their rows up to the first page that is still to come. */
function rowsOf(pages: UseQueryResult<Page<DeliveryLog>>[]) {
  const missing = pages.findIndex(({ data }) => data === undefined);
  const there = missing === -1 ? pages : pages.slice(0, missing);
  return { pages, loaded: there.flatMap(({ data }) => data?.data ?? []) };
}

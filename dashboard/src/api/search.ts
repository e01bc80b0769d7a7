import type { SearchHit } from "@parley/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ApiError, api } from "./client.ts";
import { searchKeys } from "./query-keys.ts";

export type { SearchHit } from "@parley/client";

const HITS_MAX = 20;

/** Conversations, messages and contacts; the previous hits are shown until the next ones are there. */
export const useSearch = (text: string, { enabled }: { enabled: boolean }) =>
  useQuery<SearchHit[], ApiError>({
    queryKey: searchKeys.results(text),
    queryFn: ({ signal }) => api("GET", "/search", { query: { q: text, limit: HITS_MAX }, signal }),
    enabled,
    placeholderData: keepPreviousData,
  });

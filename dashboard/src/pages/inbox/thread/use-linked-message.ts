import { type RefObject, useEffect, useRef } from "react";
import type { VListHandle } from "virtua";
import { useSearch } from "wouter";

/** The message that the address names (`?message=12`), by its number; 0: none. */
export const useLinkedSeq = (): number => Number(new URLSearchParams(useSearch()).get("message")) || 0;

interface Thread {
  items: readonly { seq?: number }[];
  list: RefObject<VListHandle | null>;
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  oldest: number | undefined;
}

/** Brings that message into view once, and loads older ones until it is there. */
export function useShowLinked(seq: number, { items, list, query, oldest }: Thread): void {
  const shown = useRef(0);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (seq === 0 || shown.current === seq || oldest === undefined) return;
    if (oldest > seq && hasNextPage) {
      if (!isFetchingNextPage) void fetchNextPage();
      return;
    }
    shown.current = seq;
    const index = items.findIndex((item) => item.seq === seq);
    const show = () => list.current?.scrollToIndex(index, { align: "center" });
    // After the list has gone to its end, as it does when it opens.
    if (index !== -1) requestAnimationFrame(() => requestAnimationFrame(show));
  }, [seq, items, list, oldest, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

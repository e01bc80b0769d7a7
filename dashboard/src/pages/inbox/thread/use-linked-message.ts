import { type RefObject, useEffect, useRef } from "react";
import type { VListHandle } from "virtua";
import { useSearch } from "wouter";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";

/** The message that the address names (`?message=12`), by its number; 0: none. */
export const useLinkedSeq = (): number => Number(new URLSearchParams(useSearch()).get("message")) || 0;

interface Thread {
  items: readonly { seq?: number }[];
  list: RefObject<VListHandle | null>;
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  oldest: number | undefined;
  newest: number | undefined;
}

/** Brings that message into view once, and loads older ones until it is there, or says that it is gone. */
export function useShowLinked(seq: number, { items, list, query, oldest, newest = 0 }: Thread): void {
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
    // One with a later number may be about to arrive.
    else if (seq < newest) toast(t("That message has been deleted."), { failed: true });
  }, [seq, items, list, oldest, newest, hasNextPage, isFetchingNextPage, fetchNextPage]);
}

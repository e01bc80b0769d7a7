import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { VListHandle } from "virtua";
import { isHistoryMove } from "../../../lib/scroll-memory.ts";

interface ListScrollOptions {
  /** The view that the list shows. */
  query: string;
  hasRows: boolean;
  /** The row that the keys act on; negative: none. */
  currentIndex: number;
  openId: number | null;
}

/** Where the list was scrolled to last. */
let left = { query: "", offset: 0 };

/** Keeps the current row in view, and returns to where the list was when Back leads to it. */
export function useListScroll({ query, hasRows, currentIndex, openId }: ListScrollOptions): {
  list: RefObject<VListHandle | null>;
  remember: (offset: number) => void;
} {
  const list = useRef<VListHandle>(null);
  const returnTo = useRef(isHistoryMove() && left.query === query ? left.offset : null);
  const goBack = useEffectEvent(() => {
    if (returnTo.current === null) return;
    list.current?.scrollTo(returnTo.current);
    if (openId === null) returnTo.current = null;
  });
  useEffect(() => {
    if (hasRows) goBack();
  }, [hasRows]);
  useEffect(() => {
    if (currentIndex < 0) return;
    // Where Back leads to, the open conversation may be out of view, as it was.
    if (returnTo.current === null) list.current?.scrollToIndex(currentIndex, { align: "nearest" });
    returnTo.current = null;
  }, [currentIndex]);
  const remember = (offset: number) => {
    left = { query, offset };
  };
  return { list, remember };
}

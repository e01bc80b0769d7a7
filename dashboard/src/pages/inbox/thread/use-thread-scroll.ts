import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";

const NEAR_BOTTOM_PX = 120;
const NEAR_TOP_PX = 400;

interface ThreadScroll {
  box: RefObject<HTMLDivElement | null>;
  list: RefObject<VListHandle | null>;
  /** Rows are being added at the top: what is on the screen stays where it is. */
  isPrepending: boolean;
  /** The end is so far below that a button should lead back to it. */
  isAway: boolean;
  onScroll: (offset: number) => void;
  toEnd: () => void;
}

interface ThreadScrollOptions {
  /** How many rows there are. */
  count: number;
  isLoaded: boolean;
  /** The oldest message that is loaded. */
  oldest: number | undefined;
  /** Whatever is new at the end changes one of these. */
  newest: readonly unknown[];
  /** Null while there is nothing older, or while it is loading. */
  loadOlder: (() => void) | null;
}

/** A reader at the end of the list stays there while rows are added and while the list changes its height. */
export function useThreadScroll({ count, isLoaded, oldest, newest, loadOlder }: ThreadScrollOptions): ThreadScroll {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VListHandle>(null);
  const isAtEnd = useRef(true);
  const lastOffset = useRef(0);
  const [isAway, setAway] = useState(false);
  // Only while they are added: with this set, a row that is added at the end would move what is on the screen.
  const shownOldest = useRef(oldest);
  const isPrepending = shownOldest.current !== undefined && oldest !== shownOldest.current;
  useLayoutEffect(() => {
    shownOldest.current = oldest;
  }, [oldest]);
  const toEnd = () => {
    if (count > 0) list.current?.scrollToIndex(count - 1, { align: "end" });
  };
  const stayAtEnd = useEffectEvent(() => {
    if (isAtEnd.current) toEnd();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: everything new at the end scrolls, and nothing else does
  useLayoutEffect(() => {
    stayAtEnd();
    // Once more when what is around the list has taken its height.
    const frame = requestAnimationFrame(() => stayAtEnd());
    return () => cancelAnimationFrame(frame);
  }, [isLoaded, ...newest]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is there with its first row
  useEffect(() => {
    if (!isLoaded || !box.current) return;
    // A suggestion or a composer that grows takes height from the list; pictures and parts of mail come later than the rest.
    const observer = new ResizeObserver(() => stayAtEnd());
    observer.observe(box.current);
    const rows = box.current.querySelector("[role=log]")?.firstElementChild;
    if (rows) observer.observe(rows);
    return () => observer.disconnect();
  }, [isLoaded, count === 0]);

  const onScroll = (offset: number) => {
    if (!list.current) return;
    const below = list.current.scrollSize - offset - list.current.viewportSize;
    // Rows that grow move the end away, not the reader: they leave it by going up.
    if (below < NEAR_BOTTOM_PX) isAtEnd.current = true;
    else if (offset < lastOffset.current) isAtEnd.current = false;
    lastOffset.current = offset;
    setAway(below > 4 * NEAR_BOTTOM_PX);
    if (offset < NEAR_TOP_PX) loadOlder?.();
  };
  return { box, list, isPrepending, isAway, onScroll, toEnd };
}

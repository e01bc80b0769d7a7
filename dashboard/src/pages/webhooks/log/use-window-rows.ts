import { type RefObject, useCallback, useEffect, useState } from "react";

const OVERSCAN = 12;
/** The range moves in steps of this many rows: most frames of a scroll change nothing. */
const STEP = 6;

interface RowRange {
  first: number;
  last: number;
  /** The list's head is in view, or still below. */
  atTop: boolean;
}

/** Which rows of a list, that scrolls with the page, are in view. */
export function useWindowRows(list: RefObject<HTMLElement | null>, count: number, height: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, last: Math.min(count, 40) - 1, atTop: true });
  const measure = useCallback(() => {
    if (!list.current) return;
    const top = list.current.getBoundingClientRect().top;
    const visible = Math.floor(-top / height);
    const start = Math.max(0, Math.floor((visible - OVERSCAN) / STEP) * STEP);
    // Some rows are there even where the list is still below the window: the tab key must find them.
    const end = Math.max(OVERSCAN, Math.ceil((visible + window.innerHeight / height + OVERSCAN) / STEP) * STEP);
    const next = {
      first: Math.min(start, Math.max(0, count - 1)),
      last: Math.min(count, end) - 1,
      atTop: top > -height,
    };
    setRange((now) => (now.first === next.first && now.last === next.last && now.atTop === next.atTop ? now : next));
  }, [list, count, height]);
  useEffect(() => {
    measure();
    window.addEventListener("scroll", measure, { passive: true });
    window.addEventListener("resize", measure);
    // The height of what is above the list may change.
    const page = new ResizeObserver(measure);
    page.observe(document.body);
    return () => {
      page.disconnect();
      window.removeEventListener("scroll", measure);
      window.removeEventListener("resize", measure);
    };
  }, [measure]);
  return range;
}

/** A height in rem, by the screen's width: rows grow with the reader's font size. */
export function useRowHeight(wideRem: number, narrowRem: number): number {
  const [height, setHeight] = useState(() => heightNow(wideRem, narrowRem));
  useEffect(() => {
    const measure = () => setHeight(heightNow(wideRem, narrowRem));
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, [wideRem, narrowRem]);
  return height;
}

const heightNow = (wideRem: number, narrowRem: number): number =>
  (window.matchMedia("(width <= 640px)").matches ? narrowRem : wideRem) *
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

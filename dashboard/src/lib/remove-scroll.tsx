import { type ReactNode, useEffect } from "react";

interface RemoveScrollProps {
  children?: ReactNode;
  as?: unknown;
  allowPinchZoom?: boolean;
  shards?: unknown;
}

let locks = 0;

/** Replaces `react-remove-scroll` (see vite.config.ts): a class keeps the page behind a dialog from scrolling. */
export function RemoveScroll({ children }: RemoveScrollProps) {
  useEffect(() => {
    locks += 1;
    // The scrollbar disappears; its width stays free, so that the layout does not shift.
    if (locks === 1) document.body.style.paddingRight = `${window.innerWidth - document.documentElement.clientWidth}px`;
    document.documentElement.classList.add("scroll-locked");
    return () => {
      locks -= 1;
      if (locks > 0) return;
      document.documentElement.classList.remove("scroll-locked");
      document.body.style.paddingRight = "";
    };
  }, []);
  return <>{children}</>;
}

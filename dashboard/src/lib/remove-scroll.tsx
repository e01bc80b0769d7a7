import { type ReactNode, useEffect } from "react";

interface RemoveScrollProps {
  children?: ReactNode;
  as?: unknown;
  allowPinchZoom?: boolean;
  shards?: unknown;
}

let locks = 0;

/** Stands in for `react-remove-scroll` (see vite.config.ts): the page behind a dialog stands still, by a class. */
export function RemoveScroll({ children }: RemoveScrollProps) {
  useEffect(() => {
    locks += 1;
    // The scrollbar goes; what it took is kept free, so that nothing jumps.
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

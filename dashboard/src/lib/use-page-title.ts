import { useEffect } from "react";

let title = "";
let unread = 0;

export function usePageTitle(of: string): void {
  useEffect(() => {
    title = of;
    show();
  }, [of]);
}

/** The number before the title, in every tab. */
export function setUnreadInTitle(count: number): void {
  unread = count;
  if (title !== "") show();
}

function show(): void {
  document.title = `${unread > 0 ? `(${unread}) ` : ""}${title} · Parley`;
}

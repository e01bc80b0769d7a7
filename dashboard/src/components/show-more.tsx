import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  className: string | undefined;
  size?: "small";
  label?: string;
  /** Before the button. */
  children?: ReactNode;
}

/**
 * Loads the next part of the list before it, which is in the same element. With the last part the button disappears: focus
 * then moves to the first row that is new, instead of being lost.
 */
export function ShowMore({ query, className, size, label = t("Show more"), children }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const pressedIn = useRef<{ container: Element; lastHref: string | undefined } | null>(null);
  useEffect(() => {
    if (isFetchingNextPage || !pressedIn.current) return;
    const { container, lastHref } = pressedIn.current;
    pressedIn.current = null;
    if (hasNextPage || document.activeElement !== document.body) return;
    const links = rowLinks(container);
    const last = links.findIndex(({ href }) => href === lastHref);
    (links[last + 1] ?? links.at(-1))?.focus();
  }, [hasNextPage, isFetchingNextPage]);

  function press({ currentTarget }: MouseEvent): void {
    const container = currentTarget.parentElement?.parentElement;
    if (container) pressedIn.current = { container, lastHref: rowLinks(container).at(-1)?.href };
    fetchNextPage();
  }

  if (!hasNextPage) return null;
  return (
    <div className={className}>
      {children}
      <Button {...(size ? { size } : {})} busy={isFetchingNextPage} onClick={press}>
        {label}
      </Button>
    </div>
  );
}

/** The link of each row that has one. */
const rowLinks = (container: Element): HTMLAnchorElement[] =>
  [...container.querySelectorAll("tbody tr, li")].flatMap(
    (row) => row.querySelector<HTMLAnchorElement>("a[href]") ?? [],
  );

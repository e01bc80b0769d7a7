import { PAGE_ID } from "../../../lib/random-id.ts";

/** Each page has a copy of its own, so that two of them do not overwrite each other's. */
export const copyName = (user: number, page: string): string => `parley.unsent.${user}.${page}`;

/** The other pages of which there is a copy. */
export function pagesWithCopies(user: number): string[] {
  try {
    const start = copyName(user, "");
    const pages = Object.keys(localStorage).filter((name) => name.startsWith(start));
    return pages.map((name) => name.slice(start.length)).filter((page) => page !== PAGE_ID);
  } catch {
    // Storage is disabled.
    return [];
  }
}

export const hasCopies = (user: number): boolean => pagesWithCopies(user).length > 0;

import { invalid } from "../../core/errors.ts";
import { decodeListCursor, encodeListCursor } from "./list-cursor.ts";
import { type ListPart, PageQuery, type PagingQuery, PER_PAGE_DEFAULT, PER_PAGE_MAX, UNPAGED_MAX } from "./paging.ts";

const { page, per_page, limit, cursor } = PageQuery;

/**
 * For a list that is short enough to be read as a whole: without any of these the response has all of it, or as much as
 * a response without pages may have, with `meta` and links to the rest.
 */
export const BoundedListQuery = { page, per_page, limit, cursor };

interface BoundedList<T> {
  /** Names the list and what it belongs to: a cursor of another one is refused. */
  name: string;
  workspaceId: number;
  /** Path of the list with numeric ids, for the links. */
  path: string;
  items: readonly T[];
  identityOf: (item: T) => string | number;
}

/** The part of a short list that the query asks for. */
export function partOf<T>(list: BoundedList<T>, query: PagingQuery): ListPart<T> {
  if (query.limit !== undefined || query.cursor !== undefined) return cursorPart(list, query);
  const total = list.items.length;
  if (query.page === undefined && query.per_page === undefined) {
    if (total <= UNPAGED_MAX) return { data: [...list.items] };
    const part = { total, totalIsLowerBound: false, page: 1, perPage: PER_PAGE_MAX, rows: UNPAGED_MAX, hasNext: true };
    const page = { ...part, upToId: null, path: list.path, isUnpaged: true as const };
    return { data: list.items.slice(0, UNPAGED_MAX), page };
  }
  const number = query.page ?? 1;
  const perPage = query.per_page ?? PER_PAGE_DEFAULT;
  const end = number * perPage;
  const data = list.items.slice(end - perPage, end);
  const counts = { total, totalIsLowerBound: false, rows: data.length, hasNext: end < total };
  return { data, page: { ...counts, page: number, perPage, upToId: null, path: list.path } };
}

function cursorPart<T>(list: BoundedList<T>, query: PagingQuery): ListPart<T> {
  const { items, identityOf } = list;
  const start = query.cursor === undefined ? 0 : startAfter(list, query.cursor);
  const end = start + (query.limit ?? PER_PAGE_DEFAULT);
  const data = items.slice(start, end);
  const last = end < items.length ? data.at(-1) : undefined;
  const next = last === undefined ? null : encodeListCursor(list, [identityOf(last), end]);
  return { data, cursor: { next_cursor: next, has_more: next !== null } };
}

/** After the item that the cursor names, wherever it is now; where it was, if it has been deleted. */
function startAfter<T>(list: BoundedList<T>, given: string): number {
  const key = decodeListCursor(list, given);
  if (key === null) throw invalid({ cursor: ["cursor is not a cursor of this list."] });
  const [identity, position] = key;
  const index = list.items.findIndex((item) => list.identityOf(item) === identity);
  return index === -1 ? Math.max(0, Number(position) - 1) : index + 1;
}

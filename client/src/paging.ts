import type { Query, RawResponse, RequestOptions, Transport } from "./transport.ts";

/** One page of a list. */
export interface Page<T> {
  data: T[];
  /** `next_cursor` and `has_more`, or the totals when the query has `page` or `per_page`. */
  meta: Record<string, unknown>;
  hasMore: boolean;
  /** The cursor after this page, where the list has one. */
  nextCursor: string | null;
  /** The page after this one; null at the end. */
  next(): Promise<Page<T> | null>;
}

/** `await` it for the first page, or read it all with `for await`: further pages are requested as they are needed. */
export interface List<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** At most this many records, as an array. */
  take(count: number): Promise<T[]>;
}

const LIMIT = 100;

export function listOf<T>(transport: Transport, path: string, query: Query = {}, options?: RequestOptions): List<T> {
  const isNumbered = query.page !== undefined || query.per_page !== undefined;
  const first = isNumbered ? query : { limit: LIMIT, ...query };
  const read = async (wanted: Query): Promise<Page<T>> => {
    const { body } = await transport.request<T[]>("GET", path, { ...options, query: wanted });
    const following = followingQuery(body, wanted);
    const cursor = body.meta?.next_cursor;
    return {
      data: body.data,
      meta: body.meta ?? {},
      hasMore: following !== null,
      nextCursor: typeof cursor === "string" ? cursor : null,
      next: async () => following && read(following),
    };
  };
  async function* all() {
    for (let page: Page<T> | null = await read(first); page; page = await page.next()) yield* page.data;
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page, as in other clients of paged APIs
    then: (onValue, onError) => read(first).then(onValue, onError),
    [Symbol.asyncIterator]: all,
    async take(count) {
      const found: T[] = [];
      if (count > 0) for await (const item of all()) if (found.push(item) >= count) break;
      return found;
    },
  };
}

function followingQuery({ meta, links }: RawResponse["body"], query: Query): Query | null {
  if (meta && "has_more" in meta) return meta.has_more ? { ...query, cursor: meta.next_cursor } : null;
  return links?.next ? Object.fromEntries(new URL(links.next).searchParams) : null;
}

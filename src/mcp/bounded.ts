import type { List } from "@parley/client";

/** About as much as an assistant can read at once; a list of the API may be thirty times as large. */
const RESULT_CHARS_MAX = 200_000;
/** Records are read a few at a time, so that what is not shown is hardly read either. */
const PAGE = 10;

/**
 * At most this many records, and no more of them than the result of a tool may have characters. The first is always there,
 * whatever its size.
 */
export async function takeBounded<T>(count: number, list: (page: { limit: number }) => List<T>): Promise<T[]> {
  const found: T[] = [];
  let chars = 0;
  for await (const record of list({ limit: Math.min(count, PAGE) })) {
    chars += JSON.stringify(record).length;
    if (found.length > 0 && chars > RESULT_CHARS_MAX) break;
    if (found.push(record) >= count) break;
  }
  return found;
}

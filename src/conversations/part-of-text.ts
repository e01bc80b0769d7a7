import type { Condition } from "../db/list.ts";

interface PartOfText {
  search: string;
  /** The indexed text, which may run fields together. */
  text: string;
  /** The fields as they are, so that no match goes across two of them. */
  fields: string;
  /** Where to find the newest rows of the list. */
  newest: { id: string; table: "contacts" | "conversations"; workspaceId: number };
}

/** An index of three characters each finds nothing shorter. */
const INDEXED_CHARS = 3;
/** How many of the newest rows are searched for a shorter text. */
const SHORT_SEARCH_ROWS = 10_000;

/**
 * What is looked up in the index. A long number is rare, the word next to it may be in every row ("Order 123456"), and the
 * index would read the word's whole list too; that the rest is there as well is checked in the rows found.
 */
const indexedPart = (search: string): string => search.match(/\d{5,}/)?.[0] ?? search;

/** Any part of a text, in any case; `%` and `_` are plain characters. */
export function partCondition({ search, text, fields, newest }: PartOfText): Condition {
  const isPart = `position(lower(?) in lower(${fields})) > 0`;
  if ([...search].length >= INDEXED_CHARS) {
    const pattern = `%${indexedPart(search).replace(/[\\%_]/g, "\\$&")}%`;
    return { name: "part", sql: `lower(${text}) like lower(?) and ${isPart}`, values: [pattern, search], skewed: true };
  }
  const sql = `${newest.id} >= coalesce((
            select id
            from ${newest.table}
            where workspace_id = ?
            order by id desc
            offset ${SHORT_SEARCH_ROWS} limit 1), 0)
          and ${isPart}`;
  return { name: "short_part", sql, values: [newest.workspaceId, search], skewed: true };
}

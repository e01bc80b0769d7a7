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

/** A number that is long, or that begins or ends a word. */
const RARE_NUMBER = /\d{5,}|[^\p{L}\p{N}]\d{3,}|\d{3,}[^\p{L}\p{N}]/u;

/**
 * What is looked up in the index. A number is rare, the word next to it may be in every row ("Order 777"), and the index
 * would read the word's whole list too; that the rest is there as well is checked in the rows found.
 */
const indexedPart = (search: string): string => search.match(RARE_NUMBER)?.[0] ?? search;

const patternOf = (part: string): string => `%${part.replace(/[\\%_]/g, "\\$&")}%`;

/** Any part of a text, in any case; `%` and `_` are plain characters. */
export function partCondition({ search, text, fields, newest }: PartOfText): Condition {
  // Not `position`: the planner knows that few rows are like a long pattern, and then uses the index. Not the expression of
  // the index either, which would be searched for this pattern too.
  const isPart = `lower(concat(${fields})) like lower(?)`;
  if ([...search].length >= INDEXED_CHARS) {
    const patterns = [indexedPart(search), search].map(patternOf);
    return { name: "part", sql: `lower(${text}) like lower(?) and ${isPart}`, values: patterns, skewed: true };
  }
  const sql = `${newest.id} >= coalesce((
            select id
            from ${newest.table}
            where workspace_id = ?
            order by id desc
            offset ${SHORT_SEARCH_ROWS} limit 1), 0)
          and ${isPart}`;
  return { name: "short_part", sql, values: [newest.workspaceId, patternOf(search)], skewed: true };
}

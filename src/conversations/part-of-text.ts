import type { Condition } from "../db/list-sql.ts";
import { prefixOf, workspaceMark } from "./search-words.ts";

interface PartOfText {
  search: string;
  /** The indexed text, which may run fields together. */
  text: string;
  /** The fields as they are, so that no match goes across two of them. */
  fields: string;
  /** The row of the list, and where to find the newest ones. */
  row: { alias: string; table: "contacts" | "conversations"; workspaceId: number };
}

/** An index of three characters each finds nothing shorter. */
const INDEXED_CHARS = 3;
/** How many of the newest rows are searched for a shorter text. */
const SHORT_SEARCH_ROWS = 10_000;

/** A number that begins a word; what is before the first character of a search is unknown. */
const NUMBER_AS_WORD = /(?<=[ -/:-@[-`{-~])\d{3,}/;

/** A number that is long, or that ends a word. */
const RARE_NUMBER = /\d{5,}|\d{3,}[^\p{L}\p{N}]/u;

/**
 * What is looked up in the index of parts. A number is rare, the word next to it may be in every row ("Order 777"), and the
 * index would read the word's whole list too; that the rest is there as well is checked in the rows found.
 */
const indexedPart = (search: string): string => search.match(RARE_NUMBER)?.[0] ?? search;

const patternOf = (part: string): string => `%${part.replace(/[\\%_]/g, "\\$&")}%`;

/** Any part of a text, in any case; `%` and `_` are plain characters. */
export function partCondition({ search, text, fields, row }: PartOfText): Condition {
  const { alias, table, workspaceId } = row;
  // Not `position`: the planner knows that few rows are like a long pattern, and then uses the index. Not the expression of
  // the index either, which would be searched for this pattern too.
  const isPart = `lower(concat(${fields})) like lower(?)`;
  const pattern = patternOf(search);
  const number = search.match(NUMBER_AS_WORD)?.[0];
  if (number !== undefined) {
    const sql = `search_terms(${alias}.workspace_id, ${alias}.id, ${text}) @@ ?::tsquery and ${isPart}`;
    const query = `${workspaceMark(workspaceId)} & ${prefixOf(number)}`;
    return { name: "number_part", sql, values: [query, pattern], skewed: true };
  }
  if ([...search].length >= INDEXED_CHARS) {
    const sql = `lower(${text}) like lower(?) and ${isPart}`;
    return { name: "part", sql, values: [patternOf(indexedPart(search)), pattern], skewed: true };
  }
  const sql = `${alias}.id >= coalesce((
            select id
            from ${table}
            where workspace_id = ?
            order by id desc
            offset ${SHORT_SEARCH_ROWS} limit 1), 0)
          and ${isPart}`;
  return { name: "short_part", sql, values: [workspaceId, pattern], skewed: true };
}

import pg from "pg";
import { formatTimestamp } from "../core/timestamps.ts";

const INT8 = 20;
const INT8_ARRAY = 1016;
const TIMESTAMPTZ = 1184;

/**
 * How values come out of the database: ids as numbers (they stay below 2^53), times as the text the API shows. A column
 * can be returned as it is; where arithmetic is needed the query selects epoch milliseconds instead.
 */
export const parsers = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return Number;
    if (oid === INT8_ARRAY) return numbers;
    if (oid === TIMESTAMPTZ) return timestampText;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

/** One dimension, no nulls. */
function numbers(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}

function timestampText(text: string): string {
  return text.endsWith("+00") && text[4] === "-"
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}+00:00`
    : formatTimestamp(new Date(text));
}

import { createHash } from "node:crypto";

export type Literal = string | number | boolean | null;

/** What one value of a member has to fulfil: a comparison, or to be one of several. */
export type Test = { sql: string; literal: Literal } | { oneOf: readonly Literal[] };

/** How an SQL/JSON path finds out whether a member of the event has such values. What it returns is never unknown. */
export interface Search {
  exists(member: readonly string[]): string;
  /** Whether one of its values fulfils all tests. */
  hasValue(member: readonly string[], tests: readonly Test[]): string;
}

/** Whether it has `values`. */
export const HAS_VALUES = "exists($.values)";

/** In the event itself. Lax mode: a missing member has no value, an array has those of its elements. */
export const inEvent: Search = {
  exists: (member) => `exists(${memberOf(member)}[*])`,
  hasValue: (member, tests) => `exists(${memberOf(member)}[*] ? (${allOn("@", tests)}))`,
};

/** In the `values` of an event with lists (000033_values_of_events.sql): lookups, whose cost hardly grows with the lists. */
export const inValues: Search = {
  exists: (member) => `exists(${valuesOf(member)})`,
  hasValue(member, tests) {
    const [wanted, ...others] = [...tests].sort((one, other) => choices(one) - choices(other)) as [Test, ...Test[]];
    if (choices(wanted) < Number.POSITIVE_INFINITY) return hasKey(member, literalsOf(wanted), others);
    const inRange = tests.flatMap((test) => ("oneOf" in test ? [] : [mayBeIn(test)])).join(" && ");
    return `exists(${valuesOf(member)}.ranges[*] ? (${inRange}).values[*] ? (${allOn("@", tests)}))`;
  },
};

const memberOf = (member: readonly string[]): string => ["$", ...member.map((name) => JSON.stringify(name))].join(".");

/** As long as what replaces a longer one. */
const PATH_BYTES_MAX = 65;

/** Where `values` has those of a member. */
function valuesOf(member: readonly string[]): string {
  let path = "";
  for (const name of member) {
    path += `${Buffer.byteLength(name)}:${name}`;
    if (Buffer.byteLength(path) > PATH_BYTES_MAX) path = `#${createHash("sha256").update(path).digest("hex")}`;
  }
  return `$.values.${JSON.stringify(path)}`;
}

const literalsOf = (test: Test): readonly Literal[] => ("oneOf" in test ? [...new Set(test.oneOf)] : [test.literal]);
/** How many values can fulfil it. */
const choices = (test: Test): number =>
  "oneOf" in test || test.sql === "==" ? literalsOf(test).length : Number.POSITIVE_INFINITY;

function hasKey(member: readonly string[], literals: readonly Literal[], others: readonly Test[]): string {
  const found = literals.map((literal) => {
    const isKey = `exists(@.keys.${JSON.stringify(keyOf(literal))})`;
    return others.length === 0 ? isKey : `(${isKey} && ${allOn(`(${JSON.stringify(literal)})`, others)})`;
  });
  return `exists(${valuesOf(member)} ? (${found.join(" || ")}))`;
}

function keyOf(literal: Literal): string {
  if (typeof literal === "string") return `s${literal}`;
  return typeof literal === "number" ? `n${decimal(literal)}` : String(literal);
}

/** As PostgreSQL writes it: without an exponent. */
function decimal(number: number): string {
  const [, sign, whole, fraction = "", exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(
    JSON.stringify(number),
  ) as unknown as string[];
  const digits = `${whole}${fraction}`;
  const point = (whole as string).length + Number(exponent ?? 0);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, "0")}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Whether a value between `@.from` and `@.to` may fulfil it. */
function mayBeIn({ sql, literal }: { sql: string; literal: Literal }): string {
  const given = JSON.stringify(literal);
  if (sql.startsWith("<")) return `@.from ${sql} ${given}`;
  if (sql.startsWith(">")) return `@.to ${sql} ${given}`;
  return `@.to >= ${given} && (@.from <= ${given} || @.from ${sql} ${given})`;
}

const allOn = (operand: string, tests: readonly Test[]): string => tests.map((test) => on(operand, test)).join(" && ");

const on = (operand: string, test: Test): string =>
  "oneOf" in test ? equalsOneOf(operand, test.oneOf) : `${operand} ${test.sql} ${JSON.stringify(test.literal)}`;

/** Above this many values a tree of comparisons is cheaper than one comparison after the other. */
const LISTED_MAX = 8;

/** One of 1,000 values is found with about 20 comparisons. */
function equalsOneOf(operand: string, values: readonly Literal[]): string {
  const unique = [...new Set(values)];
  const texts = unique.filter((value) => typeof value === "string");
  const numbers = unique.filter((value) => typeof value === "number");
  const others = unique.filter((value) => value === null || typeof value === "boolean");
  // In the order of jsonpath: by code points.
  texts.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  numbers.sort((one, other) => one - other);
  const parts = [ofType(operand, "string", texts), ofType(operand, "number", numbers), oneOfSorted(operand, others)];
  return `(${parts.filter((part) => part !== "").join(" || ")})`;
}

/** A comparison of two types is unknown, and `&&` does not stop at that: the tree is for values of its type only. */
const ofType = (operand: string, type: "string" | "number", values: readonly Literal[]): string =>
  values.length <= LISTED_MAX
    ? oneOfSorted(operand, values)
    : `${operand}.type() == "${type}" && ${oneOfSorted(operand, values)}`;

function oneOfSorted(operand: string, values: readonly Literal[]): string {
  if (values.length <= LISTED_MAX) return values.map((value) => `${operand} == ${JSON.stringify(value)}`).join(" || ");
  const half = values.length >> 1;
  const middle = JSON.stringify(values[half]);
  const [below, above] = [values.slice(0, half), values.slice(half)].map((part) => oneOfSorted(operand, part));
  return `(${operand} < ${middle} && (${below}) || ${operand} >= ${middle} && (${above}))`;
}

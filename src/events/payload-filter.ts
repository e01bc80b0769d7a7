import { suggestion } from "../core/suggest.ts";

/** A filter as it was given: an object that mirrors the event. */
export type PayloadFilter = Record<string, unknown>;

/** `path` is an SQL/JSON path predicate about the event's body; null: every event matches. */
type ParsedFilter = { ok: true; path: string | null } | { ok: false; problems: string[] };

type Literal = string | number | boolean | null;

const FILTER_BYTES_MAX = 4_096;
const LEVELS_MAX = 8;
const CONDITIONS_MAX = 50;

/** Conditions about one value of the event, `@`, and the kinds of literals that each of them takes. */
export const COMPARISONS = {
  $eq: { takes: ["string", "number", "boolean", "null"], sql: "==" },
  $gt: { takes: ["string", "number"], sql: ">" },
  $gte: { takes: ["string", "number"], sql: ">=" },
  $lt: { takes: ["string", "number"], sql: "<" },
  $lte: { takes: ["string", "number"], sql: "<=" },
  $startsWith: { takes: ["string"], sql: "starts with" },
} as const;
type Comparison = keyof typeof COMPARISONS;

const OPERATORS = [...Object.keys(COMPARISONS), "$ne", "$in", "$nin", "$exists"];
const CONNECTIVES = ["$and", "$or", "$not"];
const DOLLAR_NAMES = [...OPERATORS, ...CONNECTIVES];

/** A position in the filter, for messages, and the member of the event that it is about. */
interface Place {
  name: string;
  /** An SQL/JSON path from the event's root; null at the root itself. */
  member: string | null;
  /** Of objects, the filter itself being the first. */
  level: number;
  /** What was found in the whole filter so far. */
  found: { problems: string[]; conditions: number };
}

/** The predicate that nothing has to fulfil. */
const TRUE = "";
const FALSE = "(1 == 0)";

/**
 * Compiles a filter to an SQL/JSON path, or says what is wrong with it, and where. Values are compared with literals only,
 * so an accepted filter costs no more than a fixed multiple of reading the event. Each member is found by its path from the
 * root (lax mode: a missing member has no value, an array has those of its elements) and tested within `exists`, which is
 * never unknown: that is why `!` is a plain negation.
 */
export function parseFilter(filter: unknown): ParsedFilter {
  if (!isObject(filter)) return { ok: false, problems: ["filter must be an object."] };
  if (Buffer.byteLength(JSON.stringify(filter)) > FILTER_BYTES_MAX)
    return { ok: false, problems: [`filter must not be larger than ${FILTER_BYTES_MAX} bytes as JSON.`] };
  const found = { problems: [] as string[], conditions: 0 };
  const predicate = compile(filter, { name: "filter", member: null, level: 1, found });
  if (found.conditions > CONDITIONS_MAX)
    found.problems.push(`filter must not have more than ${CONDITIONS_MAX} leaves and operators together.`);
  if (found.problems.length > 0) return { ok: false, problems: found.problems };
  return { ok: true, path: predicate === TRUE ? null : predicate };
}

function compile(value: unknown, place: Place): string {
  if (isObject(value)) return compileObject(value, place);
  place.found.conditions += 1;
  if (Array.isArray(value)) return isOneOf(place, literals(value, place));
  return isOneOf(place, [value as Literal]);
}

function compileObject(value: Record<string, unknown>, place: Place): string {
  if (place.level > LEVELS_MAX)
    return refuse(place, `${place.name} is more than ${LEVELS_MAX} levels of objects deep.`);
  const entries = Object.entries(value);
  const operators = entries.filter(([name]) => OPERATORS.includes(name));
  const others = entries.filter(([name]) => !OPERATORS.includes(name));
  return allOf([
    ...others.map(([name, inner]) => {
      const here = { ...place, name: `${place.name}.${name}`, level: place.level + 1 };
      if (CONNECTIVES.includes(name)) return connect(name, inner, here);
      if (name.startsWith("$"))
        return refuse(here, `${here.name} is not an operator.${suggestion(name, DOLLAR_NAMES)}`);
      if (operators.length > 0) return refuse(here, `${here.name} cannot stand next to an operator.`);
      return compile(inner, { ...here, member: `${place.member ?? "$"}.${JSON.stringify(name)}` });
    }),
    ...compileOperators(operators, place),
  ]);
}

function connect(name: string, inner: unknown, here: Place): string {
  here.found.conditions += 1;
  if (name === "$not") {
    if (!isObject(inner)) return refuse(here, `${here.name} must be a filter.`);
    const negated = compile(inner, here);
    return negated === TRUE ? FALSE : `!(${negated})`;
  }
  if (!Array.isArray(inner) || inner.length === 0) return refuse(here, `${here.name} must be an array of filters.`);
  const filters = inner.map((filter, index) => {
    const item = { ...here, name: `${here.name}[${index}]` };
    return isObject(filter) ? compile(filter, item) : refuse(item, `${item.name} must be a filter.`);
  });
  if (name === "$and") return allOf(filters);
  return filters.includes(TRUE) ? TRUE : `(${filters.join(" || ")})`;
}

/** One element of an array has to satisfy all comparisons; no element may be equal to those of `$ne` and `$nin`. */
function compileOperators(operators: [string, unknown][], place: Place): string[] {
  if (operators.length === 0) return [];
  place.found.conditions += operators.length;
  if (place.member === null) return [refuse(place, `${place.name}.${operators[0]?.[0]} needs a member to compare.`)];
  const parts: string[] = [];
  const comparisons: string[] = [];
  for (const [operator, value] of operators) {
    const here = { ...place, name: `${place.name}.${operator}` };
    if (operator === "$exists") parts.push(existence(value, here));
    else if (operator === "$ne") parts.push(`!${isOneOf(here, [comparable("$eq", value, here)])}`);
    else if (operator === "$nin") parts.push(`!${isOneOf(here, literals(value, here))}`);
    else if (operator === "$in") comparisons.push(equalsOneOf(literals(value, here)));
    else comparisons.push(comparison(operator as Comparison, value, here));
  }
  return comparisons.length > 0 ? [...parts, hasValue(place, comparisons.join(" && "))] : parts;
}

function existence(value: unknown, here: Place): string {
  if (typeof value !== "boolean") return refuse(here, `${here.name} must be true or false.`);
  return `${value ? "" : "!"}exists(${here.member}[*])`;
}

const comparison = (operator: Comparison, value: unknown, here: Place): string =>
  `@ ${COMPARISONS[operator].sql} ${JSON.stringify(comparable(operator, value, here))}`;

function comparable(operator: Comparison, value: unknown, here: Place): Literal {
  const takes: readonly string[] = COMPARISONS[operator].takes;
  if (takes.includes(value === null ? "null" : typeof value)) return value as Literal;
  const kinds = takes.length === 1 ? takes[0] : `${takes.slice(0, -1).join(", ")} or ${takes.at(-1)}`;
  refuse(here, `${here.name} must be a ${kinds}.`);
  return null;
}

function literals(values: unknown, here: Place): Literal[] {
  if (Array.isArray(values) && values.length > 0 && values.every(isLiteral)) return values;
  refuse(here, `${here.name} must be an array of one or more strings, numbers, booleans or nulls.`);
  return [null];
}

function refuse({ found }: Place, problem: string): string {
  found.problems.push(problem);
  return TRUE;
}

const allOf = (parts: string[]): string => {
  const conditions = parts.filter((part) => part !== TRUE);
  return conditions.length > 1 ? `(${conditions.join(" && ")})` : (conditions[0] ?? TRUE);
};
const isOneOf = (place: Place, values: Literal[]): string => hasValue(place, equalsOneOf(values));
const hasValue = ({ member }: Place, condition: string): string => `exists(${member}[*] ? (${condition}))`;

/** Above this many values a tree of comparisons is cheaper than one comparison after the other. */
const LISTED_MAX = 8;

/**
 * One of 1,000 values is found with about 20 comparisons: one after the other, a filter of 4 KiB took 1.6 s for the largest
 * event.
 */
function equalsOneOf(values: Literal[]): string {
  const unique = [...new Set(values)];
  const texts = unique.filter((value) => typeof value === "string");
  const numbers = unique.filter((value) => typeof value === "number");
  const others = unique.filter((value) => value === null || typeof value === "boolean");
  // In the order of jsonpath: by code points.
  texts.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  numbers.sort((one, other) => one - other);
  const parts = [ofType("string", texts), ofType("number", numbers), oneOfSorted(others)];
  return `(${parts.filter((part) => part !== "").join(" || ")})`;
}

/** A comparison of two types is unknown, and `&&` does not stop at that: the tree is for values of its type only. */
const ofType = (type: "string" | "number", values: readonly Literal[]): string =>
  values.length <= LISTED_MAX ? oneOfSorted(values) : `@.type() == "${type}" && ${oneOfSorted(values)}`;

function oneOfSorted(values: readonly Literal[]): string {
  if (values.length <= LISTED_MAX) return values.map((value) => `@ == ${JSON.stringify(value)}`).join(" || ");
  const half = values.length >> 1;
  const middle = JSON.stringify(values[half]);
  const [below, above] = [oneOfSorted(values.slice(0, half)), oneOfSorted(values.slice(half))];
  return `(@ < ${middle} && (${below}) || @ >= ${middle} && (${above}))`;
}

const isLiteral = (value: unknown): value is Literal =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import { suggestion } from "../core/suggest.ts";
import { HAS_VALUES, inEvent, inValues, type Literal, type Search, type Test } from "./filter-search.ts";

/** A filter as it was given: an object that mirrors the event. */
export type PayloadFilter = Record<string, unknown>;

/** `path` is an SQL/JSON path predicate about the searchable event; null: every event matches. */
type ParsedFilter = { ok: true; path: string | null } | { ok: false; problems: string[] };

const FILTER_BYTES_MAX = 4_096;
const LEVELS_MAX = 8;
const CONDITIONS_MAX = 50;

/** Conditions about one value of the event, and the kinds of literals that each of them takes. */
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
  /** The names on the way to it from the event's root. */
  member: readonly string[];
  /** Of objects, the filter itself being the first. */
  level: number;
  search: Search;
  /** What was found in the whole filter so far. */
  found: { problems: string[]; conditions: number };
}

/** The predicate that nothing has to fulfil. */
const TRUE = "";
const FALSE = "(1 == 0)";

/**
 * Compiles a filter to an SQL/JSON path, or says what is wrong with it, and where. Values are compared with literals only,
 * so an accepted filter costs no more than a fixed multiple of reading the event. The path has the filter twice, for the two
 * ways in which an event is searched. Every condition is one of `exists`, which is never unknown: that is why `!` is a plain
 * negation.
 */
export function parseFilter(filter: unknown): ParsedFilter {
  if (!isObject(filter)) return { ok: false, problems: ["filter must be an object."] };
  if (Buffer.byteLength(JSON.stringify(filter)) > FILTER_BYTES_MAX)
    return { ok: false, problems: [`filter must not be larger than ${FILTER_BYTES_MAX} bytes as JSON.`] };
  const found = { problems: [] as string[], conditions: 0 };
  const place = { name: "filter", member: [], level: 1, found };
  const plain = compile(filter, { ...place, search: inEvent });
  if (found.conditions > CONDITIONS_MAX)
    found.problems.push(`filter must not have more than ${CONDITIONS_MAX} leaves and operators together.`);
  if (found.problems.length > 0) return { ok: false, problems: found.problems };
  if (plain === TRUE) return { ok: true, path: null };
  const indexed = compile(filter, { ...place, search: inValues });
  return { ok: true, path: `(!${HAS_VALUES} && ${plain}) || (${HAS_VALUES} && ${indexed})` };
}

/** Whether the payload of an event matches a path. To try many paths on one event, make it searchable once. */
export const matchesSql = (payload: string, path: string): string => `${searchableSql(payload)} @@ ${path}`;
export const searchableSql = (payload: string): string => `searchable(${payload}::jsonb)`;

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
      return compile(inner, { ...here, member: [...place.member, name] });
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
  if (place.member.length === 0)
    return [refuse(place, `${place.name}.${operators[0]?.[0]} needs a member to compare.`)];
  const parts: string[] = [];
  const tests: Test[] = [];
  for (const [operator, value] of operators) {
    const here = { ...place, name: `${place.name}.${operator}` };
    if (operator === "$exists") parts.push(existence(value, here));
    else if (operator === "$ne") parts.push(`!${isOneOf(here, [comparable("$eq", value, here)])}`);
    else if (operator === "$nin") parts.push(`!${isOneOf(here, literals(value, here))}`);
    else if (operator === "$in") tests.push({ oneOf: literals(value, here) });
    else tests.push(comparison(operator as Comparison, value, here));
  }
  return tests.length > 0 ? [...parts, place.search.hasValue(place.member, tests)] : parts;
}

function existence(value: unknown, here: Place): string {
  if (typeof value !== "boolean") return refuse(here, `${here.name} must be true or false.`);
  return `${value ? "" : "!"}${here.search.exists(here.member)}`;
}

const comparison = (operator: Comparison, value: unknown, here: Place): Test => ({
  sql: COMPARISONS[operator].sql,
  literal: comparable(operator, value, here),
});

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
const isOneOf = ({ search, member }: Place, oneOf: Literal[]): string => search.hasValue(member, [{ oneOf }]);

const isLiteral = (value: unknown): value is Literal =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

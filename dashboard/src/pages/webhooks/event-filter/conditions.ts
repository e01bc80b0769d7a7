/** A filter as the API takes it: an object that mirrors the event. */
export type EventFilter = Record<string, unknown>;

type Literal = string | number | boolean | null;

/** What the values of a field are; `any`: not known, so that a number or a word may stand there. */
export type ValueKind = "text" | "number" | "truth" | "any";
export type KindOf = (path: string) => ValueKind;

/** How many values each operator compares with. */
export const OPERATORS = {
  is: "one",
  isNot: "one",
  in: "many",
  notIn: "many",
  startsWith: "one",
  above: "one",
  atLeast: "one",
  below: "one",
  atMost: "one",
  empty: "none",
  notEmpty: "none",
  present: "none",
  missing: "none",
} as const;
export type Operator = keyof typeof OPERATORS;

const NAMES = {
  $gt: "above",
  $gte: "atLeast",
  $lt: "below",
  $lte: "atMost",
  $startsWith: "startsWith",
} as const satisfies Record<string, Operator>;
const NAME_OF = Object.fromEntries(Object.entries(NAMES).map(([name, operator]) => [operator, name]));

export interface Condition {
  /** A stable key for React while other rows are removed. */
  row: number;
  /** `data.direction` */
  path: string;
  operator: Operator;
  /** As it is typed; several are separated by commas. */
  value: string;
}

export interface Conditions {
  match: "all" | "any";
  rows: Condition[];
}

/** The filter that these conditions come to; null: nothing is left out. A row without field or value says nothing yet. */
export function filterOf({ match, rows }: Conditions, kindOf: KindOf): EventFilter | null {
  const leaves = rows
    .filter(isComplete)
    .map(({ path, ...row }) => ({ path: path.trim().split("."), leaf: leafOf(row, kindOf(path.trim())) }));
  if (leaves.length === 0) return null;
  if (match === "any" && leaves.length > 1) return { $or: leaves.map(({ path, leaf }) => nest({}, path, leaf)) };
  const filter: EventFilter = {};
  // A member can stand in one object once only.
  const again: EventFilter[] = [];
  for (const { path, leaf } of leaves) if (!nest(filter, path, leaf)) again.push(nest({}, path, leaf) as EventFilter);
  return again.length > 0 ? { ...filter, $and: again } : filter;
}

const isComplete = ({ path, operator, value }: Condition): boolean =>
  path.trim() !== "" && !path.split(".").includes("") && (OPERATORS[operator] === "none" || value.trim() !== "");

/** Adds a leaf below its path; null: another one is there already. */
function nest(filter: EventFilter, path: readonly string[], leaf: unknown): EventFilter | null {
  let object = filter;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(object, name) ? object[name] : {};
    if (!isMembers(inner)) return null;
    object[name] = inner;
    object = inner;
  }
  const last = path.at(-1) as string;
  if (Object.hasOwn(object, last)) return null;
  object[last] = leaf;
  return filter;
}

function leafOf({ operator, value }: Pick<Condition, "operator" | "value">, kind: ValueKind): unknown {
  if (operator === "empty") return null;
  if (operator === "notEmpty") return { $ne: null };
  if (operator === "present" || operator === "missing") return { $exists: operator === "present" };
  if (operator === "in" || operator === "notIn") {
    const values = value
      .split(",")
      .filter((part) => part.trim() !== "")
      .map((part) => literalOf(part.trim(), kind));
    return operator === "in" ? values : { $nin: values };
  }
  const literal = literalOf(value, kind);
  if (operator === "is") return literal;
  return { [NAME_OF[operator] ?? "$ne"]: literal };
}

function literalOf(text: string, kind: ValueKind): Literal {
  if (kind === "text") return text;
  const literal = parsedLiteral(text.trim());
  if (literal === undefined) return text;
  return kind === "any" || typeof literal === (kind === "number" ? "number" : "boolean") ? literal : text;
}

/** Undefined: it is a word, not a value of JSON. */
function parsedLiteral(text: string): Literal | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? undefined : (value as Literal);
  } catch {
    return undefined;
  }
}

/** The rows that a filter comes to; null: it says more than rows can. */
export function conditionsOf(filter: EventFilter | null, kindOf: KindOf): Conditions | null {
  if (filter === null) return { match: "all", rows: [] };
  const names = Object.keys(filter);
  const isAny = names.length === 1 && names[0] === "$or" && Array.isArray(filter.$or);
  const parts = isAny ? (filter.$or as unknown[]).map((part) => partsOf(part, [])) : [partsOf(filter, [])];
  if (parts.some((found) => found === null || (isAny && found.length !== 1))) return null;
  const rows = parts.flatMap((found) => found ?? []).map((leaf, row) => conditionOf(leaf, { row, kindOf }));
  return rows.includes(null) ? null : { match: isAny ? "any" : "all", rows: rows as Condition[] };
}

interface Leaf {
  path: string[];
  leaf: unknown;
}

/** The leaves that all have to match; null: not all of them stand alone. */
function partsOf(value: unknown, path: string[]): Leaf[] | null {
  if (!isMembers(value)) return path.length > 0 ? [{ path, leaf: value }] : null;
  const found: Leaf[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const isAnd = name === "$and" && path.length === 0 && Array.isArray(inner);
    if ((name.startsWith("$") && !isAnd) || name.includes(".") || name === "") return null;
    const parts = isAnd ? inner.map((part) => partsOf(part, [])) : [partsOf(inner, [...path, name])];
    if (parts.includes(null)) return null;
    found.push(...(parts as Leaf[][]).flat());
  }
  return found.length > 0 || path.length === 0 ? found : null;
}

/** Null: no row says the same. */
function conditionOf({ path, leaf }: Leaf, { row, kindOf }: { row: number; kindOf: KindOf }): Condition | null {
  const name = path.join(".");
  const kind = kindOf(name);
  const condition = (operator: Operator, value: string | null = ""): Condition | null =>
    value === null || (value.trim() === "" && OPERATORS[operator] !== "none")
      ? null
      : { row, path: name, operator, value };
  if (leaf === null) return condition("empty");
  if (Array.isArray(leaf)) return condition("in", listText(leaf, kind));
  if (typeof leaf !== "object") return condition("is", textOf(leaf, kind));
  const [[operator, value] = ["", null], ...others] = Object.entries(leaf);
  if (others.length > 0) return null;
  if (operator === "$exists" && typeof value === "boolean") return condition(value ? "present" : "missing");
  if (operator === "$ne" && value === null) return condition("notEmpty");
  if (operator === "$ne") return condition("isNot", textOf(value, kind));
  if (operator === "$eq") return value === null ? condition("empty") : condition("is", textOf(value, kind));
  if (operator === "$in" || operator === "$nin")
    return Array.isArray(value) ? condition(operator === "$in" ? "in" : "notIn", listText(value, kind)) : null;
  return Object.hasOwn(NAMES, operator) ? condition(NAMES[operator as keyof typeof NAMES], textOf(value, kind)) : null;
}

/** Null: typed again it would be another value. */
function textOf(value: unknown, kind: ValueKind): string | null {
  if (value === null || typeof value === "object") return null;
  const plain = String(value);
  const text = literalOf(plain, kind) === value ? plain : JSON.stringify(value);
  return literalOf(text, kind) === value ? text : null;
}

function listText(values: readonly unknown[], kind: ValueKind): string | null {
  const texts = values.map((value) => textOf(value, kind));
  if (texts.some((text) => text === null || text.includes(",") || text.trim() !== text || text === "")) return null;
  return texts.join(", ");
}

/** An object whose names are members of the event or connectives, not operators. */
const isMembers = (value: unknown): value is EventFilter =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !Object.keys(value).some((name) => name.startsWith("$") && !["$and", "$or", "$not"].includes(name));

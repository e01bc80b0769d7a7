import type { TSchema } from "typebox";

/** The names that a schema knows. Built once per route, so that a request only pays for looking its own names up. */
export interface KnownNames {
  /** With the names inside each field; null: there is nothing to look at inside. */
  fields: ReadonlyMap<string, KnownNames | null>;
  /** Any other name may be given, too: what is known inside its value. Absent: other names are unknown. */
  others?: KnownNames | null;
  /** Inside each item, where the value is a list. */
  items: KnownNames | null;
}

/** Where an unknown name is, from the outside in; items of a list by their number. */
export type UnknownPath = readonly string[];

export const NO_NAMES: KnownNames = { fields: new Map(), items: null };

/** The more there are, the less any of them is a typing error. */
const FOUND_MAX = 50;

/** Null: a scalar or a free value, whose inside is not ours to know. */
export function knownNamesOf(schema: TSchema): KnownNames | null {
  const { properties, patternProperties, additionalProperties, items, anyOf, oneOf, allOf } = schema as Schema;
  const branches = [anyOf, oneOf, allOf].flatMap((list) => list ?? []);
  if (branches.length > 0) return merged(branches.map(knownNamesOf));
  if (items) {
    const inside = knownNamesOf(items);
    return inside && { ...NO_NAMES, others: null, items: inside };
  }
  if (!properties && !patternProperties && !isSchema(additionalProperties)) return null;
  const rest = [
    ...Object.values(patternProperties ?? {}),
    ...(isSchema(additionalProperties) ? [additionalProperties] : []),
  ];
  return {
    fields: new Map(Object.entries(properties ?? {}).map(([name, inner]) => [name, knownNamesOf(inner)])),
    ...(rest.length > 0 || additionalProperties === true ? { others: merged(rest.map(knownNamesOf)) } : {}),
    items: null,
  };
}

/** The paths of what `value` names and `known` does not. */
export function unknownNames(known: KnownNames, value: object): UnknownPath[] {
  const found: UnknownPath[] = [];
  collect(known, value, [], found);
  return found;
}

interface Schema {
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: boolean | TSchema;
  items?: TSchema;
  anyOf?: TSchema[];
  oneOf?: TSchema[];
  allOf?: TSchema[];
}

const isSchema = (value: boolean | TSchema | undefined): value is TSchema => typeof value === "object";

/** Any name may be given, and any value: listing the names of a megabyte of attributes took 24 ms. */
const isFree = ({ fields, others, items }: KnownNames): boolean => fields.size === 0 && others === null && !items;

function collect(known: KnownNames, value: object, path: UnknownPath, found: UnknownPath[]): void {
  if (isFree(known)) return;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (found.length >= FOUND_MAX) return;
    const inside = isList ? known.items : (known.fields.get(name) ?? (known.fields.has(name) ? null : known.others));
    if (inside === undefined) found.push([...path, name]);
    if (!inside) continue;
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === "object" && inner !== null) collect(inside, inner, [...path, name], found);
  }
}

/** What one of several forms knows is known: which form was meant is for the validation to say. */
function merged(forms: readonly (KnownNames | null)[]): KnownNames | null {
  const present = forms.filter((form) => form !== null);
  if (present.length === 0) return null;
  const names = new Set(present.flatMap(({ fields }) => [...fields.keys()]));
  const open = present.filter(({ others }) => others !== undefined);
  return {
    fields: new Map([...names].map((name) => [name, merged(present.map(({ fields }) => fields.get(name) ?? null))])),
    ...(open.length > 0 ? { others: merged(open.map(({ others }) => others ?? null)) } : {}),
    items: merged(present.map(({ items }) => items)),
  };
}

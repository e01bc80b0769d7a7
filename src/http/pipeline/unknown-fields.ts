import type { FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { FieldErrors } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import { type KnownNames, knownNamesOf, NO_NAMES, type UnknownPath, unknownNames } from "./known-names.ts";
import type { RouteSpec } from "./route.ts";
import { pathOf } from "./storable.ts";

export const Warning = Type.Object(
  {
    field: Type.String({
      description: "The unknown field or query parameter; a dotted path where it is inside another.",
    }),
    message: Type.String({ description: "What is wrong with it, with the nearest known name." }),
  },
  { title: "Warning" },
);

/** A name in a request that its route does not know. */
export interface UnknownField {
  /** A dotted path where it is inside another field. */
  field: string;
  /** The name of the body's own field, or of the query parameter. */
  top: string;
  /** What is wrong, without a full stop. */
  problem: string;
  /** ` Did you mean x?`, or empty. */
  hint: string;
}

const NAME_CHARS_MAX = 100;
const FIELD = "field";
const PARAMETER = "query parameter";

/** Returns a function that finds what a request names and its route does not know; null, in nearly every request. */
export function unknownFieldFinder(spec: RouteSpec): (request: FastifyRequest) => UnknownField[] | null {
  const inBody = (spec.body && knownNamesOf(spec.body)) ?? NO_NAMES;
  const inQuery = (spec.query && knownNamesOf(spec.query)) ?? NO_NAMES;
  return ({ query, body, ignoredBody }) => {
    const given = spec.body ? body : ignoredBody;
    const fields = given ? unknownNames(inBody, given as object) : [];
    const parameters = unknownNames(inQuery, query as object);
    if (fields.length + parameters.length === 0) return null;
    const readable = spec.success.data;
    return [
      ...fields.map((path) => describe(path, { kind: FIELD, known: inBody, elsewhere: inQuery, readable })),
      ...parameters.map((path) => describe(path, { kind: PARAMETER, known: inQuery, elsewhere: inBody, readable })),
    ];
  };
}

/** For the envelope of a success. */
export const warningsOf = (unknown: readonly UnknownField[]) =>
  unknown.map(({ field, problem, hint }) => ({ field, message: `${problem} and was ignored.${hint}` }));

/** For a request that wants them refused. */
export function unknownProblems(unknown: readonly UnknownField[]): FieldErrors {
  const byName = new Map<string, string[]>();
  for (const { top, problem, hint } of unknown) byName.set(top, [...(byName.get(top) ?? []), `${problem}.${hint}`]);
  return Object.fromEntries(byName);
}

/** RFC 7240: of several preferences with the same name the first counts. */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  if (prefer === undefined) return false;
  if (prefer === STRICT) return true;
  const handling = String(prefer)
    .split(",")
    .map((preference) => /^\s*handling\s*=\s*"?(\w*)"?\s*(?:;|$)/i.exec(preference)?.[1])
    .find((value) => value !== undefined);
  return handling?.toLowerCase() === "strict";
}

export const STRICT = "handling=strict";

interface Surroundings {
  kind: typeof FIELD | typeof PARAMETER;
  known: KnownNames;
  /** What the other part of the request knows: the query string for a field of the body. */
  elsewhere: KnownNames;
  /** The record that the route returns: a name in it is known, but cannot be set. */
  readable: TSchema;
}

function describe(path: UnknownPath, { kind, known, elsewhere, readable }: Surroundings): UnknownField {
  const [top = "", ...inside] = path.map(shown);
  const field = pathOf(top, inside);
  const name = path.at(-1) ?? "";
  const siblings = [...(namesAt(known, path.slice(0, -1))?.fields.keys() ?? [])];
  const sentence = (problem: string, hint = "") => ({ field, top, problem: `${field} ${problem}`, hint });
  if (path.length === 1 && elsewhere.fields.has(name))
    return sentence(`is not a ${kind} but a ${kind === FIELD ? PARAMETER : FIELD}`);
  if (kind === FIELD && isReadable(readable, path)) {
    const settable = `${name}_id`;
    return sentence("is read-only", siblings.includes(settable) ? ` Did you mean ${settable}?` : "");
  }
  return sentence(`is not a known ${kind}`, siblings.length > 0 ? suggestion(shown(name), siblings) : "");
}

const shown = (name: string): string => (name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name);

const namesAt = (known: KnownNames, path: UnknownPath): KnownNames | null =>
  path.reduce<KnownNames | null>((at, step) => at && (at.items ?? at.fields.get(step) ?? at.others ?? null), known);

function isReadable(schema: TSchema, path: UnknownPath): boolean {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  const [first = "", ...rest] = path;
  if (path.length === 0) return true;
  if (items) return /^\d+$/.test(first) && isReadable(items, rest);
  return properties !== undefined && Object.hasOwn(properties, first) && isReadable(properties[first] as TSchema, rest);
}

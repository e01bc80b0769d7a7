import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TObject, TSchema } from "typebox";
import { NAME_PATTERN, NAME_PROBLEM } from "../../core/control-characters.ts";
import { Fault, type FieldErrors } from "../../core/errors.ts";
import { parseTimestamp } from "../../core/timestamps.ts";
import { findUnstorable, pathOf } from "./storable.ts";

/**
 * Strict JSON types, every wrong field at once, `null` for absent, unknown fields dropped. Annotations that our schemas
 * use beyond JSON Schema: `trim` (a name), `x-null` (null is a value of this field), `x-either` and the format `timestamp` (any ISO 8601 form; handlers get a Date).
 */
const ajv = new Ajv({ allErrors: true, coerceTypes: false, useDefaults: false, strict: false, verbose: true });
addFormats.default(ajv, ["uuid"]);
ajv.addFormat("not-blank", { type: "string", validate: (text: string) => text.trim() !== "" });
ajv.addFormat("no-blanks", { type: "string", validate: (text: string) => !/\s/.test(text) });
ajv.addFormat("web-url", {
  type: "string",
  validate: (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text),
});
ajv.addFormat("email-address", { type: "string", validate: (text: string) => /^\s*([^\s@]+@[^\s@]+)?\s*$/.test(text) });
ajv.addFormat("color", { type: "string", validate: (text: string) => /^#[0-9a-f]{6}$/i.test(text) });
ajv.addFormat("timestamp", { type: "string", validate: (text: string) => parseTimestamp(text) !== null });

/** Exactly one of these fields is given. */
ajv.addKeyword({
  keyword: "x-either",
  type: "object",
  schemaType: "array",
  validate: (names: string[], data: Record<string, unknown>) =>
    names.filter((name) => data[name] !== undefined && data[name] !== null).length === 1,
  error: { message: ({ schema }) => `must have either ${(schema as string[]).join(" or ")}` },
});

type Part = Pick<TObject, "properties">;

/**
 * One compiler for bodies and query strings; Fastify calls it once per route and part. The schema itself is compiled with the
 * first request: all of them at the start would take as long as everything else that a start does.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = schema as TObject;
  let validate: ValidateFunction | undefined;
  const prepare = httpPart === "querystring" ? prepareQuery : prepareBody;
  return (data: unknown) => {
    validate ??= ajv.compile(part);
    const value = prepare(part, (data ?? {}) as Record<string, unknown>);
    const details = problemsOf(validate, value);
    if (!details) return { value: toDates(part, value) };
    for (const field of Object.keys(details))
      keepRightItems(value, part.properties[field], { field, errors: validate.errors ?? [] });
    return { error: new InvalidPart(details, toDates(part, value)) };
  };
};

/**
 * A wrong field is left out, so that no check of a route sees it. Of a list of strings only the wrong items are: they
 * become holes, which array methods skip, so that a check reports what is wrong with the others, by their own numbers.
 */
function keepRightItems(
  value: Record<string, unknown>,
  schema: TSchema | undefined,
  { field, errors }: { field: string; errors: readonly ErrorObject[] },
): void {
  const list = value[field];
  const ofStrings = (schema as { items?: { type?: string } } | undefined)?.items?.type === "string";
  const paths = errors.map(({ instancePath }) => instancePath.split("/").slice(1)).filter(([first]) => first === field);
  const hasOnlyWrongItems = paths.length > 0 && paths.every(({ length }) => length === 2);
  if (!Array.isArray(list) || !ofStrings || !hasOnlyWrongItems || findUnstorable(list, { isKnown: true })) {
    delete value[field];
    return;
  }
  const right = [...list];
  for (const [, index] of paths) delete right[Number(index)];
  value[field] = right;
}

/** What is wrong with a body or query string, and the fields that are not. */
export class InvalidPart extends Fault {
  readonly rest: Record<string, unknown>;
  constructor(details: FieldErrors, rest: Record<string, unknown>) {
    super("VALIDATION_ERROR", "The given data was invalid.", { details });
    this.rest = rest;
  }
}

/** Whether the schema refused one of these fields, so that a check does not call it missing. */
export const isFailed = ({ validationError }: Pick<FastifyRequest, "validationError">, ...fields: string[]): boolean =>
  validationError instanceof InvalidPart && fields.some((field) => validationError.details?.[field] !== undefined);

function prepareBody(schema: Part, body: Record<string, unknown>): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (given === undefined || (given === null && !("x-null" in property))) continue;
    value[name] = typeof given === "string" && "trim" in property ? given.trim() : shortened(property, given);
  }
  return value;
}

/**
 * A list that is too long is left one item too long, and so refused: a megabyte of wrong items would otherwise be half a
 * million errors, and hours in which no other request is served.
 */
function shortened(schema: TSchema, given: unknown): unknown {
  const { maxItems, properties = {} } = schema as { maxItems?: number; properties?: Record<string, TSchema> };
  if (Array.isArray(given)) return maxItems === undefined ? given : given.slice(0, maxItems + 1);
  if (typeof given !== "object" || given === null) return given;
  const inner = given as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties))
    if (Object.hasOwn(inner, name)) inner[name] = shortened(property, inner[name]);
  return inner;
}

function prepareQuery(schema: Part, query: Record<string, unknown>): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(query, name) ? query[name] : undefined;
    if (given === undefined || given === "") continue;
    value[name] = typeof given === "string" ? fromQuery(given, property) : given;
  }
  return value;
}

/** A query string holds text; what is meant as a number or a boolean becomes one, or stays text and fails its type. */
function fromQuery(text: string, property: TSchema): unknown {
  const { type } = property as { type?: string };
  if (type === "boolean" && /^(true|false|1|0)$/i.test(text)) return /^(true|1)$/i.test(text);
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  return "trim" in property ? text.trim() : text;
}

function toDates(schema: Part, value: Record<string, unknown>): Record<string, unknown> {
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = value[name];
    if (typeof given === "string" && (property as { format?: string }).format === "timestamp")
      value[name] = parseTimestamp(given);
  }
  return value;
}

function problemsOf(validate: ValidateFunction, value: Record<string, unknown>): FieldErrors | null {
  const unstorable = Object.entries(value).flatMap(([name, item]) => {
    const found = findUnstorable(item, { isKnown: true });
    return found ? [{ name, ...found }] : [];
  });
  if (validate(value) && unstorable.length === 0) return null;
  const details: FieldErrors = {};
  const add = (field: string, message: string) => {
    details[field] ??= [];
    if (!details[field].includes(message)) details[field].push(message);
  };
  for (const { name, inside, problem } of unstorable) add(name, `${pathOf(name, inside)} ${problem}`);
  for (const error of validate.errors ?? []) {
    // The branches of a union each report; the union's own error says it better.
    if (/\/(anyOf|oneOf)\/\d+/.test(error.schemaPath)) continue;
    // The allowed values say what the type would say: one problem, one sentence.
    if (error.keyword === "type" && isChoice(error)) continue;
    const [field = "", ...inside] = error.instancePath.split("/").slice(1).map(unescapePointer);
    if (error.keyword === "required" && field === "") {
      const missing = String(error.params.missingProperty);
      add(missing, `${missing} is required.`);
    } else add(field || "body", `${pathOf(field || "body", inside)} ${sentence(error)}`);
  }
  return Object.keys(details).length > 0 ? details : { body: ["The body is invalid."] };
}

const isChoice = ({ parentSchema }: ErrorObject): boolean => (parentSchema as { enum?: unknown })?.enum !== undefined;

const unescapePointer = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

const NOUNS: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

const FORMATS: Record<string, string> = {
  uuid: "must be an integer id or a uuid.",
  timestamp: "must be an ISO 8601 timestamp.",
  "not-blank": "must not be empty.",
  "no-blanks": "must not contain blanks.",
  "web-url": "must be an http or https URL.",
  "email-address": "must be an e-mail address.",
  color: "must be a color such as #0f766e.",
};

function sentence({ keyword, params, message, parentSchema }: ErrorObject): string {
  const { limit } = params as { limit: number };
  switch (keyword) {
    case "type":
      return typeSentence([params.type].flat());
    case "enum":
      return `must be one of: ${(params.allowedValues as unknown[]).filter((value) => value !== null && value !== "").join(", ")}.`;
    case "minLength":
      return limit === 1 ? "must not be empty." : `must have at least ${limit} characters.`;
    case "maxLength":
      return `must have at most ${limit} characters.`;
    case "minimum":
      // Text as well as an integer is the other form of an id.
      if ([(parentSchema as { type?: string | string[] })?.type].flat().includes("string"))
        return FORMATS.uuid as string;
      return `must be at least ${limit}.`;
    case "maximum":
      return `must be at most ${limit}.`;
    case "minItems":
      return `must have at least ${limit} ${limit === 1 ? "item" : "items"}.`;
    case "maxItems":
      return `must have at most ${limit} items.`;
    case "maxProperties":
      return `must have at most ${limit} entries.`;
    case "required":
      return `must have ${params.missingProperty}.`;
    case "pattern":
      return params.pattern === NAME_PATTERN ? NAME_PROBLEM : `${message ?? "is invalid"}.`;
    case "format":
      return FORMATS[params.format] ?? `must be a valid ${params.format}.`;
    default:
      return `${message ?? "is invalid"}.`;
  }
}

/** `null` counts as absent everywhere and is not mentioned; text as an alternative to an integer is the other form of an id. */
function typeSentence(types: string[]): string {
  const named = types.filter((type) => type !== "null");
  if (named.includes("integer") && named.includes("string")) return "must be an integer id or a uuid.";
  return `must be ${named.map((type) => NOUNS[type] ?? type).join(" or ")}.`;
}

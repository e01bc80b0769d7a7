import { suggestion } from "../core/suggest.ts";

/** A JSON value whose strings may hold placeholders such as `{{ data.body }}`. */
export type Template = unknown;

const TEMPLATE_BYTES_MAX = 16_384;
const RENDERED_BYTES_MAX = 262_144;
const ROOTS = ["id", "type", "timestamp", "data", "actor"];
const PLACEHOLDER = /\{\{(.*?)\}\}/gs;

/** What is wrong with a template, and where; empty: nothing. */
export function templateProblems(template: Template): string[] {
  if (Buffer.byteLength(JSON.stringify(template)) > TEMPLATE_BYTES_MAX)
    return [`template must not be larger than ${TEMPLATE_BYTES_MAX} bytes as JSON.`];
  return stringsIn(template, "template").flatMap(({ text, name }) => textProblems(text, name));
}

function textProblems(text: string, name: string): string[] {
  const found = [...text.matchAll(PLACEHOLDER)].flatMap(([, path = ""]) => pathProblems(path.trim(), name));
  const rest = text.replaceAll(PLACEHOLDER, "");
  return rest.includes("{{") ? [...found, `${name} has a {{ without its }}.`] : found;
}

function pathProblems(path: string, name: string): string[] {
  const [root = "", ...rest] = path.split(".");
  if ([root, ...rest].includes("")) return [`${name} has a placeholder without a path: {{${path}}}.`];
  if (ROOTS.includes(root)) return [];
  return [`${name} names ${JSON.stringify(root)}, which no event has.${suggestion(root, ROOTS)}`];
}

function stringsIn(value: unknown, name: string): { text: string; name: string }[] {
  if (typeof value === "string") return [{ text: value, name }];
  if (Array.isArray(value)) return value.flatMap((item, index) => stringsIn(item, `${name}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, `${name}.${key}`));
}

/** The body that is sent for an event; null: it would be too large. */
export function renderBody(template: Template | null, payload: string): string | null {
  if (template === null) return payload;
  const body = JSON.stringify(renderTemplate(template, JSON.parse(payload)));
  return Buffer.byteLength(body) > RENDERED_BYTES_MAX ? null : body;
}

export const TEMPLATE_TOO_LARGE = `the template makes a body larger than ${RENDERED_BYTES_MAX} bytes`;

/** The JSON value that is sent instead of the event. */
export function renderTemplate(template: Template, event: unknown): unknown {
  if (typeof template === "string") return renderText(template, event);
  if (Array.isArray(template)) return template.map((item) => renderTemplate(item, event));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, renderTemplate(value, event)]));
}

/** A text that is nothing but one placeholder becomes the value, with its type. */
function renderText(text: string, event: unknown): unknown {
  const placeholders = [...text.matchAll(PLACEHOLDER)];
  const [only] = placeholders;
  if (only && placeholders.length === 1 && only[0] === text) return valueAt(event, only[1] as string);
  return text.replaceAll(PLACEHOLDER, (_, path: string) => asText(valueAt(event, path)));
}

const asText = (value: unknown): string => {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Null for what is missing. Only members of the event itself are found, never those that every object has. */
function valueAt(event: unknown, path: string): unknown {
  let value = event;
  for (const name of path.trim().split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    if (Array.isArray(value) && !ITEM.test(name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

const ITEM = /^\d+$/;

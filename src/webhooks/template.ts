import { suggestion } from "../core/suggest.ts";

/** A JSON value whose strings may hold placeholders such as `{{ data.body }}`. */
export type Template = unknown;

const TEMPLATE_BYTES_MAX = 16_384;
const RENDERED_BYTES_MAX = 262_144;
const ROOTS = ["id", "type", "timestamp", "data", "actor"];
const PLACEHOLDER = /\{\{(.*?)\}\}/gs;

const withEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A space without width ends what would be a mention, and a link whose words hide where it leads. */
const apart = (text: string): string => text.replace(/[@\]]/g, "$&\u200b");

/** How a text stays text where it is sent: it calls nobody, and its links show where they lead. */
const ESCAPES = new Map([
  ["slack", withEntities],
  ["markdown", apart],
  ["mattermost", (text: string): string => apart(withEntities(text))],
]);
const BAR = " | ";

/** A path, and after the last bar the name of an escape, if there is one. */
function parsePlaceholder(placeholder: string) {
  const [name = "", ...before] = placeholder.split(BAR).reverse();
  const escapeText = before.length > 0 ? ESCAPES.get(name.trim()) : undefined;
  return escapeText
    ? { path: before.reverse().join(BAR).trim(), escapeText }
    : { path: placeholder.trim(), escapeText: null };
}

/** What is wrong with a template, and where; empty: nothing. */
export function templateProblems(template: Template): string[] {
  if (Buffer.byteLength(JSON.stringify(template)) > TEMPLATE_BYTES_MAX)
    return [`template must not be larger than ${TEMPLATE_BYTES_MAX} bytes as JSON.`];
  return stringsIn(template, "template").flatMap(({ text, name }) => textProblems(text, name));
}

function textProblems(text: string, name: string): string[] {
  const found = [...text.matchAll(PLACEHOLDER)].flatMap(([, placeholder = ""]) => pathProblems(placeholder, name));
  const rest = text.replaceAll(PLACEHOLDER, "");
  return rest.includes("{{") ? [...found, `${name} has a {{ without its }}.`] : found;
}

function pathProblems(placeholder: string, name: string): string[] {
  const { path, escapeText } = parsePlaceholder(placeholder);
  const unknown = escapeText === null && path.split(BAR).slice(1).pop()?.trim();
  if (typeof unknown === "string")
    return [
      `${name} names the escape ${JSON.stringify(unknown)}, which there is not.${suggestion(unknown, [...ESCAPES.keys()])}`,
    ];
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
export const renderBody = (template: Template | null, payload: string): string | null =>
  template === null ? payload : (renderTemplate(template, JSON.parse(payload))?.json ?? null);

export const TEMPLATE_TOO_LARGE = `the template makes a body larger than ${RENDERED_BYTES_MAX} bytes`;

/** What may still be added, in bytes; below 0: nothing more is worth rendering. */
interface Room {
  bytes: number;
}

/** The JSON value that is sent instead of the event; null: it would be too large. */
export function renderTemplate(template: Template, event: unknown): { value: unknown; json: string } | null {
  const room = { bytes: RENDERED_BYTES_MAX };
  const value = render(template, event, room);
  if (room.bytes < 0) return null;
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) > RENDERED_BYTES_MAX ? null : { value, json };
}

function render(template: Template, event: unknown, room: Room): unknown {
  if (typeof template === "string") return renderText(template, event, room);
  if (Array.isArray(template)) return template.map((item) => render(item, event, room));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, render(value, event, room)]));
}

/** A text that is nothing but one placeholder becomes the value, with its type; escaped it is always a text. */
function renderText(text: string, event: unknown, room: Room): unknown {
  const placeholders = [...text.matchAll(PLACEHOLDER)];
  const [only] = placeholders;
  if (only && placeholders.length === 1 && only[0] === text) {
    const { path, escapeText } = parsePlaceholder(only[1] as string);
    const rendered = textAt(event, only[1] as string, room);
    return rendered === null || escapeText ? rendered : valueAt(event, path);
  }
  return text.replaceAll(PLACEHOLDER, (_, placeholder: string) => textAt(event, placeholder, room) ?? "");
}

/** Null where no room is left: a template of 2,000 times the whole event would make gigabytes. */
function textAt(event: unknown, placeholder: string, room: Room): string | null {
  if (room.bytes < 0) return null;
  const { path, escapeText } = parsePlaceholder(placeholder);
  const value = asText(valueAt(event, path));
  const text = escapeText ? escapeText(value) : value;
  room.bytes -= text.length;
  return room.bytes < 0 ? null : text;
}

const asText = (value: unknown): string => {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Null for what is missing. Only members of the event itself are found, never those that every object has. */
function valueAt(event: unknown, path: string): unknown {
  let value = event;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    if (Array.isArray(value) && !ITEM.test(name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

const ITEM = /^\d+$/;

import type { EventType } from "@parley/client";
import type { KindOf, ValueKind } from "./conditions.ts";

/** A value of an event that a filter can compare. */
export interface EventField {
  /** `data.sender.type` */
  path: string;
  kind: ValueKind;
  /** The only values it has, where they are known. */
  options: readonly string[];
}

interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: readonly Schema[];
}

/** The event types that a subscription covers. */
export const coveredTypes = (catalogue: readonly EventType[], names: readonly string[]): EventType[] =>
  catalogue.filter(({ name }) =>
    ["*", name, `${name.split(".")[0]}.*`].some(
      (one) => names.includes(one) && name !== "webhook.test" && (one !== "*" || !name.startsWith("api_key.")),
    ),
  );

/** The fields of these events, as their schemas describe them: what all have first, then those of their data. */
export function fieldsOf(types: readonly EventType[]): EventField[] {
  const fields = new Map<string, EventField>();
  const add = (field: EventField) => {
    const before = fields.get(field.path);
    const options = before ? [...new Set([...before.options, ...field.options])] : field.options;
    const kind = before && before.kind !== field.kind ? "any" : field.kind;
    const isOpen = before && (before.options.length === 0 || field.options.length === 0);
    fields.set(field.path, { path: field.path, kind, options: isOpen ? [] : options });
  };
  add({ path: "type", kind: "text", options: types.map(({ name }) => name) });
  for (const { schema } of types) for (const field of leavesOf(schema, "data")) add(field);
  add({ path: "actor.type", kind: "text", options: ["user", "api_key", "bot", "contact", "system"] });
  add({ path: "actor.id", kind: "number", options: [] });
  add({ path: "actor.name", kind: "text", options: [] });
  return [...fields.values()];
}

/** An array stands for each of its elements, as in a filter. */
function leavesOf(schema: Schema, path: string): EventField[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => leavesOf(one, path));
  if (schema.items) return leavesOf(schema.items, path);
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0) return properties.flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`));
  const kind = kindOfSchema(schema);
  const options = (schema.enum ?? []).filter((value): value is string => typeof value === "string");
  return kind === null ? [] : [{ path, kind, options }];
}

/** Null: an object whose members are not known. */
function kindOfSchema({ type = [] }: Schema): ValueKind | null {
  const types = [type].flat().filter((one) => one !== "null");
  if (types.includes("object") || types.includes("array")) return null;
  if (types.length !== 1) return "any";
  if (types[0] === "integer" || types[0] === "number") return "number";
  return types[0] === "boolean" ? "truth" : "text";
}

export const kindIn =
  (fields: readonly EventField[]): KindOf =>
  (path) =>
    fields.find((field) => field.path === path)?.kind ?? "any";

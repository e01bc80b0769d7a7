/** What a field of this name looks like; everything else follows from its schema. */
const BY_NAME = {
  id: 42,
  uuid: "3f1c9d52-8a44-4c0b-9a57-0f3a8e6b2d11",
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  external_id: "customer-1042",
  subject: "Where is my order?",
  body: "Hello, my parcel has not come yet.",
  url: "https://example.com/hook",
  seq: 1,
  search: "ada",
  description: "Order service",
  event_id: "evt_01980a4e7b107d05a3c74e1f2b6a9d80",
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  key: "parley_full_…",
  next_cursor: "AQAAAAAAAAAqZsT1Zp0m",
  response_code: 200,
  status_code: 200,
};

const DEPTH_MAX = 8;

/**
 * An example that a schema admits. Optional fields are left out of bodies where `required` says enough, and kept in
 * responses, which always have them.
 */
export function exampleOf(schema, components, { name = "", depth = 0, requiredOnly = false } = {}) {
  if (depth > DEPTH_MAX) return null;
  const next = (child, childName) => exampleOf(child, components, { name: childName, depth: depth + 1, requiredOnly });
  if (schema.$ref)
    return exampleOf(components[schema.$ref.split("/").at(-1)], components, { name, depth, requiredOnly });
  if ("const" in schema) return schema.const;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
  if (choice) return next(choice, name);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  if (type === "object") return objectExample(schema, next, requiredOnly);
  if (type === "array")
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => next(schema.items ?? {}, singular(name)));
  if (type === "boolean") return schema.default ?? name.startsWith("is_");
  if (type === "integer" || type === "number") return numberExample(schema, name);
  if (type === "string") return stringExample(schema, name);
  return null;
}

function objectExample(schema, next, requiredOnly) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).filter(([field]) => !requiredOnly || required.has(field));
  return Object.fromEntries(fields.map(([field, child]) => [field, next(child, field)]));
}

function numberExample({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, default: fallback }, name) {
  const known =
    typeof BY_NAME[name] === "number" ? BY_NAME[name] : name.endsWith("_id") ? 7 : name.endsWith("_ms") ? 86 : 1;
  return fallback ?? Math.min(maximum, Math.max(minimum, known));
}

function stringExample({ format, pattern, minLength = 0, maxLength = 1_000, default: fallback }, name) {
  if (fallback !== undefined) return fallback;
  if (format === "uuid") return BY_NAME.uuid;
  if (format === "date-time" || name.endsWith("_at") || /^\^\\d\{4\}-/.test(pattern ?? ""))
    return "2026-07-14T10:00:00+00:00";
  const known = typeof BY_NAME[name] === "string" ? BY_NAME[name] : name.replaceAll("_", " ") || "text";
  return known.padEnd(minLength, ".").slice(0, maxLength);
}

const singular = (name) =>
  ({ events: "message.created", labels: "vip", abilities: "conversations:read" })[name] ?? name;

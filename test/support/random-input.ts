import fc from "fast-check";
import type { TSchema } from "typebox";

/** Random input for routes: the hostile, and what mostly fits. */

/** Text of every kind that has broken some server. */
export const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", " ", "0", "-1", "null", "true", "*", "%", "_", "\\", "'; drop table x; --", "\ufeff", "a@b"),
  fc.constantFrom("2026-07-14T10:00:00Z", "9999-12-31", "0001-01-01", "2026-W01", "99999999999999999999", "1e400"),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.webUrl(),
  fc.uuid(),
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 0.1, Number.MIN_VALUE),
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 4 }), text, number);

/** What mostly fits a schema, so that a request gets past the first rule that could refuse it. */
export function fitting(schema: TSchema): fc.Arbitrary<unknown> {
  const {
    type,
    enum: values,
    items,
    properties,
  } = schema as {
    type?: string | string[];
    enum?: unknown[];
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  if (values) return fc.constantFrom(...values);
  const types = [type ?? "unknown"].flat();
  if (types.includes("integer")) return fc.oneof(fc.integer({ min: 0, max: 100 }), number);
  if (types.includes("boolean")) return fc.boolean();
  if (types.includes("string")) return text;
  if (types.includes("array")) return fc.array(items ? fitting(items) : anything, { maxLength: 5 });
  if (properties) return fc.record(shaped(properties), { requiredKeys: [] });
  if (types.includes("object")) return fc.dictionary(text, anything, { maxKeys: 5 });
  return anything;
}

export const shaped = (properties: Record<string, TSchema>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      fc.oneof({ weight: 3, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything }),
    ]),
  );

/** Percent-encoded; what is no Unicode goes as the bytes that stand for it in a careless encoder. */
export function encoded(part: string): string {
  try {
    return encodeURIComponent(part);
  } catch {
    return [...Buffer.from(part, "utf16le")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  }
}

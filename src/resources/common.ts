import { type Static, type TSchema, Type } from "typebox";

/** Building blocks of the records. A `type` list instead of a union keeps serialisation on its fast path. */

/** The largest `seq` or id that a body may give: PostgreSQL's `bigint` ends a little above it. */
export const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

export const Id = Type.Integer({ minimum: 1, description: "Numeric identifier." });
export const Uuid = Type.String({ format: "uuid" });

const TIMESTAMP = {
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
  examples: ["2026-07-14T10:00:00+00:00"],
};
export const Timestamp = Type.String({ ...TIMESTAMP, description: "UTC, second precision." });
export const NullableTimestamp = Type.Unsafe<string | null>({ type: ["string", "null"], ...TIMESTAMP });
export const NullableString = Type.Unsafe<string | null>({ type: ["string", "null"] });
export const NullableInteger = Type.Unsafe<number | null>({ type: ["integer", "null"] });

export const nullableString = (description: string) => Type.Unsafe<string | null>({ ...NullableString, description });
export const nullableInteger = (description: string) => Type.Unsafe<number | null>({ ...NullableInteger, description });
export const nullableTimestamp = (description: string) =>
  Type.Unsafe<string | null>({ ...NullableTimestamp, description });

/** A record or null. */
export const nullable = <T extends TSchema>(record: T, options: object = {}) =>
  Type.Unsafe<Static<T> | null>({ ...record, type: ["object", "null"], ...options });

export const optionalString = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
export const optionalBoolean = (description: string) => Type.Optional(Type.Boolean({ description }));
export const optionalInteger = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));

export const oneOf = <T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: "string", enum: [...values], ...options });

/** Free JSON of the client's own. */
export const Attributes = Type.Record(Type.String(), Type.Unknown(), { description: "Any JSON object." });

/** The forms of a filter in a record; `events/payload-filter-schema.ts` describes it. */
export const EVENT_FILTER = { "x-forms": [{ $ref: "#/components/schemas/EventFilter" }, { type: "null" }] };

import { Type } from "typebox";

/** A field of a body in which null restores the default. */
export const orDefault = <T>(type: string | readonly string[], options: object) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, "null"].flat(), "x-null": true, ...options }));

export const choiceOrDefault = <T extends string>(values: readonly T[], description: string) =>
  orDefault<T>("string", { enum: [...values, null], description });

import { Type } from "typebox";
import { parseRef, type Ref } from "../../../core/ids.ts";

/** A field of a body that names another resource: its id as a number, or its uuid as text. */
export const named = (description: string) =>
  Type.Unsafe<number | string>({ type: ["integer", "string"], format: "uuid", minimum: 0, description });

/** A query parameter that names another resource. Null: neither an id nor a uuid. */
export const refOf = (text: string | undefined): Ref | null | undefined =>
  text === undefined ? undefined : parseRef(text);

import { type TSchema, Type } from "typebox";
import { PageLinks, PageMeta } from "./paging.ts";
import type { RouteSpec } from "./route.ts";

/** Schema of a route's success: what serialises it and what describes it. */
export function successSchema({ success }: RouteSpec): TSchema {
  const part = <T extends TSchema>(schema: T) => (success.paged === "optional" ? Type.Optional(schema) : schema);
  return Type.Object({
    success: Type.Literal(true),
    data: success.data,
    ...(success.message ? { message: Type.String() } : {}),
    ...(success.paged ? { meta: part(PageMeta), links: part(PageLinks) } : {}),
  });
}

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.String()), { description: "Each wrong field, with sentences." }),
      ),
      retry_after: Type.Optional(Type.Integer({ minimum: 1, description: "Seconds." })),
      request_id: Type.Optional(Type.String()),
    }),
  },
  { title: "Error" },
);

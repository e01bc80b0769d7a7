import { type TSchema, Type } from "typebox";
import { PageLinks, PageMeta } from "../pipeline/paging.ts";
import type { RouteSpec } from "../pipeline/route.ts";

const CursorMeta = Type.Object(
  {
    next_cursor: Type.String({ description: "Where to read on; given also when there is nothing more yet." }),
    has_more: Type.Boolean({ description: "True: read on at once, even when this page is empty." }),
  },
  { title: "CursorMeta" },
);

/** Schema of a route's success: what serialises it and what describes it. */
export function successSchema({ success }: RouteSpec): TSchema {
  const part = <T extends TSchema>(schema: T) => (success.paged === "optional" ? Type.Optional(schema) : schema);
  return Type.Object({
    success: Type.Literal(true),
    data: success.data,
    ...(success.message ? { message: Type.String() } : {}),
    ...(success.cursor ? { meta: CursorMeta } : {}),
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

import { type TSchema, Type } from "typebox";
import { ListCursorMeta, PageLinks, PageMeta } from "./paging.ts";
import type { RouteSpec } from "./route.ts";
import { Warning } from "./unknown-fields.ts";

const CursorMeta = Type.Object(
  {
    next_cursor: Type.String({ description: "Where to continue; also set when there is nothing more yet." }),
    has_more: Type.Boolean({ description: "True: there is more to read now, even if this page is empty." }),
  },
  { title: "CursorMeta" },
);

/** A page by number has `pagination`, one by cursor the other two. One object, because a union is slow to serialise. */
const ListMeta = Type.Object({
  pagination: Type.Optional(PageMeta.properties.pagination),
  next_cursor: Type.Optional(ListCursorMeta.properties.next_cursor),
  has_more: Type.Optional(ListCursorMeta.properties.has_more),
});

/** What serialises a route's success. */
export function successSchema(spec: RouteSpec): TSchema {
  return schemaOf(spec, ListMeta);
}

/** What describes a route's success. */
export function describedSuccess(spec: RouteSpec): TSchema {
  return schemaOf(spec, Type.Union([PageMeta, ListCursorMeta]));
}

function schemaOf({ success }: RouteSpec, listMeta: TSchema): TSchema {
  return Type.Object({
    success: Type.Literal(true),
    data: success.data,
    ...(success.message ? { message: Type.String(exampleOf(success.message)) } : {}),
    ...(success.cursor ? { meta: CursorMeta } : {}),
    ...(success.paged
      ? {
          meta: success.paged === "optional" ? Type.Optional(listMeta) : listMeta,
          links: Type.Optional(PageLinks),
        }
      : {}),
    warnings: Type.Optional(
      Type.Array(Warning, {
        description: "Unknown fields and query parameters of the request. Absent when there are none.",
      }),
    ),
  });
}

const exampleOf = (message: true | string) => (message === true ? {} : { examples: [message] });

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.String()), {
          description: "The invalid fields, each with what is wrong.",
        }),
      ),
      retry_after: Type.Optional(Type.Integer({ minimum: 1, description: "Seconds." })),
      request_id: Type.Optional(Type.String()),
    }),
  },
  { title: "Error" },
);

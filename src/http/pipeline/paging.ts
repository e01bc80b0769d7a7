import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { NullableString } from "../../resources/common.ts";

export const PER_PAGE_MAX = 100;
export const PER_PAGE_DEFAULT = 25;

export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, description: "Page number, from 1." })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PER_PAGE_MAX, description: `Records a page; ${PER_PAGE_DEFAULT} by default.` }),
  ),
  up_to_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Leaves out records with a higher id. The links carry it, so pages stand still while records are added.",
    }),
  ),
};

export const PageMeta = Type.Object(
  {
    pagination: Type.Object({
      total: Type.Integer(),
      per_page: Type.Integer(),
      current_page: Type.Integer(),
      last_page: Type.Integer(),
      from: Type.Integer({ description: "Number of the first record on this page; 0 when there is none." }),
      to: Type.Integer(),
    }),
  },
  { title: "PageMeta" },
);

export const PageLinks = Type.Object(
  { first: Type.String(), last: Type.String(), prev: NullableString, next: NullableString },
  { title: "PageLinks" },
);

/** How to read one list, newest first: its total, and any stretch of its rows; up to an id where one is given. */
export interface PageReader<T extends { id: number }> {
  count(upToId: number | null): Promise<number>;
  rows(limit: number, offset: number, upToId: number | null): Promise<T[]>;
}

export interface Page {
  total: number;
  page: number;
  perPage: number;
  rows: number;
  upToId: number | null;
  /** Path of the list with numeric ids, for the links. */
  path: string;
}

export async function readPage<T extends { id: number }>(
  reader: PageReader<T>,
  query: { page?: number; per_page?: number; up_to_id?: number },
  path: string,
): Promise<{ data: T[]; page: Page }> {
  const page = query.page ?? 1;
  const perPage = query.per_page ?? PER_PAGE_DEFAULT;
  const asked = query.up_to_id ?? null;
  const total = await reader.count(asked);
  const offset = (page - 1) * perPage;
  const data = offset < total ? await reader.rows(perPage, offset, asked) : [];
  const upToId = asked ?? (page === 1 ? (data[0]?.id ?? null) : null);
  return { data, page: { total, page, perPage, rows: data.length, upToId, path } };
}

/** `meta` and `links` of the answer. Links are absolute and keep the other parameters of the request. */
export function pageParts(page: Page, request: FastifyRequest, base: string) {
  const last = Math.max(1, Math.ceil(page.total / page.perPage));
  const from = page.rows === 0 ? 0 : (page.page - 1) * page.perPage + 1;
  const link = (number: number): string => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(request.originalQuery ?? {}))
      for (const item of [value].flat())
        if (name !== "page" && name !== "up_to_id" && item !== "") parameters.append(name, String(item));
    if (page.upToId !== null) parameters.append("up_to_id", String(page.upToId));
    parameters.append("page", String(number));
    return `${base}${page.path}?${parameters}`;
  };
  return {
    meta: {
      pagination: {
        total: page.total,
        per_page: page.perPage,
        current_page: page.page,
        last_page: last,
        from,
        to: page.rows === 0 ? 0 : from + page.rows - 1,
      },
    },
    links: {
      first: link(1),
      last: link(last),
      prev: page.page === 1 ? null : link(Math.min(page.page - 1, last)),
      next: page.page < last ? link(page.page + 1) : null,
    },
  };
}

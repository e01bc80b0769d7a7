import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type FieldErrors, invalid, problems } from "../../core/errors.ts";
import { type ListReader, StretchTooLarge } from "../../db/list.ts";
import { NullableString, nullableString, optionalInteger, optionalString } from "../../resources/common.ts";
import { decodeListCursor, encodeListCursor } from "./list-cursor.ts";

export const PER_PAGE_MAX = 100;
export const PER_PAGE_DEFAULT = 25;
/** The total of a filtered list is exact up to here. */
const TOTAL_MAX = 1_000;
/** A list that is filtered, or not ordered by id, has no pages beyond this row. */
const DEPTH_MAX = 10_000;
/** The most records of a response when no page was requested. */
export const UNPAGED_MAX = 1_000;

export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, description: "Page number, from 1." })),
  per_page: optionalInteger(1, PER_PAGE_MAX, `Records per page; ${PER_PAGE_DEFAULT} by default.`),
  up_to_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Excludes records with a higher id. The links carry it, so that pages do not shift while records are added.",
    }),
  ),
  limit: optionalInteger(
    1,
    PER_PAGE_MAX,
    "Reads by cursor instead of page number: at most this many records, no totals and no links.",
  ),
  cursor: optionalString(256, "Continues after this position: a `next_cursor` of the same list."),
};

export interface PagingQuery {
  page?: number;
  per_page?: number;
  up_to_id?: number;
  limit?: number;
  cursor?: string;
}

export const PageMeta = Type.Object(
  {
    pagination: Type.Object({
      total: Type.Integer(),
      total_is_lower_bound: Type.Optional(
        Type.Literal(true, {
          description: `There may be more than \`total\` records: those of a filtered list are counted up to ${TOTAL_MAX}.`,
        }),
      ),
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
  {
    first: Type.String(),
    last: nullableString("Null where the total is a lower bound or the last page is too deep."),
    prev: NullableString,
    next: NullableString,
  },
  { title: "PageLinks" },
);

export const ListCursorMeta = Type.Object(
  {
    next_cursor: nullableString("Where to continue; null at the end."),
    has_more: Type.Boolean(),
  },
  { title: "ListCursorMeta" },
);

export interface Page {
  total: number;
  totalIsLowerBound: boolean;
  page: number;
  perPage: number;
  rows: number;
  hasNext: boolean;
  /** The total is known, but the last page is more than DEPTH_MAX rows deep. */
  lastIsTooDeep?: boolean;
  upToId: number | null;
  /** Path of the list with numeric ids, for the links. */
  path: string;
  /** No page was requested: the response has as many records as fit, and `next` leads to the page after them. */
  isUnpaged?: true;
}

export interface ListPart<T> {
  data: T[];
  page?: Page;
  cursor?: { next_cursor: string | null; has_more: boolean };
}

/** A list is read by page numbers or by cursor, never by both. */
export function pagingProblems({ page, per_page, limit, cursor }: PagingQuery): FieldErrors {
  if (page === undefined && per_page === undefined) return {};
  const mixed = (name: string) => [`${name} must not be given together with page or per_page.`];
  return problems({
    limit: limit === undefined ? [] : mixed("limit"),
    cursor: cursor === undefined ? [] : mixed("cursor"),
  });
}

export function readPage<T extends { id: number }>(
  reader: ListReader<T>,
  query: PagingQuery,
  path: string,
): Promise<ListPart<T>> {
  return query.limit === undefined && query.cursor === undefined
    ? readNumberedPage(reader, query, path)
    : readByCursor(reader, query);
}

/** The whole of a list that clients expect unpaged; beyond the limit with `meta`, and links to the rest. */
export async function readWhole<T extends { id: number }>(
  reader: ListReader<T>,
  query: PagingQuery,
  path: string,
): Promise<ListPart<T>> {
  const { page, per_page, limit, cursor, up_to_id: asked = null } = query;
  if (page ?? per_page ?? limit ?? cursor) return readPage(reader, query, path);
  const data = await reader.rows(UNPAGED_MAX + 1, 0, asked);
  if (data.length <= UNPAGED_MAX) return { data };
  const { total, isLowerBound: totalIsLowerBound } = await totalOf(reader, asked);
  const upToId = asked ?? data[0]?.id ?? null;
  const part = { total, totalIsLowerBound, page: 1, perPage: PER_PAGE_MAX, rows: UNPAGED_MAX, hasNext: true };
  return { data: data.slice(0, UNPAGED_MAX), page: { ...part, upToId, path, isUnpaged: true } };
}

export async function readByCursor<T>(reader: ListReader<T>, { limit, cursor }: PagingQuery): Promise<ListPart<T>> {
  const after = cursor === undefined ? null : decodeListCursor(reader, cursor);
  if (cursor !== undefined && after === null) throw invalid({ cursor: ["cursor is not a cursor of this list."] });
  const size = limit ?? PER_PAGE_DEFAULT;
  const { records, end } = await reader.after(after, size + 1);
  const shown = records.slice(0, size);
  const next = records.length > size ? (shown.at(-1)?.key ?? null) : end;
  return {
    data: shown.map(({ record }) => record),
    cursor: { next_cursor: next && encodeListCursor(reader, next), has_more: next !== null },
  };
}

async function readNumberedPage<T extends { id: number }>(
  reader: ListReader<T>,
  query: PagingQuery,
  path: string,
): Promise<ListPart<T>> {
  const page = query.page ?? 1;
  const perPage = query.per_page ?? PER_PAGE_DEFAULT;
  const asked = query.up_to_id ?? null;
  const offset = (page - 1) * perPage;
  const isDeep = offset >= DEPTH_MAX;
  if (isDeep && (reader.isFiltered || !reader.isOrderedById)) throw tooDeep(page);
  const { total, isLowerBound } = await totalOf(reader, asked);
  const readsFromEnd = !isLowerBound && offset > total / 2;
  const found = await (async () => {
    if (!isLowerBound && offset >= total) return [];
    if (!readsFromEnd) return reader.rows(perPage + 1, offset, asked);
    const size = Math.min(perPage, total - offset);
    return reader.rowsFromEnd(size, total - offset - size, asked);
  })().catch((error: unknown) => {
    throw error instanceof StretchTooLarge ? tooLarge() : error;
  });
  const data = found.slice(0, perPage);
  const hasNext = readsFromEnd ? offset + perPage < total : found.length > perPage;
  const upToId = asked ?? (page === 1 && reader.isOrderedById ? (data[0]?.id ?? null) : null);
  const lastIsTooDeep = (reader.isFiltered || !reader.isOrderedById) && total > DEPTH_MAX;
  const part = { total, totalIsLowerBound: isLowerBound, page, perPage, rows: data.length, hasNext };
  return { data, page: { ...part, lastIsTooDeep, upToId, path } };
}

/** Exact from the list's counter, less what is newer than `upToId`; otherwise counted up to the limit. */
async function totalOf<T>(
  reader: ListReader<T>,
  upToId: number | null,
): Promise<{ total: number; isLowerBound: boolean }> {
  if (reader.total) {
    const [total, newer] = await Promise.all([
      reader.total(),
      upToId === null ? 0 : reader.countAbove(upToId, DEPTH_MAX + 1),
    ]);
    if (newer <= DEPTH_MAX) return { total: Math.max(0, total - newer), isLowerBound: false };
  }
  const { total, isComplete } = await reader.count(TOTAL_MAX + 1, upToId);
  return { total: Math.min(total, TOTAL_MAX), isLowerBound: !isComplete };
}

const tooDeep = (page: number) =>
  invalid({
    page: [`page ${page} is more than ${DEPTH_MAX} rows deep; continue with limit and cursor.`],
  });

const tooLarge = () =>
  invalid({
    per_page: ["per_page is too large: these records have more than 8 MiB. Ask for fewer, or use limit and cursor."],
  });

/** `meta` and `links` of the response. Links are absolute and keep the other parameters of the request. */
export function pageParts(page: Page, request: FastifyRequest, base: string) {
  const last = Math.max(1, Math.ceil(page.total / page.perPage));
  const from = page.rows === 0 ? 0 : (page.page - 1) * page.perPage + 1;
  const link = (number: number): string => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(request.originalQuery ?? {}))
      for (const item of [value].flat())
        if (name !== "page" && name !== "up_to_id" && item !== "") parameters.append(name, String(item));
    if (page.upToId !== null) parameters.append("up_to_id", String(page.upToId));
    if (page.isUnpaged) parameters.append("per_page", String(page.perPage));
    parameters.append("page", String(number));
    return `${base}${page.path}?${parameters}`;
  };
  // Where the last page is not known, the page before is the number before.
  const previous = page.totalIsLowerBound ? page.page - 1 : Math.min(page.page - 1, last);
  return {
    meta: {
      pagination: {
        total: page.total,
        ...(page.totalIsLowerBound ? { total_is_lower_bound: true } : {}),
        per_page: page.perPage,
        current_page: page.page,
        last_page: last,
        from,
        to: page.rows === 0 ? 0 : from + page.rows - 1,
      },
    },
    links: {
      first: link(1),
      last: page.totalIsLowerBound || page.lastIsTooDeep ? null : link(last),
      prev: page.page === 1 ? null : link(previous),
      next: page.hasNext ? link(page.isUnpaged ? UNPAGED_MAX / page.perPage + 1 : page.page + 1) : null,
    },
  };
}

import { CELL_ID_STEP, CELL_IDS_FROM } from "../db/cell.ts";
import { listSql, type Queryable } from "../db/database.ts";
import { type Excerpt, excerptOf, type SearchWords, toTsquery } from "./search-words.ts";

export const SEARCH_TYPES = ["conversation", "message", "contact"] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

interface SearchHit extends Excerpt {
  type: SearchType;
  id: number;
  conversation_id?: number;
  contact_id?: number;
  title: string;
  created_at: string;
}

interface HitRow {
  id: number;
  conversation_id?: number;
  contact_id?: number;
  title: string | null;
  contact_name: string | null;
  body: string;
  created_at: string;
}

interface Searched {
  table: string;
  text: string;
  columns: string;
  joins: string;
}

const CONTACT_TEXT = "contact_text(t.name, t.email, t.phone, t.external_id)";

const SEARCHED: Record<SearchType, Searched> = {
  message: {
    table: "messages t",
    text: "t.body",
    columns: `t.conversation_id, case when $4::boolean then c.subject end as title, t.body, t.created_at,
       case when $5::boolean then coalesce(k.name, k.email) end as contact_name`,
    joins: `join conversations c on c.workspace_id = $1 and c.id = t.conversation_id
       join contacts k on k.workspace_id = $1 and k.id = c.contact_id`,
  },
  conversation: {
    table: "conversations t",
    text: "t.subject",
    columns: "t.contact_id, t.subject as title, t.subject as body, t.created_at, null as contact_name",
    joins: "",
  },
  contact: {
    table: "contacts t",
    text: CONTACT_TEXT,
    columns: `coalesce(t.name, t.email, t.phone, t.external_id) as title, t.created_at, null as contact_name,
       concat_ws(' · ', t.name, t.email, t.phone, t.external_id) as body`,
    joins: "",
  },
};

// Common words are found among the newest rows without any index.
const NEWEST = 200;

const newestStatement = (type: SearchType, { table, text, columns, joins }: Searched) =>
  listSql(
    `search_newest_${type}`,
    `select t.id, ${columns}
     from (
       select t.*
       from ${table}
       where t.workspace_id = $1
       order by t.id desc
       limit ${NEWEST}) t
     ${joins}
     where search_terms($1, t.id, ${text}) @@ $2::tsquery
     order by t.id desc
     limit $3`,
  );

// The hits first, and only then their order: asked for at once, the planner may walk the primary key in search of a rare
// word, which took 51 s among five million messages.
const indexedStatement = (type: SearchType, { table, text, columns, joins }: Searched) =>
  listSql(
    `search_indexed_${type}`,
    `with hit as materialized (
       select t.id
       from ${table}
       where search_terms(t.workspace_id, t.id, ${text}) @@ $2::tsquery
     )

     select t.id, ${columns}
     from (
       select id
       from hit
       order by id desc
       limit $3) newest
     join ${table} on t.workspace_id = $1 and t.id = newest.id
     ${joins}
     order by t.id desc`,
  );

const headStatement = (type: SearchType, { table }: Searched) =>
  listSql(`search_head_${type}`, `select max(t.id) as head from ${table} where t.workspace_id = $1`);

const STATEMENTS = Object.fromEntries(
  SEARCH_TYPES.map((type) => {
    const searched = SEARCHED[type];
    return [
      type,
      {
        newest: newestStatement(type, searched),
        indexed: indexedStatement(type, searched),
        head: headStatement(type, searched),
      },
    ];
  }),
);

interface SearchRequest {
  words: SearchWords;
  types: readonly SearchType[];
  limit: number;
  /** Which parts the title of a message may show. */
  sees: { conversations: boolean; contacts: boolean };
}

// Times are in whole seconds: within one, a message is newer than its conversation, and that than its contact.
const newestTypeFirst = ["message", "conversation", "contact"];
const ageOf = ({ type }: SearchHit): number => newestTypeFirst.indexOf(type);

/** Newest first, of all types together. */
export async function search(db: Queryable, workspaceId: number, request: SearchRequest): Promise<SearchHit[]> {
  const found = await Promise.all(request.types.map((type) => searchOne(db, workspaceId, type, request)));
  return found
    .flat()
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || ageOf(a) - ageOf(b) || b.id - a.id)
    .slice(0, request.limit);
}

async function searchOne(
  db: Queryable,
  workspaceId: number,
  type: SearchType,
  { words, limit, sees }: SearchRequest,
): Promise<SearchHit[]> {
  const statements = STATEMENTS[type] as (typeof STATEMENTS)[string];
  const query = toTsquery(words);
  const shown = type === "message" ? [sees.conversations, sees.contacts] : [];
  let rows = await db.query<HitRow>(statements.newest, [workspaceId, query, limit, ...shown]);
  if (rows.length < limit) {
    const [top] = await db.query<{ head: number | null }>(statements.head, [workspaceId]);
    for (const mark of rangesOf(workspaceId, top?.head ?? null)) {
      rows = await db.query<HitRow>(statements.indexed, [workspaceId, `${mark} & ${query}`, limit, ...shown]);
      if (rows.length >= limit) break;
    }
  }
  return rows.map((row) => toHit(type, row, words));
}

/** The marks of `search_terms`, from the newest ids to all: each time two ranges, because the newest may just have begun. */
function rangesOf(workspaceId: number, head: number | null): string[] {
  if (head === null) return [];
  const number = head < CELL_IDS_FROM ? head : head / CELL_ID_STEP;
  const range = (mark: string, size: number) => {
    const current = Math.floor(number / size);
    return `('|${mark}${workspaceId}.${current}' | '|${mark}${workspaceId}.${current - 1}')`;
  };
  return [range("a", 2 ** 16), range("b", 2 ** 20), `'|w${workspaceId}'`];
}

function toHit(type: SearchType, row: HitRow, words: SearchWords): SearchHit {
  const { id, conversation_id, contact_id, title, contact_name, body, created_at } = row;
  return {
    type,
    id,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(contact_id === undefined ? {} : { contact_id }),
    title: title ?? contact_name ?? "",
    ...excerptOf(body, words),
    created_at,
  };
}

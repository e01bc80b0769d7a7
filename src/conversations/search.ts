import { setImmediate } from "node:timers/promises";
import { CELL_ID_STEP, CELL_IDS_FROM } from "../db/cell.ts";
import { listSql, type Queryable } from "../db/database.ts";
import { contactsWithPhone } from "./phone-search.ts";
import { type Excerpt, excerptOf, prefixOf, type SearchWords, toTsquery, workspaceMark } from "./search-words.ts";

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
  /** The columns are read with the hits, not by a lookup of each: 2,000 pages fewer for 500 hits. */
  isNarrow?: true;
}

const CONTACT_TEXT = "contact_text(t.name, t.email, t.phone, t.external_id)";

const SEARCHED: Record<SearchType, Searched> = {
  message: {
    table: "messages t",
    text: "t.body",
    columns: `t.conversation_id, c.subject as title, t.body, t.created_at, coalesce(k.name, k.email) as contact_name`,
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
/** Each of the newest rows is taken apart into its words: fifty messages of the largest size took more than 3 s. */
const NEWEST_BYTES_MAX = 262_144;

/** The newest rows, with the size of the text up to each of them; the size of a long text is known without reading it. */
const newestRows = ({ table, text }: Searched) =>
  `(
       select t.*, sum(coalesce(octet_length(${text}), 0)) over (order by t.id desc) as text_bytes
       from (
         select t.*
         from ${table}
         where t.workspace_id = $1
         order by t.id desc
         limit ${NEWEST}) t) t`;

const newestStatement = (name: string, searched: Searched) =>
  listSql(
    `search_newest_${name}`,
    `select t.id, ${searched.columns}
     from ${newestRows(searched)}
     ${searched.joins}
     where t.text_bytes <= ${NEWEST_BYTES_MAX}
       and search_terms($1, t.id, ${searched.text}) @@ $2::tsquery
     order by t.id desc
     limit $3`,
  );

/** A word in at least this many of the newest rows is common. */
const COMMON_FROM = NEWEST / 20;

// The beginning of a common word is expensive in the index: it collects every row that has the word, of all workspaces.
const commonStatement = (type: SearchType, searched: Searched) =>
  listSql(
    `search_common_${type}`,
    `with newest as materialized (
       select search_terms($1, t.id, ${searched.text}) as terms
       from ${newestRows(searched)}
       where t.text_bytes <= ${NEWEST_BYTES_MAX}
     )

     select word
     from unnest($2::text[]) as word
     where (
       select count(*)
       from newest
       where terms @@ word::tsquery) >= ${COMMON_FROM}`,
  );

// The hits first, and only then their order: asked for at once, the planner may walk the primary key in search of a rare
// word, which took 51 s among five million messages.
const indexedStatement = (name: string, searched: Searched, check = "") => {
  const { table, text, columns, joins, isNarrow } = searched;
  const newest = (condition: string) => `
     from (
       select *
       from hit${condition}
       order by id desc
       limit $3) newest`;
  const named = `
     select t.id, ${columns} ${newest("")}
     join ${table} on t.workspace_id = $1 and t.id = newest.id
     ${joins}
     order by t.id desc`;
  return listSql(
    `search_${check === "" ? "indexed" : "checked"}_${name}`,
    `with hit as materialized (
       select t.id${isNarrow ? `, t.workspace_id, ${columns}` : ""}
       from ${table}
       where search_terms(t.workspace_id, t.id, ${text}) @@ $2::tsquery
         ${check}
     )
     ${isNarrow ? `select * ${newest(" where workspace_id = $1")}` : named}`,
  );
};

// The index finds the rows with the rare words. That they have the common ones too is checked by an expression that is not
// the one of the index.
const checkedStatement = (name: string, searched: Searched) =>
  indexedStatement(name, searched, `and search_terms($1, t.id, ${searched.text}) @@ $4::tsquery`);

const headStatement = (type: SearchType, { table }: Searched) =>
  listSql(`search_head_${type}`, `select max(t.id) as head from ${table} where t.workspace_id = $1`);

/** The hits with what is shown of them, or the conversations of messages and the ids of the others alone. */
const statementsOf = (type: SearchType, searched: Searched, name: string = type) => ({
  newest: newestStatement(name, searched),
  common: commonStatement(type, searched),
  indexed: indexedStatement(name, searched),
  checked: checkedStatement(name, searched),
  head: headStatement(type, searched),
});
type Statements = ReturnType<typeof statementsOf>;

const byType = (statements: (type: SearchType) => Statements) =>
  Object.fromEntries(SEARCH_TYPES.map((type) => [type, statements(type)])) as Record<SearchType, Statements>;

const HITS = byType((type) => statementsOf(type, SEARCHED[type]));
const IDS = byType((type) => {
  const columns = type === "message" ? "t.conversation_id" : "t.id as found_id";
  return statementsOf(type, { ...SEARCHED[type], columns, joins: "", isNarrow: true }, `${type}_ids`);
});

interface SearchRequest {
  /** As it was given; `words` are what it says. */
  text: string;
  words: SearchWords;
  types: readonly SearchType[];
  limit: number;
  /** Which parts the title of a message may show. */
  sees: { conversations: boolean; contacts: boolean };
}

// Times are in whole seconds: within one, a message is newer than its conversation, and that than its contact.
const newestTypeFirst = ["message", "conversation", "contact"];
const typeRankOf = ({ type }: SearchHit): number => newestTypeFirst.indexOf(type);

/** Newest first, of all types together. */
export async function search(db: Queryable, workspaceId: number, request: SearchRequest): Promise<SearchHit[]> {
  const found = await Promise.all(request.types.map((type) => searchOne(db, workspaceId, type, request)));
  return found
    .flat()
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || typeRankOf(a) - typeRankOf(b) || b.id - a.id)
    .slice(0, request.limit);
}

async function searchOne(
  db: Queryable,
  workspaceId: number,
  type: SearchType,
  request: SearchRequest,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (const row of await rowsWith<HitRow>(db, workspaceId, HITS[type], request)) {
    hits.push(toHit(type, row, request));
    // Long texts take a while: other requests are served in between.
    if (row.body.length > LONG_CHARS) await setImmediate();
  }
  if (type === "contact") hits.push(...(await searchPhones(db, workspaceId, request, hits)));
  return hits;
}

const LONG_CHARS = 4_096;

const contactsNamed = listSql(
  "search_contacts_named",
  `select t.id, ${SEARCHED.contact.columns}
   from contacts t
   where t.workspace_id = $1
     and t.id = any($2::bigint[])`,
);

/** The contacts with this phone number, whatever is between its digits, that the words do not find. */
async function searchPhones(
  db: Queryable,
  workspaceId: number,
  request: SearchRequest,
  found: readonly SearchHit[],
): Promise<SearchHit[]> {
  const known = new Set(found.map(({ id }) => id));
  const ids = (await contactsWithPhone(db, workspaceId, request.text)).filter((id) => !known.has(id));
  if (ids.length === 0) return [];
  const rows = await db.query<HitRow>(contactsNamed, [workspaceId, ids]);
  return rows.map((row) => toHit("contact", row, request));
}

/** The newest messages, conversations or contacts with these words: the conversation of each message, the id of others. */
export async function newestWith(
  db: Queryable,
  workspaceId: number,
  type: SearchType,
  request: Pick<SearchRequest, "words" | "limit">,
): Promise<number[]> {
  const rows = await rowsWith<{ id: number; conversation_id?: number }>(db, workspaceId, IDS[type], request);
  return rows.map(({ id, conversation_id }) => conversation_id ?? id);
}

async function rowsWith<Row extends object>(
  db: Queryable,
  workspaceId: number,
  statements: Statements,
  { words, limit }: Pick<SearchRequest, "words" | "limit">,
): Promise<Row[]> {
  const { newest, head, indexed, checked } = statements;
  const all = toTsquery(words);
  let rows = await db.query<Row>(newest, [workspaceId, all, limit]);
  if (rows.length >= limit) return rows;
  const rare = toTsquery(await rareWords(db, workspaceId, statements, words));
  const [top] = await db.query<{ head: number | null }>(head, [workspaceId]);
  for (const mark of rangesOf(workspaceId, top?.head ?? null)) {
    const values = [workspaceId, `${mark} & ${rare}`, limit];
    rows = await (rare === all ? db.query<Row>(indexed, values) : db.query<Row>(checked, [...values, all]));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** Those by which the index is searched: without the common ones, unless there are no others. */
async function rareWords(
  db: Queryable,
  workspaceId: number,
  { common }: Statements,
  { words, phrases }: SearchWords,
): Promise<SearchWords> {
  if (words.length + phrases.length < 2) return { words, phrases };
  const found = await db.query<{ word: string }>(common, [workspaceId, words.map(prefixOf)]);
  const commonWords = new Set(found.map(({ word }) => word));
  const rare = words.filter((word) => !commonWords.has(prefixOf(word)));
  return rare.length + phrases.length > 0 ? { words: rare, phrases } : { words, phrases };
}

/** The marks of `search_terms`, from the newest ids to all: each time two ranges, because the newest may just have begun. */
function rangesOf(workspaceId: number, head: number | null): string[] {
  if (head === null) return [];
  const number = head < CELL_IDS_FROM ? head : head / CELL_ID_STEP;
  const range = (mark: string, size: number) => {
    const current = Math.floor(number / size);
    return `('|${mark}${workspaceId}.${current}' | '|${mark}${workspaceId}.${current - 1}')`;
  };
  return [range("a", 2 ** 16), range("b", 2 ** 20), workspaceMark(workspaceId)];
}

function toHit(type: SearchType, row: HitRow, { words, sees }: SearchRequest): SearchHit {
  const { id, conversation_id, contact_id, body, created_at } = row;
  const isMessage = type === "message";
  const title = isMessage && !sees.conversations ? null : row.title;
  const contactName = isMessage && !sees.contacts ? null : row.contact_name;
  return {
    type,
    id,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(contact_id === undefined ? {} : { contact_id }),
    title: title ?? contactName ?? "",
    ...excerptOf(body, words),
    created_at,
  };
}

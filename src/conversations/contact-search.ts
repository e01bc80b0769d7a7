import { listSql, type Queryable } from "../db/database.ts";
import { contactsWithPhone } from "./phone-search.ts";
import { newestWith } from "./search.ts";
import { fold, parseSearch, type SearchWords } from "./search-words.ts";

const FOUND_MAX = 200;

/**
 * The newest contacts that a search means beyond the parts of their texts: names without their accents, and phone numbers
 * whatever is between their digits.
 */
export async function contactsMeantBy(db: Queryable, workspaceId: number, search: string): Promise<number[]> {
  const words = parseSearch(search);
  const [byWords, byPhone] = await Promise.all([
    words.words.length + words.phrases.length > 0 ? contactsWithPart(db, workspaceId, search, words) : [],
    contactsWithPhone(db, workspaceId, search),
  ]);
  return [...new Set([...byWords, ...byPhone])];
}

const fieldsOf = listSql(
  "contact_fields",
  `select k.id, array_remove(array[k.name, k.email, k.phone, k.external_id], null) as fields
   from contacts k
   where k.workspace_id = $1
     and k.id = any($2::bigint[])`,
);

/** The index folds words; whether they are a part of one text, as everywhere in this list, is decided here. */
async function contactsWithPart(
  db: Queryable,
  workspaceId: number,
  search: string,
  words: SearchWords,
): Promise<number[]> {
  const ids = await newestWith(db, workspaceId, "contact", { words, limit: FOUND_MAX });
  const rows = await db.query<{ id: number; fields: string[] }>(fieldsOf, [workspaceId, ids]);
  const part = fold(search);
  return rows.filter(({ fields }) => fields.some((field) => fold(field).includes(part))).map(({ id }) => id);
}

import { listSql, type Queryable } from "../db/database.ts";
import { workspaceMark } from "./search-words.ts";

const FOUND_MAX = 200;
const DIGITS_MIN = 5;
const DIGITS_MAX = 20;
/** Shorter groups of digits are in too many numbers. */
const GROUP_MIN = 3;
/** How many numbers with such a group are compared. */
const COMPARED_MAX = 20_000;

// A number is indexed by its groups, as it was written: one of them finds the rows, and all digits decide.
const byDigits = listSql(
  "contact_phone_digits",
  `with hit as materialized (
     select k.id, k.phone
     from contacts k
     where search_terms(k.workspace_id, k.id, contact_text(k.name, k.email, k.phone, k.external_id)) @@ $1::tsquery
     limit ${COMPARED_MAX}
   )

   select id
   from hit
   where regexp_replace(phone, '\\D', '', 'g') like $2
   order by id desc
   limit ${FOUND_MAX}`,
);

/** The newest contacts with a phone number that has these digits, whatever is between them. */
export async function contactsWithPhone(db: Queryable, workspaceId: number, search: string): Promise<number[]> {
  const digits = digitsIn(search);
  if (digits === null) return [];
  const values = [`${workspaceMark(workspaceId)} & (${groupsIn(digits).join(" | ")})`, `%${withoutZeros(digits)}%`];
  return (await db.query<{ id: number }>(byDigits, values)).map(({ id }) => id);
}

/** The zeros before an area or a country are not part of the number in its other forms. */
const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");

/** Null: not a phone number. */
function digitsIn(search: string): string | null {
  if (/[^\d\s+()./-]/.test(search)) return null;
  const digits = search.replace(/\D/g, "");
  return withoutZeros(digits).length >= DIGITS_MIN && digits.length <= DIGITS_MAX ? digits : null;
}

/** Every group that the number may have been written with: whole ones, the one it ends with also as a beginning. */
function groupsIn(digits: string): string[] {
  const groups = new Set(["0", "00"].map((zeros) => `'${zeros}${withoutZeros(digits)}':*`));
  for (let from = 0; from + GROUP_MIN <= digits.length; from += 1) {
    groups.add(`'${digits.slice(from)}':*`);
    for (let to = from + GROUP_MIN; to < digits.length; to += 1) groups.add(`'${digits.slice(from, to)}'`);
  }
  return [...groups];
}

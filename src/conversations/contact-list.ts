import type { Queryable } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import { listTotal } from "../db/list-counts.ts";
import type { Condition, ListSource } from "../db/list-sql.ts";
import type { ContactRecord } from "../resources/conversations.ts";
import { CONTACT_COLUMNS } from "./contacts.ts";
import { partCondition } from "./part-of-text.ts";

interface ContactFilter {
  external_id?: string | undefined;
  email?: string | undefined;
  search?: string | undefined;
  /** Also these match the search. */
  meant?: readonly number[] | undefined;
  updated_since?: Date | undefined;
}

const CONTACTS: ListSource<ContactRecord, ContactRecord> = {
  name: "contacts",
  table: "contacts k",
  order: [{ column: "k.id", type: "bigint" }],
  columns: CONTACT_COLUMNS,
  joins: "join contacts k on k.workspace_id = $1 and k.id = any(array[picked.key0])",
  toRecord: (row) => row,
};

/** Newest first. */
export function contactReader(db: Queryable, workspaceId: number, filter: ContactFilter): ListReader<ContactRecord> {
  const filters = conditionsOf(workspaceId, filter);
  return createListReader(db, CONTACTS, {
    workspaceId,
    base: [{ name: "", sql: "k.workspace_id = ?", values: [workspaceId] }],
    filters,
    total: filters.length > 0 ? null : () => listTotal(db, workspaceId, "contacts"),
  });
}

function conditionsOf(
  workspaceId: number,
  { external_id, email, search, meant = [], updated_since }: ContactFilter,
): Condition[] {
  const conditions: Condition[] = [];
  if (external_id !== undefined) conditions.push({ name: "external", sql: "k.external_id = ?", values: [external_id] });
  if (email !== undefined) conditions.push({ name: "email", sql: "lower(k.email) = lower(?)", values: [email] });
  if (search !== undefined) {
    const text = "contact_text(k.name, k.email, k.phone, k.external_id)";
    const fields = "concat_ws(E'\\n', k.name, k.email, k.phone, k.external_id)";
    const part = partCondition({ search, text, fields, row: { alias: "k", table: "contacts", workspaceId } });
    if (meant.length === 0) conditions.push(part);
    else {
      const sql = `(k.id = any(?::bigint[]) or (${part.sql}))`;
      conditions.push({ ...part, name: `${part.name}_or_meant`, sql, values: [meant, ...part.values] });
    }
  }
  if (updated_since !== undefined)
    conditions.push({ name: "since", sql: "k.updated_at >= ?", values: [updated_since], skewed: true });
  return conditions;
}

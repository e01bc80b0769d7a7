import type { Queryable } from "../db/database.ts";
import type { AuditAction, AuditedType } from "./audit.ts";
import { type AuditFilter, auditReader } from "./audit-list.ts";

/** An export stops here; older entries are exported with `created_before`. */
const EXPORT_ROWS_MAX = 100_000;
const PAGE_ROWS = 1_000;

/** An entry as the API shows it. */
export interface AuditRow {
  id: number;
  uuid: string;
  action: AuditAction;
  actor: { type: string; id: number | null; name: string | null };
  resource: { type: AuditedType; id: number };
  ip: string | null;
  request_id: string | null;
  changes: Record<string, unknown>;
  created_at: string;
}

/** Every entry that matches, newest first, a page at a time: an export of any length needs the memory of one page. */
export async function* auditPages(
  db: Queryable,
  workspaceId: number,
  filter: AuditFilter,
): AsyncGenerator<AuditRow[], void, void> {
  const reader = auditReader(db, workspaceId, filter);
  let upToId: number | null = null;
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += PAGE_ROWS) {
    const page = (await reader.rows(PAGE_ROWS, 0, upToId)) as AuditRow[];
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    upToId = last.id - 1;
  }
}

import type { Queryable } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import { listTotal } from "../db/list-counts.ts";
import type { Condition, ListSource } from "../db/list-sql.ts";

export interface AuditFilter {
  action?: string;
  resource_type?: string;
  resource_id?: number;
  /** The id of the user or key that acted. */
  actor_id?: number;
  created_after?: Date;
  created_before?: Date;
}

const AUDIT_LOGS: ListSource<{ id: number }, { id: number }> = {
  name: "audit",
  table: "audit_logs a",
  order: [{ column: "a.id", type: "bigint" }],
  columns: `a.id, a.uuid, a.action,
      json_build_object('type', a.actor_type, 'id', a.actor_id, 'name', a.actor_name) as actor,
      json_build_object('type', a.resource_type, 'id', a.resource_id) as resource,
      a.ip, a.request_id, a.changes, a.created_at`,
  joins: "join audit_logs a on a.workspace_id = $1 and a.id = any(array[picked.key0])",
  toRecord: (row) => row,
};

/** Newest first. */
export function auditReader(db: Queryable, workspaceId: number, filter: AuditFilter): ListReader<{ id: number }> {
  const filters = conditionsOf(workspaceId, filter);
  return createListReader(db, AUDIT_LOGS, {
    workspaceId,
    base: [{ name: "", sql: "a.workspace_id = ?", values: [workspaceId] }],
    filters,
    total: filters.length > 0 ? null : () => listTotal(db, workspaceId, "audit_logs"),
  });
}

function conditionsOf(workspaceId: number, filter: AuditFilter): Condition[] {
  const { action, resource_type, resource_id, actor_id, created_after, created_before } = filter;
  const conditions: Condition[] = [];
  if (action !== undefined) conditions.push({ name: "action", sql: "a.action = ?", values: [action] });
  if (resource_type !== undefined)
    conditions.push({ name: "type", sql: "a.resource_type = ?", values: [resource_type] });
  if (resource_id !== undefined) conditions.push({ name: "resource", sql: "a.resource_id = ?", values: [resource_id] });
  if (actor_id !== undefined) conditions.push({ name: "actor", sql: "a.actor_id = ?", values: [actor_id] });
  if (created_after !== undefined)
    conditions.push({
      name: "after_time",
      sql: `a.created_at >= ? and a.id >= ${boundOf("min", ">=", "asc")}`,
      values: [created_after, workspaceId, created_after],
    });
  if (created_before !== undefined)
    conditions.push({
      name: "before_time",
      sql: `a.created_at < ? and a.id <= ${boundOf("max", "<", "desc")}`,
      values: [created_before, workspaceId, created_before],
    });
  return conditions;
}

/**
 * Where in the order of ids a time is. Ids and times differ in their order by no more than the transactions that were open
 * at once, so the nearest few hundred entries hold the bound, and the list need not walk up to it from its beginning.
 */
const boundOf = (pick: "min" | "max", comparison: string, direction: "asc" | "desc") => `(
          select ${pick}(near.id)
          from (
            select id
            from audit_logs
            where workspace_id = ?
              and created_at ${comparison} ?
            order by created_at ${direction}
            limit 500) near)`;

import { type Queryable, sql } from "../db/database.ts";
import { createListReader, type ListReader } from "../db/list.ts";
import type { ListSource } from "../db/list-sql.ts";
import type { WidgetRecord } from "../resources/widget.ts";
import { WIDGET_COLUMNS } from "./widgets.ts";

// A workspace has 1,000 widgets at most: counting them is cheap enough.
const countStatement = sql("widget_count", "select count(*) as total from widgets where workspace_id = $1");

const WIDGETS: ListSource<WidgetRecord, WidgetRecord> = {
  name: "widgets",
  table: "widgets w",
  order: [{ column: "w.id", type: "bigint" }],
  columns: WIDGET_COLUMNS,
  joins: "join widgets w on w.workspace_id = $1 and w.id = any(array[picked.key0])",
  toRecord: (row) => row,
};

/** Newest first. */
export function widgetReader(
  db: Queryable,
  workspaceId: number,
  { is_active }: { is_active?: boolean | undefined },
): ListReader<WidgetRecord> {
  return createListReader(db, WIDGETS, {
    workspaceId,
    base: [{ name: "", sql: "w.workspace_id = ?", values: [workspaceId] }],
    filters: is_active === undefined ? [] : [{ name: "active", sql: "w.is_active = ?", values: [is_active] }],
    total:
      is_active === undefined
        ? async () => (await db.query<{ total: number }>(countStatement, [workspaceId]))[0]?.total ?? 0
        : null,
  });
}

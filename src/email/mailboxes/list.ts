import { type Queryable, sql } from "../../db/database.ts";
import { createListReader, type ListReader } from "../../db/list.ts";
import type { MailboxRecord } from "../../resources/mailbox.ts";
import { MAILBOX_COLUMNS, MAILBOX_STATE_JOIN, toMailbox } from "./row.ts";

const countStatement = sql("mailbox_count", "select count(*) as total from mailboxes where workspace_id = $1");

const MAILBOXES = {
  name: "mailboxes",
  table: "mailboxes b",
  order: [{ column: "b.id", type: "bigint" }] as const,
  columns: MAILBOX_COLUMNS,
  joins: `join mailboxes b on b.workspace_id = $1 and b.id = any(array[picked.key0]) ${MAILBOX_STATE_JOIN}`,
  toRecord: toMailbox,
};

/** Newest first. */
export const mailboxReader = (db: Queryable, workspaceId: number): ListReader<MailboxRecord> =>
  createListReader(db, MAILBOXES, {
    workspaceId,
    base: [{ name: "", sql: "b.workspace_id = ?", values: [workspaceId] }],
    filters: [],
    total: async () => (await db.query<{ total: number }>(countStatement, [workspaceId]))[0]?.total ?? 0,
  });

import { recordAudit } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";

/** How conversations behave in a workspace. */
interface InboxSettings {
  /** The first public reply of a person in a conversation without assignee assigns it to that person. */
  assign_on_first_reply: boolean;
}

const readStatement = sql("inbox_settings", "select assign_on_first_reply from workspaces where id = $1");
const lockStatement = sql(
  "inbox_settings_lock",
  "select assign_on_first_reply from workspaces where id = $1 for no key update",
);
const updateStatement = sql("inbox_settings_update", "update workspaces set assign_on_first_reply = $2 where id = $1");

export async function readInboxSettings(db: Queryable, workspaceId: number): Promise<InboxSettings> {
  const [settings] = await db.query<InboxSettings>(readStatement, [workspaceId]);
  return settings as InboxSettings;
}

export async function changeInboxSettings(
  tx: Tx,
  caller: Caller,
  { assign_on_first_reply: wanted }: Partial<InboxSettings>,
): Promise<InboxSettings> {
  const { workspaceId } = caller;
  const [locked] = await tx.query<InboxSettings>(lockStatement, [workspaceId]);
  const before = locked as InboxSettings;
  if (wanted === undefined || wanted === before.assign_on_first_reply) return before;
  await tx.query(updateStatement, [workspaceId, wanted]);
  await recordAudit(tx, caller, {
    action: "workspace.inbox_settings_changed",
    resource: { type: "workspace", id: workspaceId },
    changes: { assign_on_first_reply: { from: before.assign_on_first_reply, to: wanted } },
  });
  return { assign_on_first_reply: wanted };
}

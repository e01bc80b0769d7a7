import { type Queryable, sql } from "../db/database.ts";

interface Installation {
  /** When the latest conversation began; null: nobody has written yet. */
  last_message_at: string | null;
  /** On which page; null: the widget does not collect it. */
  url: string | null;
}

const latestStatement = sql(
  "widget_latest_conversation",
  `select c.created_at as last_message_at, c.page->>'url' as url
   from conversations c
   where c.workspace_id = $1
     and c.widget_id = $2
   order by c.id desc
   limit 1`,
);

/** Whether the snippet works: nothing is recorded before a visitor writes, so the latest conversation is what tells. */
export async function installationOf(db: Queryable, workspaceId: number, widgetId: number): Promise<Installation> {
  const [latest] = await db.query<Installation>(latestStatement, [workspaceId, widgetId]);
  return latest ?? { last_message_at: null, url: null };
}

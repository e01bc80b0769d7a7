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

const activeStatement = sql(
  "widget_first_active",
  `select w.public_id
   from widgets w
   where w.workspace_id = $1
     and w.is_active
   order by w.id
   limit 1`,
);

/** The `public_id` of a workspace's first active widget. */
export async function firstActiveWidget(db: Queryable, workspaceId: number): Promise<string | null> {
  const [widget] = await db.query<{ public_id: string }>(activeStatement, [workspaceId]);
  return widget?.public_id ?? null;
}

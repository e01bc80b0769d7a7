import { setTimeout as sleep } from "node:timers/promises";
import { type Database, type Queryable, sql } from "../db/database.ts";
import { TABLE_LEVELS } from "../db/table-levels.ts";
import type { Workspace } from "./workspaces.ts";

const rename = sql(
  "workspace_rename",
  "update workspaces set name = $2 where id = $1 returning id, uuid, name, created_at",
);
const revokeAll = sql(
  "workspace_revoke_keys",
  `with next as (
     update auth_revision
     set value = value + 1
     returning value
   )

   update api_keys
   set revoked_at = coalesce(revoked_at, now()),
     revision = next.value
   from next
   where workspace_id = $1`,
);
// Every table of a workspace, those that refer to others first.
const listTables = sql(
  "workspace_tables",
  `with recursive ${TABLE_LEVELS}

   select table_level.oid::regclass::text as name
   from table_level
   join pg_attribute a
     on a.attrelid = table_level.oid
     and a.attname = 'workspace_id'
     and not a.attisdropped
   order by table_level.level desc, 1`,
);
const remove = sql("workspace_delete", "delete from workspaces where id = $1");

const BATCH_ROWS = 5_000;
const PASSES_MAX = 10;
/** Longer than any node trusts a key that it knows. */
const KEY_TRUST_MS = 2_000;

export async function renameWorkspace(db: Queryable, id: number, name: string): Promise<Workspace> {
  const [row] = await db.query<Workspace>(rename, [id, name]);
  return row as Workspace;
}

/**
 * Deletes a workspace with everything in it. Its keys are revoked first and every node given time to notice, because a
 * node learns of changed keys and not of missing ones. Rows go in batches, each within the time of a statement; the
 * workspace itself goes last, so a deletion that was interrupted can be repeated.
 */
export async function deleteWorkspace(db: Database, id: number): Promise<void> {
  await db.query(revokeAll, [id]);
  await sleep(KEY_TRUST_MS);
  const tables = (await db.query<{ name: string }>(listTables)).map(({ name }) => name);
  // Deleting rows is counted too, and a running server folds these counts into tables that were empty already.
  for (let pass = 0; pass < PASSES_MAX; pass++) if ((await deleteRows(db, id, tables)) === 0) break;
  await db.query(remove, [id]);
}

/** One pass over all tables. Returns how many rows it found. */
async function deleteRows(db: Database, id: number, tables: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const name of tables) {
    const batch = sql(
      `workspace_delete_${name}`,
      `delete from ${name}
       where workspace_id = $1
         and ctid = any(array(select ctid from ${name} where workspace_id = $1 limit ${BATCH_ROWS}))
       returning 1`,
    );
    for (let rows = -1; rows !== 0; deleted += rows) rows = (await db.query(batch, [id])).length;
  }
  return deleted;
}

import pg from "pg";
import { identifier } from "../db/identifier.ts";
import { parsers } from "../db/types.ts";
import { dropFence } from "./fence.ts";
import { MoveRefusal } from "./preflight.ts";
import { readMovedTables } from "./tables.ts";

const BATCH_ROWS = 5_000;

/** Kept, so that requests with the keys of the workspace still learn which cell it moved to. */
const KEPT_TABLES: ReadonlySet<string> = new Set(["workspaces", "api_keys", "api_key_digests"]);

/** Deletes the rows that a workspace left behind when it moved, except those that name its new cell. Returns how many rows. */
export async function cleanMoved(connection: pg.ClientConfig, workspaceId: number): Promise<number> {
  const client = new pg.Client({ ...connection, application_name: "parley-clean", types: parsers });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ state: string | null }>(
      "select move_state as state from workspaces where id = $1",
      [workspaceId],
    );
    if (rows[0]?.state !== "moved")
      throw new MoveRefusal(`Workspace ${workspaceId} has not moved to another cell: there is nothing to clean.`);
    await client.query("set parley.mover = 'on'");
    const tables = await readMovedTables(client);
    const cleaned = tables.map(({ name }) => name).filter((name) => !KEPT_TABLES.has(name));
    // Triggers count what is deleted, and a running node moves these counts to other tables: until none of them has a row, in
    // either order.
    let removed = 0;
    for (let emptyPasses = 0; emptyPasses < 2; ) {
      let inPass = 0;
      for (const name of cleaned.reverse()) inPass += await deleteRows(client, name, workspaceId);
      emptyPasses = inPass === 0 ? emptyPasses + 1 : 0;
      removed += inPass;
    }
    await dropFence(client, tables, workspaceId);
    return removed;
  } finally {
    await client.end().catch(() => {});
  }
}

async function deleteRows(client: pg.Client, table: string, workspaceId: number): Promise<number> {
  const name = identifier(table);
  for (let removed = 0; ; ) {
    const { rowCount } = await client.query(
      `delete from ${name}
       where workspace_id = $1
         and ctid = any(array(select ctid from ${name} where workspace_id = $1 limit ${BATCH_ROWS}))`,
      [workspaceId],
    );
    if (!rowCount) return removed;
    removed += rowCount;
  }
}

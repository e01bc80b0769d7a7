import type pg from "pg";
import { identifier } from "../db/identifier.ts";
import type { MovedTable } from "./tables.ts";
import { inTransaction } from "./transaction.ts";

// Written by loops and workers, for several workspaces in one statement: a refusal would stop the others too. Nothing
// that these write after the copy began can be lost: counters follow from rows that are fenced, deliveries are paused,
// all positions are assigned, and what expires here expires in the other cell as well.
const NOT_FENCED: ReadonlySet<string> = new Set([
  "alert_states",
  "api_key_last_used",
  "api_key_usage",
  "conversation_counts",
  "conversation_deltas",
  "conversation_inbox",
  "conversation_stat_deltas",
  "conversation_stats",
  "dead_letters",
  "delivery_attempts",
  "delivery_lanes",
  "delivery_stat_deltas",
  "delivery_stats",
  "event_positions",
  "events_unsequenced",
  "file_usage",
  "label_counts",
  "label_deltas",
  "labelled_conversations",
  "list_count_deltas",
  "list_counts",
  "notifications",
]);

/** Retention and workers delete here; requests do not. */
const DELETED_BY_LOOPS: ReadonlySet<string> = new Set([
  "audit_logs",
  "deliveries",
  "events",
  "file_chunks",
  "files",
  "idempotency_keys",
  "invitations",
]);

/** Claims and settles update them. */
const UPDATED_BY_LOOPS: ReadonlySet<string> = new Set(["deliveries"]);

const LOCK_MS = 2_000;
const LOCK_TRIES = 60;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Refuses every write to the workspace by a trigger on each of its tables. Creating one waits for the writes in progress,
 * so once this returns, every row of the workspace is committed, and a process that was suspended cannot add one later.
 */
export async function raiseFence(client: pg.Client, tables: readonly MovedTable[], workspaceId: number): Promise<void> {
  for (const table of tables) {
    if (NOT_FENCED.has(table.name)) continue;
    await createTrigger(client, table, UPDATED_BY_LOOPS.has(table.name) ? "insert" : "insert or update", workspaceId);
    if (!DELETED_BY_LOOPS.has(table.name)) await createTrigger(client, table, "delete", workspaceId);
  }
}

export async function dropFence(client: pg.Client, tables: readonly MovedTable[], workspaceId: number): Promise<void> {
  for (const { name } of tables)
    for (const trigger of [`moving_${workspaceId}`, `moving_${workspaceId}_delete`])
      if (await hasTrigger(client, name, trigger))
        await withShortLock(client, `drop trigger if exists ${identifier(trigger)} on ${identifier(name)}`);
}

async function createTrigger(
  client: pg.Client,
  table: MovedTable,
  events: "insert" | "insert or update" | "delete",
  workspaceId: number,
): Promise<void> {
  const [name, row] = events === "delete" ? [`moving_${workspaceId}_delete`, "old"] : [`moving_${workspaceId}`, "new"];
  if (await hasTrigger(client, table.name, name)) return;
  await withShortLock(
    client,
    `create or replace trigger ${identifier(name)}
     before ${events} on ${identifier(table.name)}
     for each row
     when (${row}.${identifier(table.workspaceColumn)} = ${workspaceId})
     execute function refuse_while_moving(${workspaceId})`,
  );
}

const hasTrigger = async (client: pg.Client, table: string, trigger: string): Promise<boolean> =>
  (
    await client.query("select from pg_trigger where tgrelid = $1::regclass and tgname = $2", [
      identifier(table),
      trigger,
    ])
  ).rows.length > 0;

/** A statement that waits for a lock on a table blocks all that come after it: it is better to give up and try again. */
async function withShortLock(client: pg.Client, statement: string): Promise<void> {
  for (let triesLeft = LOCK_TRIES; ; triesLeft--)
    try {
      return await inTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${LOCK_MS}`);
        await client.query(statement);
      });
    } catch (error) {
      if (triesLeft <= 1 || (error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
}

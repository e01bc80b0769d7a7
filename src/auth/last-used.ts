import { createBatchWriter } from "../core/batch-writer.ts";
import type { Logger } from "../core/logger.ts";
import { type Database, sql } from "../db/database.ts";

export type LastUsed = ReturnType<typeof createLastUsed>;

const FLUSH_MS = 10_000;

// Sorted, so that two nodes that flush the same keys lock them in the same order; `greatest`, so that a late batch of a
// slow node never moves a time back. Ages instead of times: the database's clock is the one that counts.
const writeUses = sql(
  "api_key_uses",
  `insert into api_key_last_used (workspace_id, api_key_id, last_used_at)
   select workspace_id, api_key_id, now() - make_interval(secs => age_ms / 1000)
   from unnest($1::bigint[], $2::bigint[], $3::float8[]) as use (workspace_id, api_key_id, age_ms)
   order by workspace_id, api_key_id
   on conflict (workspace_id, api_key_id) do update
     set last_used_at = greatest(api_key_last_used.last_used_at, excluded.last_used_at)`,
);

interface Use {
  workspaceId: number;
  apiKeyId: number;
  atMs: number;
}

/** Remembers when keys were used and writes it in batches: the first use at once, later ones within FLUSH_MS. */
export function createLastUsed(db: Database, logger: Logger) {
  async function write(uses: Use[]): Promise<void> {
    const now = performance.now();
    await db.query(writeUses, [
      uses.map((use) => use.workspaceId),
      uses.map((use) => use.apiKeyId),
      uses.map((use) => now - use.atMs),
    ]);
  }

  const batches = createBatchWriter<Use>({
    flushMs: FLUSH_MS,
    merge: (held, use) => {
      held.atMs = Math.max(held.atMs, use.atMs);
    },
    write,
    onError: ({ message }) => logger.warn({ err: message }, "writing the last use of API keys failed, retrying"),
  });

  return {
    // Key ids come from one sequence, so they are unique across workspaces.
    touch: (workspaceId: number, apiKeyId: number): void =>
      batches.add(apiKeyId, { workspaceId, apiKeyId, atMs: performance.now() }),
    writeFirst: (workspaceId: number, apiKeyId: number): Promise<void> =>
      write([{ workspaceId, apiKeyId, atMs: performance.now() }]),
    close: batches.close,
  };
}

import { invalid } from "../core/errors.ts";
import { sql, type Tx } from "./database.ts";

/** Members per workspace: those whom a conversation can be assigned to are read as a whole. */
export const MEMBERS_MAX = 10_000;

interface Quota {
  workspaceId: number;
  /** The table, as the API calls the collection too; the error is reported under this name. */
  collection: string;
  /** Which of its rows count, as SQL; absent: all. */
  counting?: string;
  max: number;
}

// Held to the commit: of two concurrent creations only one can be the last that is allowed.
const lockCollection = sql("quota_lock", "select pg_advisory_xact_lock(hashtextextended('quota:' || $2, $1))");

const countStatement = (table: string, counting: string) =>
  sql(
    `${table}_quota`,
    `select count(*) as used
     from (
       select
       from ${table}
       where workspace_id = $1
         and ${counting}
       limit $2) counted`,
  );

/** Refuses a creation in a workspace that has as many records of this kind as it may have. */
export async function requireQuota(tx: Tx, { workspaceId, collection, counting = "true", max }: Quota): Promise<void> {
  await tx.query(lockCollection, [workspaceId, collection]);
  const [row] = await tx.query<{ used: number }>(countStatement(collection, counting), [workspaceId, max]);
  if ((row?.used ?? 0) >= max)
    throw invalid({
      [collection]: [`This workspace has reached its limit of ${max} ${collection.replaceAll("_", " ")}.`],
    });
}

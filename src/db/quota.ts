import { invalid } from "../core/errors.ts";
import { type Statement, sql, type Tx } from "./database.ts";

/** Members per workspace: those whom a conversation can be assigned to are read as a whole. */
export const MEMBERS_MAX = 10_000;

interface Quota {
  workspaceId: number;
  /** The collection as the API calls it; the error is reported under this name. */
  collection: string;
  max: number;
  /** Returns `used`, given the workspace and how far to count. */
  count: Statement;
}

// Held to the commit: of two concurrent creations only one can be the last that is allowed.
const lockCollection = sql("quota_lock", "select pg_advisory_xact_lock(hashtextextended('quota:' || $2, $1))");

/** Refuses a creation in a workspace that has as many records of this kind as it may have. */
export async function requireQuota(tx: Tx, { workspaceId, collection, max, count }: Quota): Promise<void> {
  await tx.query(lockCollection, [workspaceId, collection]);
  const [row] = await tx.query<{ used: number }>(count, [workspaceId, max]);
  if ((row?.used ?? 0) >= max)
    throw invalid({
      [collection]: [`This workspace has reached its limit of ${max} ${collection.replaceAll("_", " ")}.`],
    });
}

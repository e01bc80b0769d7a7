import { type Database, sql } from "../db/database.ts";
import { diskFailure, diskProblem } from "../db/embedded/host/disk.ts";
import type { Store } from "../store.ts";

const ping = sql("ping", "select 1");

/** Reading works for a while on a full or failed disk: that is no reason to send writes here. */
export async function databaseProblem({ db, embedded }: Store): Promise<string | null> {
  const onDisk = embedded && diskProblem(embedded.dataDir);
  if (onDisk) return onDisk;
  if (await responds(db)) return db.storageProblem();
  return (embedded && diskFailure(embedded.dataDir)) ?? "The database is unavailable.";
}

async function responds(db: Database): Promise<boolean> {
  try {
    await db.query(ping);
    return true;
  } catch {
    return false;
  }
}

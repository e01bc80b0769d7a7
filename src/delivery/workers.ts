import { type Database, sql, type Tx } from "../db/database.ts";
import { claimedLanes, inLane, sameLane } from "./queue-sql.ts";

/**
 * A worker says every HEARTBEAT_MS, in the database's time, that it lives. One that has been silent for DEAD_MS is dead:
 * its claims go back to the queue. DEAD_MS is far below the longest attempt (60 s), which needs no lease of its own.
 */
export const HEARTBEAT_MS = 2_000;
export const DEAD_MS = 18_000;

const registerStatement = sql("worker_register", "insert into workers (name) values ($1) returning id");
const beatStatement = sql(
  "worker_beat",
  "update workers set heartbeat_at = now() where id = $1 returning (select count(*) from workers) as workers",
);
// Whoever asks is alive, even if the database's clock was set ahead since its last heartbeat.
const findDead = sql(
  "worker_dead",
  `select id from workers where id <> $1 and heartbeat_at < now() - make_interval(secs => ${DEAD_MS / 1_000})
   order by id for update skip locked`,
);
// A claim holds its worker's row, so this waits for those under way, and those that come later find no row: the next
// statement sees every claim there is.
const unlist = sql("worker_unlist", "delete from workers where id = any($1::bigint[])");
// Only a lane with something in flight can hold a claim, and there are few of those.
const lockLanes = sql(
  "rescue_lanes",
  `select l.webhook_id from delivery_lanes l where l.in_flight > 0 order by l.workspace_id, l.webhook_id for update`,
);
const giveBack = sql(
  "rescue_deliveries",
  `with freed as (
     update deliveries d set worker_id = null, lease_token = null, next_attempt_at = least(d.next_attempt_at, now())
     from ${claimedLanes} l where ${inLane("d", "l")} and d.worker_id = any($1::bigint[]) returning d.workspace_id, d.webhook_id)
   update delivery_lanes l set in_flight = greatest(0, l.in_flight - n.freed)
   from (select workspace_id, webhook_id, count(*)::int as freed from freed group by 1, 2) n
   where ${sameLane("l", "n")}
   returning n.freed as freed`,
);

export async function registerWorker(db: Database, name: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(registerStatement, [name]);
  return (row as { id: number }).id;
}

/** How many workers there are. Zero: others took this one for dead and have given its claims away. */
export async function beat(db: Database, workerId: number): Promise<number> {
  const [row] = await db.query<{ workers: number }>(beatStatement, [workerId]);
  return row?.workers ?? 0;
}

/** Takes the worker off the list and gives back whatever it still holds, which is nothing after an orderly stop. */
export const leave = (db: Database, workerId: number): Promise<unknown> =>
  db.transaction((tx) => disown(tx, [workerId]));

/** One worker gives the claims of dead ones back to the queue. Returns how many deliveries that were. */
export async function rescueOrphans(db: Database, workerId: number): Promise<number> {
  return db.transaction(async (tx) => {
    const dead = await tx.query<{ id: number }>(findDead, [workerId]);
    if (dead.length === 0) return 0;
    return disown(
      tx,
      dead.map((row) => row.id),
    );
  });
}

async function disown(tx: Tx, workerIds: readonly number[]): Promise<number> {
  await tx.query(unlist, [workerIds]);
  await tx.query(lockLanes);
  const freed = await tx.query<{ freed: number }>(giveBack, [workerIds]);
  return freed.reduce((sum, row) => sum + row.freed, 0);
}

import { type Database, sql, type Tx } from "../db/database.ts";

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
const leaveStatement = sql("worker_leave", "delete from workers where id = $1");
const findDead = sql(
  "worker_dead",
  `select id from workers where heartbeat_at < now() - make_interval(secs => ${DEAD_MS / 1_000})
   order by id for update skip locked`,
);
// A worker that is not even listed: it left, or was taken for dead, while a claim of its was still under way; same cure.
// A listed one's row is committed before its first claim, so no statement sees the claim without the row.
const findUnlisted = sql(
  "worker_unlisted",
  `select distinct d.worker_id as id from deliveries d
   where d.worker_id is not null and not exists (select from workers w where w.id = d.worker_id)`,
);
const lockLanes = sql(
  "rescue_lanes",
  `select l.webhook_id from delivery_lanes l
   where (l.workspace_id, l.webhook_id) in (select workspace_id, webhook_id from deliveries where worker_id = any($1::bigint[]))
   order by l.workspace_id, l.webhook_id for update`,
);
const giveBack = sql(
  "rescue_deliveries",
  `with freed as (
     update deliveries set worker_id = null, lease_token = null, next_attempt_at = least(next_attempt_at, now())
     where worker_id = any($1::bigint[]) returning workspace_id, webhook_id)
   update delivery_lanes l set in_flight = greatest(0, l.in_flight - n.freed)
   from (select workspace_id, webhook_id, count(*)::int as freed from freed group by 1, 2) n
   where l.workspace_id = n.workspace_id and l.webhook_id = n.webhook_id
   returning n.freed as freed`,
);
const removeDead = sql("worker_remove", "delete from workers where id = any($1::bigint[])");

export async function registerWorker(db: Database, name: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(registerStatement, [name]);
  return (row as { id: number }).id;
}

/** How many workers there are. Zero: others took this one for dead and have given its claims away. */
export async function beat(db: Database, workerId: number): Promise<number> {
  const [row] = await db.query<{ workers: number }>(beatStatement, [workerId]);
  return row?.workers ?? 0;
}

export const leave = (db: Database, workerId: number): Promise<unknown> => db.query(leaveStatement, [workerId]);

/** Gives the claims of dead workers back to the queue. Returns how many deliveries that were. */
export async function rescueOrphans(db: Database): Promise<number> {
  return db.transaction(async (tx: Tx) => {
    const rows = [...(await tx.query<{ id: number }>(findDead)), ...(await tx.query<{ id: number }>(findUnlisted))];
    const dead = rows.map((row) => row.id);
    if (dead.length === 0) return 0;
    await tx.query(lockLanes, [dead]);
    const freed = await tx.query<{ freed: number }>(giveBack, [dead]);
    await tx.query(removeDead, [dead]);
    return freed.reduce((sum, row) => sum + row.freed, 0);
  });
}

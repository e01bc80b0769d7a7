import { type Database, queryOne, sql, type Tx } from "../db/database.ts";
import { countDown, inLane, LANES_IN_FLIGHT } from "./sql-fragments.ts";

/**
 * A worker writes a heartbeat every HEARTBEAT_MS, in the database's time. Its lease expires when there was none for
 * LEASE_TIMEOUT_MS, and its claims are released. An attempt may take longer (60 s): its claim lasts as long as the
 * heartbeats of its worker continue.
 */
export const HEARTBEAT_MS = 2_000;
export const LEASE_TIMEOUT_MS = 18_000;

/** A worker whose heartbeat is older is no lane's preferred worker, long before its lease expires. */
const RESPONSIVE_MS = 3 * HEARTBEAT_MS;

const claimersSql = (workers: string): string =>
  `json_agg(json_build_object('workerId', ${workers}.id, 'concurrency', ${workers}.concurrency))`;

const claimsSql = (worker: string): string =>
  `not ${worker}.is_stopping
            and ${worker}.heartbeat_at > now() - make_interval(secs => ${RESPONSIVE_MS / 1_000})`;

// A statement does not see the rows that it inserts, so the new worker is added to what it reads.
const registerStatement = sql(
  "worker_register",
  `with registered as (
      insert into workers (name, concurrency)
      values ($1, $2)
      returning id, concurrency
    )

    select
      registered.id as "workerId",
      (select count(*) from workers) + 1 as workers,
      (
        select ${claimersSql("claimer")}
        from (
          select worker.id, worker.concurrency
          from workers worker
          where ${claimsSql("worker")}
          union all
          select registered.id, registered.concurrency
        ) claimer
      ) as claimers
    from registered`,
);

const heartbeatStatement = sql(
  "worker_heartbeat",
  `update workers
    set heartbeat_at = now(), is_stopping = $2
    where id = $1
    returning
      id as "workerId",
      (select count(*) from workers) as workers,
      (
        select ${claimersSql("claimer")}
        from workers claimer
        where claimer.id = $1
          or (
            ${claimsSql("claimer")}
          )
      ) as claimers`,
);

// Never the worker that runs this: it has not crashed, even if the database's clock was set ahead since its last heartbeat.
const findExpired = sql(
  "worker_expired",
  `select id
    from workers
    where id <> $1
      and heartbeat_at < now() - make_interval(secs => ${LEASE_TIMEOUT_MS / 1_000})
    order by id
    for update skip locked`,
);

// A claim locks its worker's row until it commits. A worker that leaves waits here for its claims in progress; an expired
// one that has any was skipped above. Later claims find no row: the statements after this see every claim there is.
const unlist = sql(
  "worker_unlist",
  `delete from workers
    where id = any($1::bigint[])`,
);

// Only a lane with something in flight can hold a claim, and there are few of those.
const lockLanesInFlight = sql(
  "rescue_lanes",
  `select lane.webhook_id
    from delivery_lanes lane
    where lane.in_flight > 0
    order by lane.workspace_id, lane.webhook_id
    for update`,
);

const rescueDeliveries = sql(
  "rescue_deliveries",
  `with rescued as (
      update deliveries delivery
      set
        worker_id = null,
        lease_token = null,
        next_attempt_at = least(delivery.next_attempt_at, now())
      from ${LANES_IN_FLIGHT} lane
      where ${inLane("delivery", "lane")}
        and delivery.worker_id = any($1::bigint[])
      returning delivery.workspace_id, delivery.webhook_id
    )

    ${countDown("rescued")}
    returning ended.deliveries`,
);

/** A worker that claims deliveries: it is responsive and not stopping. */
export interface Claimer {
  workerId: number;
  /** Attempts in flight at once. */
  concurrency: number;
}

/** A worker of the list, and the list as it was then. */
export interface ListedWorker {
  readonly workerId: number;
  /** How many workers there are, this one among them. */
  readonly workers: number;
  /** Those that claim deliveries; this one is always among them. */
  readonly claimers: readonly Claimer[];
}

export const registerWorker = (db: Database, name: string, concurrency: number): Promise<ListedWorker> =>
  queryOne(db, registerStatement, [name, concurrency]);

/** Null: this worker's lease expired, and others have released its claims. */
export async function writeHeartbeat(
  db: Database,
  { workerId, isStopping }: { workerId: number; isStopping: boolean },
): Promise<ListedWorker | null> {
  const [row] = await db.query<ListedWorker>(heartbeatStatement, [workerId, isStopping]);
  return row ?? null;
}

/** Removes the worker from the list and releases whatever it still holds, which is nothing after an orderly stop. */
export const unregisterWorker = (db: Database, workerId: number): Promise<unknown> =>
  db.transaction((tx) => rescueFrom(tx, [workerId]));

/** Releases the claims of workers whose lease has expired. Returns how many deliveries that were. */
export async function rescueExpired(db: Database, workerId: number): Promise<number> {
  return db.transaction(async (tx) => {
    const expired = await tx.query<{ id: number }>(findExpired, [workerId]);
    if (expired.length === 0) return 0;
    return rescueFrom(
      tx,
      expired.map((row) => row.id),
    );
  });
}

async function rescueFrom(tx: Tx, workerIds: readonly number[]): Promise<number> {
  await tx.query(unlist, [workerIds]);
  await tx.query(lockLanesInFlight);
  const rescued = await tx.query<{ deliveries: number }>(rescueDeliveries, [workerIds]);
  return rescued.reduce((sum, row) => sum + row.deliveries, 0);
}

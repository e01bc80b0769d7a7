import { bigintArray, textArray } from "../db/binary-arrays.ts";
import { type Database, type Queryable, sql } from "../db/database.ts";
import { isMissingPartition } from "../db/errors.ts";
import type { OutboundTimings } from "../url-guard/index.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { BREAKER_THRESHOLD } from "./claim.ts";
import type { Lane } from "./lane-ring.ts";
import { claimedLanes, inLane, lockLanes, sameDelivery, sameLane } from "./queue-sql.ts";

/** What is stored of an attempt beyond the columns of the list; bounded where it is made. */
export interface AttemptDetail {
  url: string;
  request_headers: [string, string][];
  response_headers: [string, string][];
  response_body: string;
  response_body_truncated: boolean;
  address: string | null;
  timings: OutboundTimings;
}

/** How an attempt went. It succeeded exactly if there is no error message, and was silent exactly if there is no code. */
export interface LoggedResult {
  /** 0: no HTTP answer at all, which counts towards the breaker. */
  responseCode: number;
  responseTimeMs: number;
  errorMessage: string | null;
  /** An `AttemptDetail`, as JSON. */
  detail: string;
}

/** An attempt that has ended. */
export interface Settlement
  extends Omit<ClaimedDelivery, "readyAt" | "webhookVersion" | "payload" | "attemptsMade">,
    LoggedResult {
  attempt: number;
  /** Null: this was the last attempt. */
  retryInMs: number | null;
}

/** A lane that was settled, as far as somebody may have to act. */
export interface SettledLane extends Lane {
  /** Nothing but failure for longer than the limit. */
  failedTooLong: boolean;
}

const FAILING_DAYS_MAX = 5;

// One statement for a batch: the log rows, the state of each delivery and the lanes. `held` is the fence: a result whose
// lease is no longer ours is logged, which also remembers a success as one, but it moves no delivery. Nothing is joined
// but by index: one nested loop of a batch with itself was two thirds of the cost of a settle, and hash joins are off for
// this pool. It commits without waiting for the disk, as a claim does, so that nobody waits that long for its lanes: what a
// crash of the database forgets is sent once more. The window grows by its successes and halves with silence; at the
// threshold the breaker opens for 5 s, 10 s, 20 s … up to a minute.
const settleStatement = sql(
  "delivery_settle",
  `with settings as materialized (select set_config('synchronous_commit', 'off', true)),
   result as materialized (
     select r.*, error_message is null as delivered, response_code = 0 as silent
     from settings, unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[]) as r (workspace_id, webhook_id, delivery_id,
       lease_token, event_id, event_uuid, event_type, attempt, response_code, response_time_ms, error_message, retry_in_ms,
       detail)),
   lane as materialized (${lockLanes("result")}),
   finished as (
     delete from deliveries d using result r
     where (select count(*) from lane) > 0 and r.retry_in_ms is null
       and ${sameDelivery("d", "r")} and d.lease_token = r.lease_token
     returning d.workspace_id, d.webhook_id, d.id, d.event_id, r.delivered),
   retried as (
     update deliveries d set worker_id = null, lease_token = null, attempts_made = r.attempt,
       next_attempt_at = now() + r.retry_in_ms * interval '1 millisecond'
     from result r
     where (select count(*) from lane) > 0 and r.retry_in_ms is not null
       and ${sameDelivery("d", "r")} and d.lease_token = r.lease_token
     returning d.workspace_id, d.webhook_id, d.id),
   held as materialized (
     select workspace_id, webhook_id, id from finished union all select workspace_id, webhook_id, id from retried),
   fresh as not materialized (
     select * from result where not $14::boolean or (workspace_id, delivery_id) in (select workspace_id, id from held)),
   given_up as (
     insert into deliveries_given_up (workspace_id, webhook_id, event_id)
     select workspace_id, webhook_id, event_id from finished where not delivered order by 1, 2, 3 on conflict do nothing),
   logged as (
     insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, error_message, next_attempt_at, detail)
     select workspace_id, webhook_id, delivery_id, event_id, event_uuid::uuid, event_type, delivered, response_code,
       response_time_ms, attempt, error_message, now() + retry_in_ms * interval '1 millisecond', detail from fresh),
   tally as (
     select workspace_id, webhook_id, sum(attempts)::int as attempts, sum(held)::int as held,
       sum(delivered)::int as delivered, sum(silent)::int as silent
     from (
       select workspace_id, webhook_id, 1 as attempts, 0 as held, delivered::int, silent::int from fresh
       union all
       select workspace_id, webhook_id, 0, 1, 0, 0 from held) counted
     group by 1, 2)
   update delivery_lanes l set
     in_flight = greatest(0, l.in_flight - t.held),
     attempts_total = l.attempts_total + t.attempts,
     window_size = case when t.delivered > 0 then least(1000, l.window_size + t.delivered)
       when t.silent > 0 then greatest(1, l.window_size / 2) else l.window_size end,
     silent_failures = case when t.delivered > 0 or t.silent < t.attempts then 0 else least(1000, l.silent_failures + t.silent) end,
     open_until = case when t.delivered = 0 and t.silent = t.attempts and l.silent_failures + t.silent >= ${BREAKER_THRESHOLD}
       then now() + least(60, 5 * 2 ^ least(4, greatest(0, l.silent_failures - ${BREAKER_THRESHOLD}))) * interval '1 second' end,
     failing_since = case when t.delivered > 0 then null else coalesce(l.failing_since, now()) end
   from tally t where ${sameLane("l", "t")}
   returning l.workspace_id as "workspaceId", l.webhook_id as "webhookId",
     coalesce(l.failing_since < now() - interval '${FAILING_DAYS_MAX} days', false) as "failedTooLong"`,
);

/**
 * Writes down how attempts ended. `repeated` says that an earlier try failed and may yet have committed: what is no longer
 * held was then written by it, and is not logged twice.
 */
export async function settle(
  db: Database,
  settlements: readonly Settlement[],
  repeated = false,
): Promise<SettledLane[]> {
  const values = [
    bigintArray(settlements.map((row) => row.workspaceId)),
    bigintArray(settlements.map((row) => row.webhookId)),
    bigintArray(settlements.map((row) => row.deliveryId)),
    bigintArray(settlements.map((row) => row.leaseToken)),
    bigintArray(settlements.map((row) => row.eventId)),
    textArray(settlements.map((row) => row.eventUuid)),
    textArray(settlements.map((row) => row.eventType)),
    bigintArray(settlements.map((row) => row.attempt)),
    bigintArray(settlements.map((row) => row.responseCode)),
    bigintArray(settlements.map((row) => row.responseTimeMs)),
    textArray(settlements.map((row) => row.errorMessage)),
    bigintArray(settlements.map((row) => row.retryInMs)),
    textArray(settlements.map((row) => row.detail)),
    repeated,
  ];
  try {
    return await db.query<SettledLane>(settleStatement, values);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(db);
    return db.query<SettledLane>(settleStatement, values);
  }
}

const releaseStatement = sql(
  "delivery_release",
  `with mine as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as r (workspace_id, webhook_id, delivery_id, lease_token)),
   lane as materialized (${lockLanes("mine")}),
   released as (
     update deliveries d set worker_id = null, lease_token = null
     from (select count(*) from lane) as locked, mine
     where ${sameDelivery("d", "mine")} and d.lease_token = mine.lease_token
     returning d.workspace_id, d.webhook_id)
   update delivery_lanes l set in_flight = greatest(0, l.in_flight - n.given)
   from (select workspace_id, webhook_id, count(*)::int as given from released group by 1, 2) n
   where ${sameLane("l", "n")}`,
);

export type HeldDelivery = Pick<ClaimedDelivery, "workspaceId" | "webhookId" | "deliveryId" | "leaseToken">;

/** Gives claims back untried: no attempt is counted or logged. */
export async function release(db: Queryable, claims: readonly HeldDelivery[]): Promise<void> {
  await db.query(releaseStatement, [
    claims.map((claim) => claim.workspaceId),
    claims.map((claim) => claim.webhookId),
    claims.map((claim) => claim.deliveryId),
    claims.map((claim) => claim.leaseToken),
  ]);
}

const listHeldStatement = sql(
  "delivery_held",
  `select d.workspace_id as "workspaceId", d.webhook_id as "webhookId", d.id as "deliveryId", d.lease_token as "leaseToken"
   from ${claimedLanes} l join deliveries d on ${inLane("d", "l")}
   where d.worker_id = $1`,
);

/** Every delivery that a worker holds, as the database knows it. */
export const listHeld = (db: Queryable, workerId: number): Promise<HeldDelivery[]> =>
  db.query<HeldDelivery>(listHeldStatement, [workerId]);

export const PARTITION_DAYS_AHEAD = 7;

const createPartitions = sql(
  "attempt_partitions",
  `select create_attempt_partition((now() at time zone 'utc')::date + day) from generate_series(0, ${PARTITION_DAYS_AHEAD}) day`,
);

/** By the database's clock. */
export const ensurePartitions = (db: Queryable): Promise<unknown> => db.query(createPartitions);

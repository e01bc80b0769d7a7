import { type Database, type Queryable, sql } from "../db/database.ts";
import { isMissingPartition } from "../db/errors.ts";
import type { OutboundTimings } from "../url-guard/index.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { BREAKER_THRESHOLD } from "./claim.ts";
import type { Lane } from "./lane-ring.ts";

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

/** An attempt that has ended. */
export interface Settlement extends ClaimedDelivery {
  attempt: number;
  delivered: boolean;
  /** No HTTP answer at all: counts towards the breaker. */
  silent: boolean;
  responseCode: number;
  responseTimeMs: number;
  errorMessage: string | null;
  /** Null: this was the last attempt. */
  retryInMs: number | null;
  detail: AttemptDetail;
}

/** A lane that was settled, as far as somebody may have to act. */
export interface SettledLane extends Lane {
  /** Nothing but failure for longer than the limit. */
  failedTooLong: boolean;
}

const FAILING_DAYS_MAX = 5;

// One statement for a batch: the log rows, the state of each delivery, the outcome of the finished ones and the lanes.
// `held` is the fence: a result whose lease is no longer ours is logged, and if it was a success remembered as one, but
// it moves no delivery. Nothing is joined but by index: one nested loop of a batch with itself was two thirds of the
// cost of a settle, and hash joins are off for this pool. The window grows by its successes and halves with silence; at the threshold the breaker opens
// for 5 s, 10 s, 20 s … up to a minute.
const settleStatement = sql(
  "delivery_settle",
  `with result as materialized (
     select * from json_to_recordset($1::json) as r (
       "workspaceId" bigint, "deliveryId" bigint, "leaseToken" bigint, "webhookId" bigint, "eventId" bigint,
       "eventUuid" uuid, "eventType" text, attempt int, delivered boolean, silent boolean, "responseCode" int,
       "responseTimeMs" int, "errorMessage" text, "retryInMs" float8, detail json)),
   lane as materialized (
     select l.workspace_id, l.webhook_id from delivery_lanes l
     where (l.workspace_id, l.webhook_id) in (select "workspaceId", "webhookId" from result)
     order by l.workspace_id, l.webhook_id for update),
   held as materialized (
     select d.workspace_id, d.id, d.webhook_id, d.event_id, r.attempt, r.delivered, r."retryInMs" as retry_in_ms
     from (select count(*) from lane) as locked, result r
     join deliveries d on d.workspace_id = r."workspaceId" and d.id = r."deliveryId" and d.lease_token = r."leaseToken"
     for update of d),
   fresh as materialized (
     select * from result where not $2::boolean or ("workspaceId", "deliveryId") in (select workspace_id, id from held)),
   finished as (
     delete from deliveries d using held h
     where d.workspace_id = h.workspace_id and d.id = h.id and h.retry_in_ms is null
     returning h.workspace_id, h.webhook_id, h.event_id, h.delivered),
   retried as (
     update deliveries d set worker_id = null, lease_token = null, attempts_made = h.attempt,
       next_attempt_at = now() + h.retry_in_ms * interval '1 millisecond'
     from held h where d.workspace_id = h.workspace_id and d.id = h.id and h.retry_in_ms is not null),
   outcome as (
     insert into delivery_outcomes as o (workspace_id, webhook_id, event_id, delivered)
     select workspace_id, webhook_id, event_id, bool_or(delivered) from (
       select workspace_id, webhook_id, event_id, false as delivered from finished where not delivered
       union all
       select "workspaceId", "webhookId", "eventId", true from result where delivered) ended
     group by 1, 2, 3 order by 1, 2, 3
     on conflict (workspace_id, event_id, webhook_id) do update set delivered = true
       where excluded.delivered and not o.delivered),
   logged as (
     insert into delivery_attempts (workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
       response_code, response_time_ms, attempt, error_message, next_attempt_at, detail)
     select "workspaceId", "webhookId", "deliveryId", "eventId", "eventUuid", "eventType", delivered, "responseCode",
       "responseTimeMs", attempt, "errorMessage", now() + "retryInMs" * interval '1 millisecond', detail from fresh),
   tally as (
     select workspace_id, webhook_id, sum(attempts)::int as attempts, sum(held)::int as held,
       sum(delivered)::int as delivered, sum(silent)::int as silent
     from (
       select "workspaceId" as workspace_id, "webhookId" as webhook_id, 1 as attempts, 0 as held, delivered::int, silent::int
       from fresh
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
   from tally t where l.workspace_id = t.workspace_id and l.webhook_id = t.webhook_id
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
  const batch = JSON.stringify(settlements.map(({ payload: _, webhookVersion: __, ...row }) => row));
  try {
    return await db.query<SettledLane>(settleStatement, [batch, repeated]);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await ensurePartitions(db);
    return db.query<SettledLane>(settleStatement, [batch, repeated]);
  }
}

const releaseStatement = sql(
  "delivery_release",
  `with mine as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as r (workspace_id, webhook_id, delivery_id, lease_token)),
   lane as materialized (
     select l.workspace_id, l.webhook_id from delivery_lanes l
     where (l.workspace_id, l.webhook_id) in (select workspace_id, webhook_id from mine)
     order by l.workspace_id, l.webhook_id for update),
   released as (
     update deliveries d set worker_id = null, lease_token = null
     from (select count(*) from lane) as locked, mine
     where d.workspace_id = mine.workspace_id and d.id = mine.delivery_id and d.lease_token = mine.lease_token
     returning d.workspace_id, d.webhook_id)
   update delivery_lanes l set in_flight = greatest(0, l.in_flight - n.given)
   from (select workspace_id, webhook_id, count(*)::int as given from released group by 1, 2) n
   where l.workspace_id = n.workspace_id and l.webhook_id = n.webhook_id`,
);

type Claim = Pick<ClaimedDelivery, "workspaceId" | "webhookId" | "deliveryId" | "leaseToken">;

/** Gives claims back untried: no attempt is counted or logged. */
export async function release(db: Queryable, claims: readonly Claim[]): Promise<void> {
  await db.query(releaseStatement, [
    claims.map((claim) => claim.workspaceId),
    claims.map((claim) => claim.webhookId),
    claims.map((claim) => claim.deliveryId),
    claims.map((claim) => claim.leaseToken),
  ]);
}

const findUnknown = sql(
  "delivery_unknown",
  `select workspace_id as "workspaceId", webhook_id as "webhookId", id as "deliveryId", lease_token as "leaseToken"
   from deliveries where worker_id = $1 and lease_token <> all($2::bigint[])`,
);

/** Gives back what is claimed in a worker's name without its knowing. Returns how many. */
export async function releaseUnknown(db: Queryable, workerId: number, known: readonly number[]): Promise<number> {
  const unknown = await db.query<Claim>(findUnknown, [workerId, known]);
  if (unknown.length > 0) await release(db, unknown);
  return unknown.length;
}

export const PARTITION_DAYS_AHEAD = 7;

const createPartitions = sql(
  "attempt_partitions",
  `select create_attempt_partition((now() at time zone 'utc')::date + day) from generate_series(0, ${PARTITION_DAYS_AHEAD}) day`,
);

/** By the database's clock. */
export const ensurePartitions = (db: Queryable): Promise<unknown> => db.query(createPartitions);

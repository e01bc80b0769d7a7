import { randomInt } from "node:crypto";
import { type Queryable, sql } from "../db/database.ts";
import type { Lane } from "./lane-ring.ts";
import { lockEach, sameLane } from "./queue-sql.ts";

/** A delivery that this worker holds, with the fencing token of its claim. */
export interface ClaimedDelivery {
  workspaceId: number;
  deliveryId: number;
  leaseToken: number;
  /** When it became ready, in seconds of the database's epoch. */
  readyAt: number;
  webhookId: number;
  webhookVersion: number;
  eventId: number;
  eventUuid: string;
  eventType: string;
  payload: string;
  attemptsMade: number;
}

/** A lane that is to be claimed from. */
export interface ReadyLane extends Lane {
  /** What became ready before is not looked at, in seconds of the database's epoch. */
  readyFrom: number;
}

export interface ClaimLimits {
  /** Deliveries of one lane in one claim. */
  perLane: number;
  /** Deliveries of one lane under way at once, over all workers. */
  webhookConcurrency: number;
}

/** Attempts in a row without any HTTP answer after which a lane's breaker opens. */
export const BREAKER_THRESHOLD = 10;

// Lanes are locked in their order and before their deliveries, here and in settle, so claims and settles of several
// workers queue up instead of deadlocking; each is one statement, so no client can hold the lock by being slow.
// The claim commits without waiting for the disk: a claim that a crash forgets is a delivery that is ready again.
// A worker that is no longer listed claims nothing, and one whose claim is under way cannot be taken off the list: so
// whoever takes it off finds every claim it ever made (see workers.ts).
// While the breaker is open nothing is claimed; once `open_until` has passed, one delivery probes.
// A delivery without its event (retention met a replay) is left to the housekeeping: claimed, it would hold a slot for
// ever. The scalar subquery and `offset 0` leave the planner no other order than this one: while it knew nothing of the
// tables yet, it read all webhooks of a workspace for each lane. A row that is locked stays in its place, so it is found
// again by that.
const claimStatement = sql(
  "delivery_claim",
  `with settings as materialized (select set_config('synchronous_commit', 'off', true)),
   listed as materialized (select id from settings, workers where id = $5 for key share of workers),
   asked as (
     select lane.* from listed, unnest($1::bigint[], $2::bigint[], $6::float8[]) as lane (workspace_id, webhook_id, ready_from)
     order by workspace_id, webhook_id),
   lane as materialized (
     select l.workspace_id, l.webhook_id, to_timestamp(l.ready_from) as ready_from,
       (select w.version from webhooks w
        where w.workspace_id = l.workspace_id and w.id = l.webhook_id and w.is_active) as version,
       least($3::int,
         case when l.silent_failures >= ${BREAKER_THRESHOLD} then 1 else least(l.window_size, $4::int) end - l.in_flight) as room
     from (${lockEach("select * from asked", "ready_from")}) l
     where l.open_until is null or l.open_until <= now()),
   picked as materialized (
     select lane.workspace_id, lane.webhook_id, lane.version, ready.*
     from lane cross join lateral (
       select d.ctid as place, event.*
       from deliveries d cross join lateral (
         select e.uuid, e.type, e.payload from events e
         where e.workspace_id = d.workspace_id and e.id = d.event_id offset 0) event
       where d.webhook_id = lane.webhook_id and d.worker_id is null
         and d.next_attempt_at >= lane.ready_from and d.next_attempt_at <= now()
       order by d.next_attempt_at limit greatest(lane.room, 0) for update of d skip locked) ready
     where lane.version is not null),
   claimed as (
     update deliveries d set worker_id = $5, lease_token = $7
     from picked where d.ctid = picked.place
     returning d.workspace_id as "workspaceId", d.id as "deliveryId", d.lease_token as "leaseToken",
       extract(epoch from d.next_attempt_at)::float8 as "readyAt", d.webhook_id as "webhookId", picked.version as "webhookVersion", d.event_id as "eventId", picked.uuid as "eventUuid",
       picked.type as "eventType", picked.payload, d.attempts_made as "attemptsMade"),
   counted as (
     update delivery_lanes l set in_flight = l.in_flight + n.taken
     from (select "workspaceId" as workspace_id, "webhookId" as webhook_id, count(*)::int as taken from claimed group by 1, 2) n
     where ${sameLane("l", "n")})
   select * from claimed`,
);

/**
 * Names a claim, and so each of its deliveries among all the claims of that delivery. Drawn at random: a sequence of the
 * database may hand out a number again after a crash that forgot the claim.
 */
const newLeaseToken = (): number => randomInt(1, 2 ** 48 - 1);

export function claimDeliveries(
  db: Queryable,
  workerId: number,
  lanes: readonly ReadyLane[],
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  return db.query<ClaimedDelivery>(claimStatement, [
    lanes.map((lane) => lane.workspaceId),
    lanes.map((lane) => lane.webhookId),
    limits.perLane,
    limits.webhookConcurrency,
    workerId,
    lanes.map((lane) => lane.readyFrom),
    newLeaseToken(),
  ]);
}

const readClosed = sql(
  "delivery_closed",
  `select l.workspace_id as "workspaceId", l.webhook_id as "webhookId",
     extract(epoch from l.open_until - now())::float8 * 1000 as "closedMs"
   from unnest($1::bigint[], $2::bigint[]) as asked (workspace_id, webhook_id)
   join delivery_lanes l on ${sameLane("l", "asked")} where l.open_until > now()`,
);

/** Which of these lanes have their breaker open, and for how long yet. */
export const closedLanes = (db: Queryable, lanes: readonly Lane[]): Promise<(Lane & { closedMs: number })[]> =>
  db.query(readClosed, [lanes.map((lane) => lane.workspaceId), lanes.map((lane) => lane.webhookId)]);

// Hops from lane to lane along the index instead of reading every waiting delivery: the cost is one probe for each lane
// that has any, however many it has.
const discoverStatement = sql(
  "delivery_discover",
  `with recursive lane as (
     (select workspace_id, webhook_id from deliveries order by webhook_id limit 1)
     union all
     select next.workspace_id, next.webhook_id from lane cross join lateral (
       select d.workspace_id, d.webhook_id from deliveries d
       where d.webhook_id > lane.webhook_id order by d.webhook_id limit 1) next)
   select lane.workspace_id as "workspaceId", lane.webhook_id as "webhookId", ready.at as "readyFrom"
   from lane join delivery_lanes l on ${sameLane("l", "lane")} cross join lateral (
     select extract(epoch from d.next_attempt_at)::float8 as at from deliveries d
     where d.webhook_id = lane.webhook_id and d.worker_id is null and d.next_attempt_at <= now()
     order by d.next_attempt_at limit 1) ready
   where l.open_until is null or l.open_until <= now()
   limit 20000`,
);

/** Every lane with ready work, and since when it has any: the safety net under all wake-ups. */
export const discoverLanes = (db: Queryable): Promise<ReadyLane[]> => db.query<ReadyLane>(discoverStatement);

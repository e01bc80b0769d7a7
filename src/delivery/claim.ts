import { type Queryable, sql } from "../db/database.ts";
import type { Lane } from "./lane-ring.ts";

/** A delivery that this worker holds, with the fencing token of its claim. */
export interface ClaimedDelivery {
  workspaceId: number;
  deliveryId: number;
  leaseToken: number;
  webhookId: number;
  webhookVersion: number;
  eventId: number;
  eventUuid: string;
  eventType: string;
  payload: string;
  attemptsMade: number;
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
// While the breaker is open nothing is claimed; once `open_until` has passed, one delivery probes.
// A delivery without its event (retention met a replay) is left to the housekeeping: claimed, it would hold a slot for ever.
const claimStatement = sql(
  "delivery_claim",
  `with settings as materialized (select set_config('synchronous_commit', 'off', true)),
   asked as (select * from unnest($1::bigint[], $2::bigint[]) as lane (workspace_id, webhook_id)),
   lane as materialized (
     select l.workspace_id, l.webhook_id, least($3::int,
       case when l.silent_failures >= ${BREAKER_THRESHOLD} then 1 else least(l.window_size, $4::int) end - l.in_flight) as room
     from settings, asked join delivery_lanes l using (workspace_id, webhook_id)
     where (l.open_until is null or l.open_until <= now())
       and exists (select from webhooks w where w.workspace_id = l.workspace_id and w.id = l.webhook_id and w.is_active)
     order by l.workspace_id, l.webhook_id
     for update of l),
   picked as materialized (
     select lane.workspace_id, ready.id
     from lane cross join lateral (
       select d.id from deliveries d
       where d.workspace_id = lane.workspace_id and d.webhook_id = lane.webhook_id
         and d.worker_id is null and d.next_attempt_at <= now()
         and exists (select from events e where e.workspace_id = d.workspace_id and e.id = d.event_id)
       order by d.next_attempt_at limit greatest(lane.room, 0) for update skip locked) ready),
   claimed as (
     update deliveries d set worker_id = $5, lease_token = nextval('delivery_lease_seq')
     from picked where d.workspace_id = picked.workspace_id and d.id = picked.id
     returning d.workspace_id, d.id, d.lease_token, d.webhook_id, d.event_id, d.attempts_made),
   counted as (
     update delivery_lanes l set in_flight = l.in_flight + n.taken
     from (select workspace_id, webhook_id, count(*)::int as taken from claimed group by 1, 2) n
     where l.workspace_id = n.workspace_id and l.webhook_id = n.webhook_id)
   select c.workspace_id as "workspaceId", c.id as "deliveryId", c.lease_token as "leaseToken",
          c.webhook_id as "webhookId", w.version as "webhookVersion", c.event_id as "eventId", e.uuid as "eventUuid",
          e.type as "eventType", e.payload, c.attempts_made as "attemptsMade"
   from claimed c
   join events e on e.workspace_id = c.workspace_id and e.id = c.event_id
   join webhooks w on w.workspace_id = c.workspace_id and w.id = c.webhook_id`,
);

export function claimDeliveries(
  db: Queryable,
  workerId: number,
  lanes: readonly Lane[],
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  return db.query<ClaimedDelivery>(claimStatement, [
    lanes.map((lane) => lane.workspaceId),
    lanes.map((lane) => lane.webhookId),
    limits.perLane,
    limits.webhookConcurrency,
    workerId,
  ]);
}

// Hops from lane to lane along the index instead of reading every waiting delivery: the cost is one probe for each lane
// that has any, however many it has.
const discoverStatement = sql(
  "delivery_discover",
  `with recursive lane as (
     (select workspace_id, webhook_id from deliveries where worker_id is null order by workspace_id, webhook_id limit 1)
     union all
     select next.workspace_id, next.webhook_id from lane cross join lateral (
       select d.workspace_id, d.webhook_id from deliveries d
       where d.worker_id is null and (d.workspace_id, d.webhook_id) > (lane.workspace_id, lane.webhook_id)
       order by d.workspace_id, d.webhook_id limit 1) next)
   select lane.workspace_id as "workspaceId", lane.webhook_id as "webhookId"
   from lane join delivery_lanes l using (workspace_id, webhook_id)
   where (l.open_until is null or l.open_until <= now())
     and exists (select from deliveries d
       where d.workspace_id = lane.workspace_id and d.webhook_id = lane.webhook_id
         and d.worker_id is null and d.next_attempt_at <= now())
   limit 20000`,
);

/** Every lane with ready work: the safety net under all wake-ups. */
export const discoverLanes = (db: Queryable): Promise<Lane[]> => db.query<Lane>(discoverStatement);

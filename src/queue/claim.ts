import { randomInt } from "node:crypto";
import { type Queryable, sql } from "../db/database.ts";
import type { Lane } from "./lane.ts";
import { breakerIsOpenSql, laneRoomSql } from "./lane-policy.ts";
import { ratePaidUntilSql } from "./rate-limit.ts";
import { lockEach, sameLane } from "./sql-fragments.ts";

/** A delivery that this worker holds. */
export interface ClaimedDelivery {
  workspaceId: number;
  deliveryId: number;
  /** Which claim holds it (column `lease_token`): a result counts only while the delivery still has this token. */
  claimToken: number;
  /** When it became ready: Unix time in seconds, of the database's clock. */
  readyAt: number;
  webhookId: number;
  webhookVersion: number;
  eventId: number;
  eventUuid: string;
  eventType: string;
  payload: string;
  attemptsMade: number;
  /** The deliveries that are sent one after the other; null: it blocks none. */
  orderKey: number | null;
}

/** The result of a claim. */
export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** Lanes in which the claim found blocked deliveries: there may be ready ones after those that it looked at. */
  blockedIn: Lane[];
  /** Lanes that now have as many deliveries in flight, over all workers, as their window allows. */
  full: Lane[];
}

/** A lane that is to be claimed from. */
export interface ReadyLane extends Lane {
  /** What became ready before is not looked at: Unix time in seconds, of the database's clock. */
  readyFrom: number;
}

export interface PlannedLane extends ReadyLane {
  /** How many of its deliveries to claim, at most. */
  claimMax: number;
}

/** A row about the state of a lane, not about a delivery. */
interface LaneRow extends Lane {
  laneState: "blocked" | "full";
}

interface ClaimOptions {
  workerId: number;
  /** Deliveries of one lane in flight at once, over all workers. */
  webhookConcurrency: number;
}

/** In a row about a lane, instead of a delivery's columns. */
const NO_DELIVERY = Array(10).fill("null").join(", ");

/** How many ready deliveries of an ordered lane a claim looks at, for each that it may claim: many may be blocked. */
const EXAMINED_PER_SLOT = 4;

// Lanes are locked in their order and before their deliveries, here and in a settle, so claims and settles of several
// workers queue up instead of deadlocking; each is one statement, so no client can hold the lock by being slow.
// The claim commits without waiting for the disk: a delivery whose claim is lost in a crash is ready again.
// A worker that is not listed claims nothing, and one whose claim is in progress cannot be removed from the list, so the
// statement that removes it finds every claim it ever made (see workers.ts).
// While the breaker is open nothing is claimed. The lane is read once it is locked, the webhook as of the start of the
// statement: if it was disabled or got another url meanwhile, the lane's `counts_from_version` is later than that version.
// A delivery without its event (retention deleted the event while it was replayed) is left to the housekeeping: claimed,
// it would hold a slot forever. That is why events are joined before the update: joined after it, with the guard that the
// event exists, a claim takes PostgreSQL as long (1.00 to 1.02); without that guard 0.95.
// The scalar subquery and `offset 0` leave the planner no other order than this one: while it had no statistics yet, it
// read all webhooks of a workspace for each lane. A locked row does not move, so its ctid finds it.
//
// Of an ordered lane only the first unfinished delivery of each conversation is claimed. Every transaction that sees a
// delivery also sees the one before it, or that it has finished, because both were written under the lock of their
// conversation: so this holds for every snapshot. A blocked delivery is no longer ready ('infinity') until ordered.ts
// makes it ready again; otherwise each claim would read it again.
const claimStatement = sql(
  "delivery_claim",
  `with async_commit as materialized (
      select set_config('synchronous_commit', 'off', true)
    ),

    listed as materialized (
      select id
      from async_commit, workers
      where id = $5
      for key share of workers
    ),

    planned as (
      select lane.*
      from
        listed,
        unnest($1::bigint[], $2::bigint[], $3::int[], $6::float8[])
          as lane (workspace_id, webhook_id, claim_max, ready_from)
      order by workspace_id, webhook_id
    ),

    lane as materialized (
      select
        lane.workspace_id,
        lane.webhook_id,
        lane.ordered,
        to_timestamp(lane.ready_from) as ready_from,
        (
          select webhook.version
          from webhooks webhook
          where webhook.workspace_id = lane.workspace_id
            and webhook.id = lane.webhook_id
            and webhook.is_active
            and webhook.version >= lane.counts_from_version
        ) as version,
        least(
          lane.claim_max,
          ${laneRoomSql("lane", "$4::int")}
        ) as room,
        lane.claim_max > ${laneRoomSql("lane", "$4::int")} as is_limited
      from (
      ${lockEach("select * from planned", "claim_max", "ready_from")}
      ) lane
      where not lane.paused
        and not ${breakerIsOpenSql("lane")}
    ),

    examined as materialized (
      select lane.version, lane.room, ready.*
      from lane
      cross join lateral (
        select
          delivery.ctid as row_address,
          delivery.workspace_id,
          delivery.webhook_id,
          delivery.event_id,
          delivery.next_attempt_at,
          exists (
            select
            from deliveries earlier
            where earlier.order_key = delivery.order_key
              and earlier.event_id < delivery.event_id
          ) as is_blocked
        from deliveries delivery
        where delivery.webhook_id = lane.webhook_id
          and delivery.worker_id is null
          and delivery.next_attempt_at >= lane.ready_from
          and delivery.next_attempt_at <= now()
        order by delivery.next_attempt_at
        limit greatest(lane.room, 0) * ${EXAMINED_PER_SLOT}
        for update of delivery skip locked
      ) ready
      where lane.version is not null
        and lane.ordered
    ),

    head as (
      select
        examined.*,
        row_number() over (partition by webhook_id order by next_attempt_at) as position
      from examined
      where not is_blocked
    ),

    blocked as (
      update deliveries delivery
      set next_attempt_at = 'infinity'
      from examined
      where delivery.ctid = examined.row_address
        and examined.is_blocked
      returning delivery.workspace_id, delivery.webhook_id
    ),

    picked as materialized (
      select lane.version, ready.*
      from lane
      cross join lateral (
        select delivery.ctid as row_address, event.*
        from deliveries delivery
        cross join lateral (
          select event.uuid, event.type, event.payload
          from events event
          where event.workspace_id = delivery.workspace_id
            and event.id = delivery.event_id
          offset 0
        ) event
        where delivery.webhook_id = lane.webhook_id
          and delivery.worker_id is null
          and delivery.next_attempt_at >= lane.ready_from
          and delivery.next_attempt_at <= now()
        order by delivery.next_attempt_at
        limit greatest(lane.room, 0)
        for update of delivery skip locked
      ) ready
      where lane.version is not null
        and not lane.ordered
      union all
      select head.version, head.row_address, event.*
      from head
      cross join lateral (
        select event.uuid, event.type, event.payload
        from events event
        where event.workspace_id = head.workspace_id
          and event.id = head.event_id
        offset 0
      ) event
      where head.position <= head.room
    ),

    claimed as (
      update deliveries delivery
      set worker_id = $5, lease_token = $7
      from picked
      where delivery.ctid = picked.row_address
      returning
        delivery.workspace_id,
        delivery.webhook_id,
        delivery.id,
        delivery.lease_token,
        delivery.next_attempt_at,
        delivery.event_id,
        delivery.attempts_made,
        delivery.order_key,
        picked.version,
        picked.uuid,
        picked.type,
        picked.payload
    ),

    claimed_of_lane as materialized (
      select workspace_id, webhook_id, count(*)::int as deliveries
      from claimed
      group by workspace_id, webhook_id
    ),

    counted as (
      update delivery_lanes lane
      set
        in_flight = lane.in_flight + claimed_of_lane.deliveries,
        rate_paid_until = ${ratePaidUntilSql("lane", "claimed_of_lane.deliveries")},
        changes = lane.changes + 1
      from claimed_of_lane
      where ${sameLane("lane", "claimed_of_lane")}
    )

    select
      null as "laneState",
      workspace_id as "workspaceId",
      webhook_id as "webhookId",
      id as "deliveryId",
      lease_token as "claimToken",
      extract(epoch from next_attempt_at)::float8 as "readyAt",
      version as "webhookVersion",
      event_id as "eventId",
      uuid as "eventUuid",
      type as "eventType",
      payload,
      attempts_made as "attemptsMade",
      order_key as "orderKey"
    from claimed
    union all
    select 'blocked', workspace_id, webhook_id, ${NO_DELIVERY}
    from blocked
    group by workspace_id, webhook_id
    union all
    select 'full', workspace_id, webhook_id, ${NO_DELIVERY}
    from lane
    where is_limited
      and room <= coalesce(
        (
          select deliveries
          from claimed_of_lane
          where claimed_of_lane.webhook_id = lane.webhook_id
        ),
        0
      )`,
);

/**
 * One random number per claim, stored in each delivery that it claims. A result counts only if its delivery still has it:
 * otherwise the delivery was released and perhaps claimed again. Not from a sequence of the database, which may hand out
 * a number again after a crash that lost the claim.
 */
export const newClaimToken = (): number => randomInt(1, 2 ** 48 - 1);

export async function claimDeliveries(
  db: Queryable,
  { workerId, webhookConcurrency }: ClaimOptions,
  lanes: readonly PlannedLane[],
): Promise<ClaimResult> {
  const rows = await db.query<(ClaimedDelivery & { laneState: null }) | LaneRow>(claimStatement, [
    lanes.map((lane) => lane.workspaceId),
    lanes.map((lane) => lane.webhookId),
    lanes.map((lane) => lane.claimMax),
    webhookConcurrency,
    workerId,
    lanes.map((lane) => lane.readyFrom),
    newClaimToken(),
  ]);
  const result: ClaimResult = { deliveries: [], blockedIn: [], full: [] };
  for (const row of rows)
    if (row.laneState === null) result.deliveries.push(row);
    else result[row.laneState === "full" ? "full" : "blockedIn"].push(row);
  return result;
}

import { type Queryable, sql } from "../db/database.ts";
import type { ReadyLane } from "./claim.ts";
import type { Lane } from "./lane.ts";
import { breakerIsOpenSql, laneRoomSql } from "./lane-policy.ts";
import { sameLane } from "./sql-fragments.ts";

const LANES_MAX = 20_000;
/** How long a lane's work is left to its preferred worker (delivery/lanes/lane-preference.ts). */
const OVERDUE_MS = 300;

interface DiscoverOptions {
  /** Deliveries of one lane in flight at once, over all workers. */
  webhookConcurrency: number;
  /** Lanes of webhooks with a larger id than this. */
  after: number;
  max?: number;
}

export interface DiscoveredLane extends ReadyLane {
  /** It has been ready long enough that any worker may claim from it. */
  isOverdue: boolean;
}

// A loose index scan: it jumps from lane to lane along the index instead of reading every waiting delivery, at the cost of
// one lookup for each lane that has any, however many it has.
const discoverStatement = sql(
  "delivery_discover",
  `with recursive waiting as (
      (
        select workspace_id, webhook_id
        from deliveries
        where webhook_id > $2
        order by webhook_id
        limit 1
      )
      union all
      select next.workspace_id, next.webhook_id
      from waiting
      cross join lateral (
        select delivery.workspace_id, delivery.webhook_id
        from deliveries delivery
        where delivery.webhook_id > waiting.webhook_id
        order by delivery.webhook_id
        limit 1
      ) next
    )

    select
      waiting.workspace_id as "workspaceId",
      waiting.webhook_id as "webhookId",
      extract(epoch from ready.since)::float8 as "readyFrom",
      ready.since < now() - interval '${OVERDUE_MS} milliseconds' as "isOverdue"
    from waiting
    join delivery_lanes lane on ${sameLane("lane", "waiting")}
    cross join lateral (
      select delivery.next_attempt_at as since
      from deliveries delivery
      where delivery.webhook_id = waiting.webhook_id
        and delivery.worker_id is null
        and delivery.next_attempt_at <= now()
      order by delivery.next_attempt_at
      limit 1
    ) ready
    where not lane.paused
      and not ${breakerIsOpenSql("lane")}
      and ${laneRoomSql("lane", "$1::int")} > 0
    limit $3`,
);

/**
 * The lanes with ready work that may be claimed, and since when each has any: what a wake-up missed is found here. There
 * may be more than one query returns: the next one continues after `next`, and begins again from 0 after the last.
 */
export async function discoverLanes(
  db: Queryable,
  { webhookConcurrency, after, max = LANES_MAX }: DiscoverOptions,
): Promise<{ lanes: DiscoveredLane[]; next: number }> {
  const lanes = await db.query<DiscoveredLane>(discoverStatement, [webhookConcurrency, after, max]);
  const isWhole = lanes.length < max;
  return { lanes, next: isWhole ? 0 : Math.max(...lanes.map(({ webhookId }) => webhookId)) };
}

const openBreakersStatement = sql(
  "delivery_open_breakers",
  `select
      lane.workspace_id as "workspaceId",
      lane.webhook_id as "webhookId",
      extract(epoch from lane.breaker_open_until - now())::float8 * 1000 as "openMs"
    from unnest($1::bigint[], $2::bigint[]) as asked (workspace_id, webhook_id)
    join delivery_lanes lane on ${sameLane("lane", "asked")}
    where ${breakerIsOpenSql("lane")}`,
);

/** Which of these lanes have an open breaker, and for how much longer. */
export const findOpenBreakers = (db: Queryable, lanes: readonly Lane[]): Promise<(Lane & { openMs: number })[]> =>
  db.query(openBreakersStatement, [lanes.map((lane) => lane.workspaceId), lanes.map((lane) => lane.webhookId)]);

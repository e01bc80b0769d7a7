import { type Statement, sql } from "../db/database.ts";
import { lookup } from "../db/lookup.ts";

/** The delivery that a row of a batch names. */
export const sameDelivery = (delivery: string, row: string): string =>
  `${lookup(`${delivery}.workspace_id`, `${row}.workspace_id`)}
     and ${lookup(`${delivery}.id`, `${row}.delivery_id`)}`;

/** The lane that a row of a batch belongs to. */
export const sameLane = (lane: string, row: string): string =>
  `${lookup(`${lane}.workspace_id`, `${row}.workspace_id`)}
     and ${lookup(`${lane}.webhook_id`, `${row}.webhook_id`)}
     and ${isNewest(lane, row)}`;

/**
 * True of every lane. It makes the index skip the former versions of the row, of which there are thousands while a snapshot
 * is held open. `>=` and not `=`: where another statement has just changed the lane, the changed row must pass as well.
 */
const isNewest = (lane: string, row: string): string =>
  `${lane}.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = ${row}.workspace_id
         and newest.webhook_id = ${row}.webhook_id
       order by newest.generation desc
       limit 1
     )`;

/** The deliveries of a lane. */
export const inLane = (delivery: string, lane: string): string =>
  lookup(`${delivery}.webhook_id`, `${lane}.webhook_id`);

/** The lanes of a batch, locked in their order, as every statement that waits for several does, so that none deadlock. */
export const lockLanes = (batch: string): string =>
  lockEach(`select distinct workspace_id, webhook_id
        from ${batch}
        order by workspace_id, webhook_id`);

/** The same for a query that names each lane once and in order; `also` are columns of it to keep. */
export const lockEach = (lanes: string, ...also: string[]): string =>
  `select ${["locked.*", ...also.map((column) => `named.${column}`)].join(", ")}
      from (
        ${lanes}
      ) named
      cross join lateral (
        select lane.*
        from delivery_lanes lane
        where lane.workspace_id = named.workspace_id
          and lane.webhook_id = named.webhook_id
        order by lane.generation desc
        limit 1
        for update
      ) locked`;

/** Changes the lane that $1 and $2 name. */
export const updateLane = (name: string, set: string): Statement =>
  sql(
    name,
    `update delivery_lanes
    set ${set}
    where workspace_id = $1
      and webhook_id = $2`,
  );

/** The lanes with something in flight: every claimed delivery is in one of them, so only these are searched for claims. */
export const LANES_IN_FLIGHT = `(
      select workspace_id, webhook_id
      from delivery_lanes
      where in_flight > 0
      order by workspace_id, webhook_id
    )`;

/** Subtracts a batch of deliveries (the name of a CTE), whose claims have ended, from the `in_flight` of their lanes. */
export const countDown = (batch: string): string =>
  `update delivery_lanes lane
    set
      in_flight = greatest(0, lane.in_flight - ended.deliveries),
      changes = lane.changes + 1
    from (
      select workspace_id, webhook_id, count(*)::int as deliveries
      from ${batch}
      group by workspace_id, webhook_id
    ) ended
    where ${sameLane("lane", "ended")}`;

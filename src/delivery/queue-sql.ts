import { lookup } from "../db/lookup.ts";

/** The delivery that a row of a batch names. */
export const sameDelivery = (delivery: string, row: string): string =>
  `${lookup(`${delivery}.workspace_id`, `${row}.workspace_id`)} and ${lookup(`${delivery}.id`, `${row}.delivery_id`)}`;

/** The lane that a row of a batch belongs to. */
export const sameLane = (lane: string, row: string): string =>
  `${lookup(`${lane}.workspace_id`, `${row}.workspace_id`)} and ${lookup(`${lane}.webhook_id`, `${row}.webhook_id`)}`;

/** The lanes of a batch, locked in their order, as whoever locks several does: nobody waits in a circle. */
export const lockLanes = (batch: string): string =>
  lockEach(`select distinct workspace_id, webhook_id from ${batch} order by workspace_id, webhook_id`);

/** The same for a query that names each lane once and in order; `also` are columns of it to keep. */
export const lockEach = (lanes: string, ...also: string[]): string =>
  `select ${["locked.*", ...also.map((column) => `named.${column}`)].join(", ")}
   from (${lanes}) named
   cross join lateral (
     select l.* from delivery_lanes l
     where l.workspace_id = named.workspace_id and l.webhook_id = named.webhook_id for update) locked`;

/** Every lane that has a claim, and so every claim that there is, by a look-up for each of those lanes. */
export const claimedLanes = `(select workspace_id, webhook_id from delivery_lanes
   where in_flight > 0 order by workspace_id, webhook_id)`;
export const inLane = (delivery: string, lane: string): string =>
  lookup(`${delivery}.webhook_id`, `${lane}.webhook_id`);

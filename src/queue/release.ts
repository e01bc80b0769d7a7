import { type Queryable, sql } from "../db/database.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { countDown, inLane, LANES_IN_FLIGHT, lockLanes, sameDelivery } from "./sql-fragments.ts";

export type HeldDelivery = Pick<ClaimedDelivery, "workspaceId" | "webhookId" | "deliveryId" | "claimToken">;

const releaseStatement = sql(
  "delivery_release",
  `with held as materialized (
      select *
      from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
        as held (workspace_id, webhook_id, delivery_id, lease_token)
    ),

    lane as materialized (
      ${lockLanes("held")}
    ),

    released as (
      update deliveries delivery
      set worker_id = null, lease_token = null
      from (select count(*) from lane) as locked, held
      where ${sameDelivery("delivery", "held")}
        and delivery.lease_token = held.lease_token
      returning delivery.workspace_id, delivery.webhook_id
    )

    ${countDown("released")}
    returning ended.deliveries`,
);

/**
 * Ends claims without a result: no attempt is counted or logged, and the deliveries are ready again. Returns how many of them
 * were still held.
 */
export async function release(db: Queryable, claims: readonly HeldDelivery[]): Promise<number> {
  const lanes = await db.query<{ deliveries: number }>(releaseStatement, [
    claims.map((claim) => claim.workspaceId),
    claims.map((claim) => claim.webhookId),
    claims.map((claim) => claim.deliveryId),
    claims.map((claim) => claim.claimToken),
  ]);
  return lanes.reduce((sum, lane) => sum + lane.deliveries, 0);
}

const listHeldStatement = sql(
  "delivery_held",
  `select
      delivery.workspace_id as "workspaceId",
      delivery.webhook_id as "webhookId",
      delivery.id as "deliveryId",
      delivery.lease_token as "claimToken"
    from ${LANES_IN_FLIGHT} lane
    join deliveries delivery on ${inLane("delivery", "lane")}
    where delivery.worker_id = $1`,
);

/** Every delivery that a worker holds, as the database knows it. */
export const listHeld = (db: Queryable, workerId: number): Promise<HeldDelivery[]> =>
  db.query<HeldDelivery>(listHeldStatement, [workerId]);

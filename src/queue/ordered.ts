import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import type { Lane } from "./lane.ts";
import { orderKeySql } from "./order-key.ts";
import { lockLanes, updateLane } from "./sql-fragments.ts";

/** A delivery that has left the queue, and whose key another one may have waited for. */
export interface FinishedDelivery extends Lane {
  orderKey: number;
}

// A separate statement after the settle: with the settle's snapshot it would not see a delivery that was written in the
// meantime. The next delivery is updated even if it is ready: a claim whose snapshot is from before the settle may be about
// to block it. Its new `next_attempt_at` is later than the now() of that claim, which therefore passes it over. A delivery
// that waits for a retry keeps its time. One that is locked is being canceled or unblocked with its whole lane, by a
// transaction that will wait for the lane: to wait for it here would be a deadlock.
const unblockStatement = sql(
  "delivery_unblock",
  `with async_commit as materialized (
      select set_config('synchronous_commit', 'off', true)
    ),

    finished as materialized (
      select distinct workspace_id, webhook_id, order_key
      from
        async_commit,
        unnest($1::bigint[], $2::bigint[], $3::bigint[])
          as finished (workspace_id, webhook_id, order_key)
    ),

    lane as materialized (
      ${lockLanes("finished")}
    ),

    next as materialized (
      select next.*
      from (select count(*) from lane) as lanes, finished
      cross join lateral (
        select delivery.workspace_id, delivery.id
        from deliveries delivery
        where delivery.order_key = finished.order_key
        order by delivery.event_id
        limit 1
      ) next
    ),

    locked as materialized (
      select delivery.row_address
      from next
      cross join lateral (
        select delivery.ctid as row_address
        from deliveries delivery
        where delivery.workspace_id = any(array[next.workspace_id])
          and delivery.id = any(array[next.id])
          and delivery.worker_id is null
          and (delivery.next_attempt_at <= now() or delivery.next_attempt_at = 'infinity')
        for update skip locked
      ) delivery
    )

    update deliveries delivery
    set next_attempt_at = now()
    from locked
    where delivery.ctid = locked.row_address`,
);

/** The next delivery of each conversation is ready. */
export async function unblockNext(db: Queryable, finished: readonly FinishedDelivery[]): Promise<void> {
  await db.query(unblockStatement, [
    finished.map((delivery) => delivery.workspaceId),
    finished.map((delivery) => delivery.webhookId),
    finished.map((delivery) => delivery.orderKey),
  ]);
}

const KEYS_PER_STATEMENT = 2_000;

// A loose index scan, from key to key: one lookup for each conversation that has any waiting, however many it has.
const unblockStrandedStatement = sql(
  "delivery_unblock_stranded",
  `with recursive waiting as (
      (
        select delivery.order_key
        from deliveries delivery
        where delivery.order_key > $1
        order by delivery.order_key
        limit 1
      )
      union all
      select next.order_key
      from waiting
      cross join lateral (
        select delivery.order_key
        from deliveries delivery
        where delivery.order_key > waiting.order_key
        order by delivery.order_key
        limit 1
      ) next
    ),

    looked_at as materialized (
      select order_key
      from waiting
      limit ${KEYS_PER_STATEMENT}
    ),

    stranded as materialized (
      select head.*
      from looked_at
      cross join lateral (
        select delivery.workspace_id, delivery.id, delivery.next_attempt_at
        from deliveries delivery
        where delivery.order_key = looked_at.order_key
        order by delivery.event_id
        limit 1
      ) head
      where head.next_attempt_at = 'infinity'
    ),

    locked as materialized (
      select delivery.row_address
      from stranded
      cross join lateral (
        select delivery.ctid as row_address
        from deliveries delivery
        where delivery.workspace_id = stranded.workspace_id
          and delivery.id = stranded.id
          and delivery.next_attempt_at = 'infinity'
        for update skip locked
      ) delivery
    ),

    unblocked as (
      update deliveries delivery
      set next_attempt_at = now()
      from locked
      where delivery.ctid = locked.row_address
    )

    select max(order_key) as "lastKey"
    from looked_at
    having count(*) = ${KEYS_PER_STATEMENT}`,
);

/** Unblocks deliveries that nothing blocks any more: a worker crashed between a settle and the unblocking after it. */
export async function unblockStranded(db: Database): Promise<void> {
  let after: number | undefined = -1;
  while (after !== undefined) {
    const rows: { lastKey: number }[] = await db.query<{ lastKey: number }>(unblockStrandedStatement, [after]);
    after = rows[0]?.lastKey;
  }
}

const setOrderedStatement = updateLane("lane_set_ordered", "ordered = $3");

const ROWS_PER_STATEMENT = 10_000;

/** The next rows of a lane after the event $3, in the order of their events; what is claimed or locked is left out. */
const nextRows = (condition: string): string =>
  `rows as materialized (
      select delivery.ctid as row_address, delivery.event_id
      from deliveries delivery
      where delivery.workspace_id = $1
        and delivery.webhook_id = $2
        and delivery.event_id > $3
        and delivery.worker_id is null
        and ${condition}
      order by delivery.event_id
      limit ${ROWS_PER_STATEMENT}
      for update skip locked
    )`;

const LAST_EVENT = `select max(event_id) as "lastEvent"
    from rows
    having count(*) = ${ROWS_PER_STATEMENT}`;

const orderUnclaimedStatement = sql(
  "deliveries_order_unclaimed",
  `with ${nextRows("delivery.order_key is null")},

    ordered as (
      update deliveries delivery
      set order_key = ${orderKeySql("webhook", "event")}
      from rows
      join webhooks webhook
        on webhook.workspace_id = $1
        and webhook.id = $2
      join events event
        on event.workspace_id = $1
        and event.id = rows.event_id
      where delivery.ctid = rows.row_address
    )

    ${LAST_EVENT}`,
);

const unblockUnclaimedStatement = sql(
  "deliveries_unblock_unclaimed",
  `with ${nextRows("delivery.next_attempt_at = 'infinity'")},

    unblocked as (
      update deliveries delivery
      set next_attempt_at = now()
      from rows
      where delivery.ctid = rows.row_address
    )

    ${LAST_EVENT}`,
);

const orderQueuedStatement = sql(
  "deliveries_order",
  `update deliveries delivery
    set order_key = ${orderKeySql("webhook", "event")}
    from webhooks webhook
    join events event on event.workspace_id = webhook.workspace_id
    where webhook.workspace_id = $1
      and webhook.id = $2
      and delivery.webhook_id = webhook.id
      and event.id = delivery.event_id
      and delivery.order_key is null`,
);

const unblockAllStatement = sql(
  "deliveries_unblock_all",
  `update deliveries
    set next_attempt_at = now()
    where webhook_id = $2
      and workspace_id = $1
      and next_attempt_at = 'infinity'`,
);

/**
 * Follows the webhook's setting, for what is queued as well. A long backlog does so before the lane is locked, because
 * claims and settles, also those of other workspaces, wait for a locked lane. The lane is locked before the rest: a claim
 * that has read the old setting has ended by then, and the next one reads the new one.
 */
export async function setLaneOrdered(
  tx: Tx,
  { workspaceId, webhookId }: Lane,
  { ordered }: { ordered: boolean },
): Promise<void> {
  const statement = ordered ? orderUnclaimedStatement : unblockUnclaimedStatement;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: { lastEvent: number }[] = await tx.query(statement, [workspaceId, webhookId, after]);
    after = rows[0]?.lastEvent;
  }
  await tx.query(setOrderedStatement, [workspaceId, webhookId, ordered]);
  await tx.query(ordered ? orderQueuedStatement : unblockAllStatement, [workspaceId, webhookId]);
}

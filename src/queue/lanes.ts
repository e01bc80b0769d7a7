import { sql, type Tx } from "../db/database.ts";
import { isApiKeyEventSql } from "../events/catalogue.ts";
import type { Lane } from "./lane.ts";
import { WINDOW_START } from "./lane-policy.ts";
import { updateLane } from "./sql-fragments.ts";

const createStatement = sql(
  "lane_create",
  `insert into delivery_lanes (workspace_id, webhook_id, window_size, ordered)
    values ($1, $2, ${WINDOW_START}, $3)`,
);

/** Every webhook has one, from its creation on. */
export const createLane = (tx: Tx, lane: Lane, { ordered }: { ordered: boolean }): Promise<unknown> =>
  tx.query(createStatement, [...values(lane), ordered]);

/** The lane counts from the version of its webhook with what this transaction changed. */
const CLEARED_FAILURES = `failures_without_response = 0,
      breaker_open_until = null,
      failing_since = null,
      counts_from_version = (
        select version
        from webhooks
        where workspace_id = $1
          and id = $2
      )`;

const resetStatement = updateLane("lane_reset", `in_flight = 0, window_size = ${WINDOW_START}, ${CLEARED_FAILURES}`);

/** As new. Only where the lane has no deliveries, or the transaction deletes them. Results in flight are ignored. */
export const resetLane = (tx: Tx, lane: Lane): Promise<unknown> => tx.query(resetStatement, values(lane));

const clearFailuresStatement = updateLane("lane_clear_failures", CLEARED_FAILURES);

/**
 * A new url is a new destination: the failures of the old one do not count against it, nor do those of attempts that are
 * still in flight. Call it after the webhook was updated.
 */
export const clearLaneFailures = (tx: Tx, lane: Lane): Promise<unknown> =>
  tx.query(clearFailuresStatement, values(lane));

const countsStatement = sql(
  "lane_counts_version",
  `select 1
    from delivery_lanes
    where workspace_id = $1
      and webhook_id = $2
      and counts_from_version <= $3`,
);

/** Whether attempts with this version of the webhook still count: it was neither enabled nor given another url since. */
export const countsVersion = async (tx: Tx, lane: Lane, webhookVersion: number): Promise<boolean> =>
  (await tx.query(countsStatement, [...values(lane), webhookVersion])).length > 0;

const cancelStatement = sql(
  "deliveries_cancel",
  `with canceled as (
      delete from deliveries
      where workspace_id = $1
        and webhook_id = $2
      returning event_id
    )

    insert into dead_letters (workspace_id, webhook_id, event_id)
    select $1, $2, event_id
    from canceled
    on conflict do nothing`,
);

const CANCEL_BATCH = 100_000;

// Only deliveries for which nobody waits while holding their lane: a claim and an unblocking skip what is locked, and a
// settle has claimed ones.
const cancelUnclaimedStatement = sql(
  "deliveries_cancel_unclaimed",
  `with canceled as (
      delete from deliveries
      where ctid = any(array(
        select ctid
        from deliveries
        where workspace_id = $1
          and webhook_id = $2
          and worker_id is null
        order by next_attempt_at
        limit ${CANCEL_BATCH}
        for update skip locked
      ))
      returning event_id
    ),

    dead_letter as (
      insert into dead_letters (workspace_id, webhook_id, event_id)
      select $1, $2, event_id
      from canceled
      on conflict do nothing
    )

    select count(*)::int as canceled
    from canceled`,
);

/**
 * What is neither finished nor in flight leaves the queue. Call it before the lane is locked: a long backlog takes long,
 * and claims and settles, also those of other workspaces, wait for a locked lane.
 */
export async function cancelUnclaimed(tx: Tx, lane: Lane): Promise<void> {
  for (let canceled = CANCEL_BATCH; canceled === CANCEL_BATCH; ) {
    const [row] = await tx.query<{ canceled: number }>(cancelUnclaimedStatement, values(lane));
    canceled = row?.canceled ?? 0;
  }
}

/**
 * What is unfinished leaves the queue and counts as not delivered: `recover` brings it back. For what is in flight the
 * lane is reset first: lanes are locked before deliveries, so two statements that lock both never deadlock.
 */
export async function cancelDeliveries(tx: Tx, lane: Lane): Promise<void> {
  await cancelUnclaimed(tx, lane);
  await resetLane(tx, lane);
  await tx.query(cancelStatement, values(lane));
}

const cancelApiKeyEventsStatement = sql(
  "deliveries_cancel_api_key_events",
  `delete from deliveries delivery
    using events event
    where delivery.workspace_id = $1
      and delivery.webhook_id = $2
      and delivery.worker_id is null
      and event.workspace_id = delivery.workspace_id
      and event.id = delivery.event_id
      and ${isApiKeyEventSql("event.type")}`,
);

/** What was queued for a webhook that may no longer receive events about API keys. */
export const cancelApiKeyEvents = (tx: Tx, lane: Lane): Promise<unknown> =>
  tx.query(cancelApiKeyEventsStatement, values(lane));

const values = ({ workspaceId, webhookId }: Lane): number[] => [workspaceId, webhookId];

import { type Database, sql, type Tx } from "../db/database.ts";
import { isApiKeyEventSql } from "../events/catalogue.ts";
import { matchesSql } from "../events/payload-filter.ts";

const BATCH = 5_000;

// Deliveries have no index by event, so they are read once per batch and joined by a hash: 0.3 s with 300,000 of them. Looking
// through all of them for each event takes minutes. That is what the planner may do when it expects few old events, and what
// it did for `not in` with more than 262,144 deliveries, which no longer fit the memory of a statement.
const joinByHash = sql(
  "retention_events_plan",
  `select
      set_config('enable_nestloop', 'off', true),
      set_config('enable_mergejoin', 'off', true)`,
);

// Never an event with unfinished deliveries. In no order: sorted, every batch would read all that are old.
const findOldStatement = sql(
  "retention_events_find",
  `select event.workspace_id, event.id
    from events event
    where event.created_at < now() - make_interval(days => $1::int)
      and not exists (
        select
        from deliveries delivery
        where delivery.workspace_id = event.workspace_id
          and delivery.event_id = event.id
      )
    limit ${BATCH}
    for update skip locked`,
);

const joinByIndex = sql("retention_events_plan_delete", "select set_config('enable_nestloop', 'on', true)");

const expireStatement = sql(
  "retention_events",
  `with old as materialized (
      select *
      from unnest($1::bigint[], $2::bigint[]) as old (workspace_id, id)
    ),

    positions as (
      delete from event_positions position
      using old
      where position.workspace_id = old.workspace_id
        and position.event_id = old.id
    ),

    unsequenced as (
      delete from events_unsequenced unsequenced
      using old
      where unsequenced.workspace_id = old.workspace_id
        and unsequenced.event_id = old.id
    ),

    letters as (
      delete from dead_letters letter
      using old
      where letter.workspace_id = old.workspace_id
        and letter.event_id = old.id
    )

    delete from events event
    using old
    where event.workspace_id = old.workspace_id
      and event.id = old.id`,
);

/** To say which consumers of one workspace have missed events of one batch. */
const MISSED_MS_MAX = 2_000;

const workspacesWithConsumers = sql(
  "retention_consumers_of",
  `select distinct workspace_id
    from consumers
    where workspace_id = any($1::bigint[])
      and not missed`,
);

// After the time given to it every unread event counts as one that matches: a thousand consumers with the most expensive
// filters took minutes, and no workspace's events were deleted any more.
const markMissedStatement = sql(
  "retention_consumers_missed",
  `update consumers consumer
    set missed = true
    where consumer.workspace_id = $1
      and not consumer.missed
      and exists (
        select
        from event_positions unread
        join events event
          on event.workspace_id = unread.workspace_id
          and event.id = unread.event_id
        where unread.workspace_id = $1
          and unread.event_id = any($2::bigint[])
          and unread.position > consumer.position
          and (consumer.sees_api_key_events or not ${isApiKeyEventSql("unread.type")})
          and (
            consumer.types is null
            or consumer.types && array['*', unread.type, split_part(unread.type, '.', 1) || '.*']
          )
          and (
            consumer.filter_path is null
            or clock_timestamp() > statement_timestamp() + make_interval(secs => $3)
            or ${matchesSql("event.payload", "consumer.filter_path")}
          )
      )`,
);

/** Deletes events past their retention, with their positions and dead letters. Consumers that had not read them show it. */
export async function expireEvents(db: Database, retentionDays: number, missedMsMax = MISSED_MS_MAX): Promise<void> {
  while ((await db.transaction((tx) => expireBatch(tx, retentionDays, missedMsMax))) === BATCH);
}

async function expireBatch(tx: Tx, retentionDays: number, missedMsMax: number): Promise<number> {
  await tx.query(joinByHash);
  const old = await tx.query<{ workspace_id: number; id: number }>(findOldStatement, [retentionDays]);
  if (old.length === 0) return 0;
  await tx.query(joinByIndex);
  const workspaces = old.map((event) => event.workspace_id);
  for (const { workspace_id } of await tx.query<{ workspace_id: number }>(workspacesWithConsumers, [workspaces])) {
    const ids = old.filter((event) => event.workspace_id === workspace_id).map((event) => event.id);
    await tx.query(markMissedStatement, [workspace_id, ids, missedMsMax / 1_000]);
  }
  await tx.query(expireStatement, [workspaces, old.map((event) => event.id)]);
  return old.length;
}

const dropStrayStatement = sql(
  "housekeeping_stray",
  `delete from deliveries
    where ctid = any(array(
      select delivery.ctid
      from deliveries delivery
      where delivery.worker_id is null
        and (
          not exists (
            select
            from webhooks webhook
            where webhook.workspace_id = delivery.workspace_id
              and webhook.id = delivery.webhook_id
          )
          or not exists (
            select
            from events event
            where event.workspace_id = delivery.workspace_id
              and event.id = delivery.event_id
          )
        )
      limit ${BATCH}
    ))`,
);

/** A delivery that was queued while its webhook was being deleted, or whose event retention deleted. */
export const dropStrays = (db: Database): Promise<unknown> => db.query(dropStrayStatement);

const cancelDisabledStatement = sql(
  "housekeeping_disabled",
  `with canceled as (
      delete from deliveries delivery
      where ctid = any(array(
        select delivery.ctid
        from webhooks webhook
        join deliveries delivery
          on delivery.workspace_id = webhook.workspace_id
          and delivery.webhook_id = webhook.id
        where not webhook.is_active
          and delivery.worker_id is null
        limit ${BATCH}
      ))
      returning workspace_id, webhook_id, event_id
    )

    insert into dead_letters (workspace_id, webhook_id, event_id)
    select workspace_id, webhook_id, event_id
    from canceled
    on conflict do nothing`,
);

/**
 * A webhook that was being disabled while the event was queued: its dead letters can be recovered. What a worker has claimed
 * is left to its settle, which also counts it out of its lane.
 */
export const cancelOfDisabled = (db: Database): Promise<unknown> => db.query(cancelDisabledStatement);

import { type Database, sql } from "../db/database.ts";

const BATCH = 5_000;

// Never an event with unfinished deliveries: those are read once for a batch.
const expireStatement = sql(
  "retention_events",
  `with old as materialized (
      select event.workspace_id, event.id
      from events event
      where event.created_at < now() - make_interval(days => $1::int)
        and event.id not in (select event_id from deliveries)
      order by event.created_at
      limit ${BATCH}
      for update skip locked
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
      and event.id = old.id
    returning 1`,
);

/** Deletes events past their retention, with their positions and dead letters. */
export async function expireEvents(db: Database, retentionDays: number): Promise<void> {
  while ((await db.query(expireStatement, [retentionDays])).length === BATCH);
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
        limit ${BATCH}
      ))
      returning workspace_id, webhook_id, event_id
    )

    insert into dead_letters (workspace_id, webhook_id, event_id)
    select workspace_id, webhook_id, event_id
    from canceled
    on conflict do nothing`,
);

/** A webhook that was being disabled while the event was queued: its dead letters can be recovered. */
export const cancelOfDisabled = (db: Database): Promise<unknown> => db.query(cancelDisabledStatement);

-- Rollups: how often things happened, so that totals and charts need not count what happened.

-- Attempts per webhook, hour (UTC), event type and outcome, with how long they took. Written with the rows of the log as
-- appended differences, so that no settle waits for another, and folded in the background (stats/delivery-stats.ts).
-- Retention removes the hours of a day together with its partition of the log, so the sum is the length of the log.
create table delivery_stats (
  workspace_id bigint not null,
  webhook_id bigint not null,
  hour timestamptz not null,
  event_type text not null,
  delivered boolean not null,
  attempts bigint not null,
  -- How many of them were the last of their delivery: delivered, or not to be retried.
  ended bigint not null,
  -- How many of them took at most this many milliseconds, and longer than the bound before.
  ms_10 bigint not null,
  ms_25 bigint not null,
  ms_50 bigint not null,
  ms_100 bigint not null,
  ms_250 bigint not null,
  ms_500 bigint not null,
  ms_1000 bigint not null,
  ms_2500 bigint not null,
  ms_5000 bigint not null,
  ms_15000 bigint not null,
  ms_60000 bigint not null,
  primary key (workspace_id, webhook_id, hour, event_type, delivered)
) with (fillfactor = 70);
create index delivery_stats_hour on delivery_stats (workspace_id, hour);

create table delivery_stat_deltas (like delivery_stats including defaults)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index delivery_stat_deltas_webhook on delivery_stat_deltas (workspace_id, webhook_id);

create function count_attempts() returns trigger language plpgsql as $$
begin
  insert into delivery_stat_deltas
  select workspace_id, webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, delivered, count(*),
    count(*) filter (where next_attempt_at is null),
    count(*) filter (where response_time_ms <= 10),
    count(*) filter (where response_time_ms > 10 and response_time_ms <= 25),
    count(*) filter (where response_time_ms > 25 and response_time_ms <= 50),
    count(*) filter (where response_time_ms > 50 and response_time_ms <= 100),
    count(*) filter (where response_time_ms > 100 and response_time_ms <= 250),
    count(*) filter (where response_time_ms > 250 and response_time_ms <= 500),
    count(*) filter (where response_time_ms > 500 and response_time_ms <= 1000),
    count(*) filter (where response_time_ms > 1000 and response_time_ms <= 2500),
    count(*) filter (where response_time_ms > 2500 and response_time_ms <= 5000),
    count(*) filter (where response_time_ms > 5000 and response_time_ms <= 15000),
    count(*) filter (where response_time_ms > 15000)
  from logged
  group by workspace_id, webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, delivered;
  return null;
end $$;
create trigger delivery_attempts_counted after insert on delivery_attempts
  referencing new table as logged for each statement execute function count_attempts();

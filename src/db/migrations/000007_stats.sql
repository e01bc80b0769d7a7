-- compatible-from: 7
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
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
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

-- Messages per hour (UTC) by kind, and how long contacts waited for their first response. A response counts in the hour
-- in which it was given, with its seconds rounded to two digits (0 for messages): few rows, and a median that is exact to
-- those digits. The message write appends one row per batch and kind; they are folded in the background
-- (stats/conversation-stats.ts). The table of differences stays short, so it needs no index.
create table conversation_stats (
  workspace_id bigint not null,
  hour timestamptz not null,
  kind text not null check (kind in ('received', 'sent', 'note', 'first_response')),
  seconds integer not null,
  amount bigint not null,
  primary key (workspace_id, hour, kind, seconds)
) with (fillfactor = 70);

create table conversation_stat_deltas (
  workspace_id bigint not null,
  hour timestamptz not null,
  kind text not null,
  seconds integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

create function two_digits(seconds integer) returns integer language sql immutable as $$
  select case
    when seconds < 100 then seconds
    else round(seconds::numeric, 1 - floor(log(seconds::numeric))::integer)::integer
  end
$$;

create function count_first_response() returns trigger language plpgsql as $$
begin
  insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
  values (new.workspace_id, date_trunc('hour', new.last_message_at, 'UTC'), 'first_response',
    two_digits(new.first_response_seconds), 1);
  return null;
end $$;
create trigger conversations_first_response after update of first_response_seconds on conversations
for each row
when (old.first_response_seconds is null and new.first_response_seconds is not null)
execute function count_first_response();

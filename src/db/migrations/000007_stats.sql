-- compatible-from: 7
-- Rollups: how often things happened, so that totals and charts need not count what happened.

-- Attempts per webhook, hour (UTC), event type, outcome and how long they took. The statement that writes rows of the log
-- appends their differences, so that no settle waits for another; they are folded in the background
-- (stats/delivery-stats.ts). Retention removes the hours of a day together with its partition of the log, so the sum is
-- the length of the log. The table of differences stays short, so it needs no index.
create table delivery_stats (
  workspace_id bigint not null,
  webhook_id bigint not null,
  hour timestamptz not null,
  event_type text not null,
  delivered boolean not null,
  -- They took at most this many milliseconds, and longer than the class below it.
  up_to_ms integer not null,
  attempts bigint not null,
  -- How many of them were the last of their delivery: delivered, or not to be retried.
  ended bigint not null,
  primary key (workspace_id, webhook_id, hour, event_type, delivered, up_to_ms)
) with (fillfactor = 70);
create index delivery_stats_hour on delivery_stats (workspace_id, hour);

create table delivery_stat_deltas (like delivery_stats including defaults)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

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

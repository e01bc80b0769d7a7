-- compatible-from: 5
-- Webhook settings, the delivery queue and its log.

create table webhooks (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  headers_sealed text not null,
  retry_count integer not null check (retry_count between 0 and 10),
  timeout_seconds integer not null check (timeout_seconds between 1 and 60),
  skip_own_events boolean not null default false,
  -- The events of one conversation are sent one after the other. `delivery_lanes` has it too, for the claims.
  ordered boolean not null default false,
  created_by_api_key_id bigint,
  -- The caller who chose the events also held `api-keys:manage`: only then do `*` and `api_key.*` include those events.
  includes_api_key_events boolean not null default false,
  is_active boolean not null default true,
  disabled_reason text,
  secret_sealed text not null,
  -- Rotated secrets that still sign: [{ "sealed", "ends_at" }], newest first, a few at most.
  previous_secrets jsonb not null default '[]',
  -- Grows with every change; workers keep settings in memory as long as it stands still.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (uuid)
);

-- What active webhooks subscribe to, by name: `message.created`, `message.*`, `*`. An event finds its webhooks here.
create table webhook_subscriptions (
  workspace_id bigint not null,
  event_name text not null,
  webhook_id bigint not null,
  primary key (workspace_id, event_name, webhook_id),
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id) on delete cascade
);
create index webhook_subscriptions_webhook on webhook_subscriptions (webhook_id);

-- One lane per webhook: what the engine knows of the destination as a whole. queue/lane-policy.ts is its policy.
create table delivery_lanes (
  workspace_id bigint not null,
  webhook_id bigint not null,
  -- Deliveries in flight, over all workers, and how many may be.
  in_flight integer not null default 0 check (in_flight >= 0),
  window_size integer not null default 4 check (window_size between 1 and 1000),
  -- Attempts in a row that got no HTTP response; at the threshold the breaker opens until the time below.
  failures_without_response integer not null default 0 check (failures_without_response >= 0),
  breaker_open_until timestamptz,
  -- Since when there was nothing but failure; null after a success.
  failing_since timestamptz,
  -- The version of the webhook at which its url changed, or it was enabled again. Attempts with older settings went to
  -- another destination: their results do not change what is known of this one.
  counts_from_version bigint not null default 0,
  -- The webhook's setting, where a claim reads it under the lock of the lane.
  ordered boolean not null default false,
  -- While its workspace moves to another cell, and after: nothing is claimed.
  paused boolean not null default false,
  -- Rows in delivery_attempts: the unfiltered total of the logs list.
  attempts_total bigint not null default 0 check (attempts_total >= 0),
  -- Claims and settles so far. While an old snapshot is held open, none of the row's former versions can be removed, and a
  -- lookup by the lane alone reads them all. With the generation in the key it starts at the newest ones. Most changes
  -- leave the generation as it is, and so touch no index.
  changes bigint not null default 0,
  generation bigint not null generated always as (changes / 32) stored,
  primary key (workspace_id, webhook_id, generation),
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id) on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);

-- Workers renew their lease by a heartbeat, in the database's time.
create table workers (
  id bigint generated always as identity primary key,
  name text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  -- Attempts in flight at once: its part of the lanes.
  concurrency integer not null check (concurrency > 0),
  -- It claims nothing more: others take over its lanes.
  is_stopping boolean not null default false
);

-- The queue: unfinished work only. No foreign keys: see the head of the first migration. Its pages are used again, so vacuum
-- does not return those at its end: it would lock the table against everybody while it does.
create table deliveries (
  workspace_id bigint not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  event_id bigint not null,
  attempts_made integer not null default 0 check (attempts_made >= 0),
  -- 'infinity': blocked by an earlier event of its conversation.
  next_attempt_at timestamptz not null default now(),
  worker_id bigint,
  -- The fence: a finishing write counts only where this is still the token of its claim.
  lease_token bigint,
  -- Of an ordered webhook: its events with the same key (the same conversation) are sent one after the other.
  order_key bigint,
  check ((worker_id is null) = (lease_token is null)),
  primary key (workspace_id, id),
  unique (webhook_id, event_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
-- A claim changes no indexed column: it stays on its page and touches no index (a HOT update), for which half of a page
-- is kept free. The claims of a crashed worker are found through the lanes that have any in flight.
create index deliveries_ready on deliveries (webhook_id, next_attempt_at);
-- Unordered deliveries are not in it and so do not pay for it.
create index deliveries_order on deliveries (order_key, event_id) where order_key is not null;

-- What ended without a success, so that `recover` finds it. A success is in the log, which is kept at least as long as
-- its event; a dead letter may have been canceled before its first attempt.
create table dead_letters (
  workspace_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  primary key (workspace_id, event_id, webhook_id)
);

-- The log: one row per attempt, append-only, one partition per day, no foreign keys onto it. The public uuid of a row is
-- computed from its id (delivery/log-uuid.ts), which saves the widest index of the busiest table.
create sequence delivery_attempt_seq;
create table delivery_attempts (
  workspace_id bigint not null,
  id bigint not null default nextval('delivery_attempt_seq'),
  webhook_id bigint not null,
  delivery_id bigint not null,
  event_id bigint not null,
  event_uuid uuid not null,
  event_type text not null,
  delivered boolean not null,
  response_code integer not null,
  response_time_ms integer not null,
  attempt integer not null,
  error_message text,
  next_attempt_at timestamptz,
  -- JSON, written and read whole.
  detail text not null,
  created_at timestamptz not null default now(),
  -- In the order of the logs list, which so needs no index of its own.
  primary key (workspace_id, webhook_id, id, created_at)
) partition by range (created_at);
-- Failures are few and often asked for: the list of them need not read a log of successes.
create index delivery_attempts_failed on delivery_attempts (workspace_id, webhook_id, id desc) where not delivered;

create index delivery_attempts_type
  on delivery_attempts (workspace_id, webhook_id, event_type, delivered, id desc);

-- The attempts of one event. First attempts are logged in the order of their events, so a summary of each stretch of the
-- table finds them, and costs an attempt next to nothing.
create index delivery_attempts_event on delivery_attempts
  using brin (event_id int8_minmax_multi_ops) with (pages_per_range = 32, autosummarize = on);

-- Creates the partition of one day (UTC). Safe to call at any time, by any number of nodes. A day's log grows all day
-- and its plans stay the same: it is analyzed when it has doubled, not at every tenth, which held up deliveries.
create function create_attempt_partition(day date) returns void language plpgsql as $$
declare
  partition_name text := 'delivery_attempts_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition_name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('parley.partitions'));
  execute format(
    'create table if not exists %I partition of delivery_attempts for values from (%L) to (%L)'
    ' with (autovacuum_analyze_scale_factor = 1)',
    partition_name, day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
end $$;

select create_attempt_partition((now() at time zone 'utc')::date + d) from generate_series(-1, 7) d;

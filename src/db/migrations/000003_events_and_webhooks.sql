-- Events: what happened, stored once, in the transaction of the change. `payload` is the exact body every webhook gets.
create table events (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  type text not null,
  -- Who caused it, where that was an API key: `skip_own_events` asks.
  api_key_id bigint,
  payload text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid)
);
create index events_age on events (created_at);
create index events_since on events (workspace_id, created_at);

-- The public order of events. A position is given after the commit (see events/sequencer.ts), so a transaction that
-- commits late gets a late position instead of being skipped. Deliveries never wait for it.
create table events_unsequenced (
  workspace_id bigint not null,
  event_id bigint not null,
  primary key (workspace_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create sequence event_position_seq;
create table event_positions (
  workspace_id bigint not null,
  position bigint not null,
  event_id bigint not null,
  primary key (workspace_id, position)
);
create index event_positions_event on event_positions (workspace_id, event_id);

create table webhooks (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  headers_sealed text not null,
  retry_count integer not null,
  timeout_seconds integer not null,
  skip_own_events boolean not null default false,
  created_by_key_id bigint,
  -- Whoever chose the events also held `api-keys:manage`: only then do `*` and `api_key.*` mean key events too.
  hears_api_keys boolean not null default false,
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
  unique (workspace_id, uuid)
);

-- One lane per webhook: what the engine knows of the destination as a whole.
create table delivery_lanes (
  workspace_id bigint not null,
  webhook_id bigint not null,
  -- Deliveries under way, over all workers, and how many may be: the window grows with successes, halves with silence.
  in_flight integer not null default 0,
  window_size integer not null default 4,
  -- Attempts in a row that got no HTTP answer; at the breaker's threshold the lane opens until then, and probes with one.
  silent_failures integer not null default 0,
  open_until timestamptz,
  -- Since when nothing but failure; null after a success.
  failing_since timestamptz,
  -- Rows in delivery_attempts: the unfiltered total of the logs list.
  attempts_total bigint not null default 0,
  primary key (workspace_id, webhook_id),
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id) on delete cascade
) with (fillfactor = 50);

-- Workers tell the database that they live, in the database's time.
create table workers (
  id bigint generated always as identity primary key,
  name text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- The queue: unfinished work only. No foreign keys: see the head of 000001.
create sequence delivery_lease_seq;
create table deliveries (
  workspace_id bigint not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  event_id bigint not null,
  attempts_made integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  worker_id bigint,
  -- The fence: a finishing write counts only where this is still the token of its claim.
  lease_token bigint,
  primary key (workspace_id, id),
  unique (workspace_id, event_id, webhook_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index deliveries_ready on deliveries (workspace_id, webhook_id, next_attempt_at) where worker_id is null;
create index deliveries_claimed on deliveries (worker_id) where worker_id is not null;

-- What became of an (event, webhook) pair once it was finished: `recover` asks.
create table delivery_outcomes (
  workspace_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  delivered boolean not null,
  primary key (workspace_id, event_id, webhook_id)
);

-- The log: one row an attempt, append-only, a partition a day, no foreign keys onto it. The public uuid of a row is
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
  detail json not null,
  created_at timestamptz not null default now()
) partition by range (created_at);
create index delivery_attempts_webhook on delivery_attempts (workspace_id, webhook_id, id desc);
create index delivery_attempts_id on delivery_attempts (workspace_id, id);

-- Makes the partition of one day (UTC). Safe to call at any time, by any number of nodes.
create function create_attempt_partition(day date) returns void language plpgsql as $$
declare
  partition_name text := 'delivery_attempts_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition_name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('parley.partitions'));
  execute format(
    'create table if not exists %I partition of delivery_attempts for values from (%L) to (%L)',
    partition_name, day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
end $$;

select create_attempt_partition((now() at time zone 'utc')::date + d) from generate_series(-1, 7) d;

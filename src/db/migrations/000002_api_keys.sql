-- compatible-from: 2
-- API keys, what was done with them, and repeated requests.

create table api_keys (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  description text not null default '',
  type text not null check (type in ('full', 'limited', 'webhook', 'bot')),
  abilities text[] not null check (cardinality(abilities) > 0),
  rate_limit_tier text not null,
  paused boolean not null default false,
  allowed_ips text[],
  -- What is shown of the current secret; null where it is not of our own form.
  secret_prefix text,
  last_four text,
  -- Who created it; null for keys without a known creator.
  creator_type text check (creator_type in ('user', 'api_key', 'bot', 'system')),
  creator_id bigint,
  creator_name text,
  -- The one key that PARLEY_BOOTSTRAP_API_KEY names; a changed value replaces its secret.
  bootstrap boolean not null default false,
  -- Set from auth_revision under its row lock, so its order is the order of commits: pollers never skip one.
  revision bigint not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  rotated_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, uuid)
);
create index api_keys_revision on api_keys (revision) where revision > 0;
create index api_keys_creator on api_keys (workspace_id, creator_type, creator_id) where creator_id is not null;
create unique index api_keys_bootstrap on api_keys (bootstrap) where bootstrap;

-- Global directory: a secret arrives without a workspace. Only SHA-256 digests are kept.
create table api_key_digests (
  digest bytea primary key check (octet_length(digest) = 32),
  workspace_id bigint not null,
  api_key_id bigint not null,
  -- null: the current secret; otherwise a rotated one that is accepted until then.
  valid_until timestamptz,
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id)
);
create index api_key_digests_key on api_key_digests (workspace_id, api_key_id);

-- In a table of its own, so that a use does not touch the key's own row.
create table api_key_last_used (
  workspace_id bigint not null,
  api_key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (workspace_id, api_key_id)
) with (fillfactor = 50);

-- Responses to the requests of each key, by the hour (UTC); written in batches (auth/usage.ts).
create table api_key_usage (
  workspace_id bigint not null,
  api_key_id bigint not null,
  hour timestamptz not null,
  requests bigint not null check (requests >= 0),
  errors_4xx bigint not null check (errors_4xx >= 0),
  errors_5xx bigint not null check (errors_5xx >= 0),
  primary key (workspace_id, api_key_id, hour)
) with (fillfactor = 70);
create index api_key_usage_hour on api_key_usage (workspace_id, hour);

create table auth_revision (
  singleton boolean primary key default true check (singleton),
  value bigint not null
);
insert into auth_revision (value) values (1);

create table audit_logs (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  actor_type text not null check (actor_type in ('contact', 'user', 'api_key', 'bot', 'system')),
  actor_id bigint,
  actor_name text,
  action text not null,
  resource_type text not null,
  resource_id bigint not null,
  ip text,
  request_id text,
  changes jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index audit_logs_resource on audit_logs (workspace_id, resource_type, resource_id, id desc);
create index audit_logs_action on audit_logs (workspace_id, action, id desc);
create index audit_logs_type on audit_logs (workspace_id, resource_type, id desc);
create index audit_logs_resource_id on audit_logs (workspace_id, resource_id, id desc);
create index audit_logs_actor on audit_logs (workspace_id, actor_id, id desc);
create index audit_logs_created on audit_logs (workspace_id, created_at);

-- The response to a POST that carried an Idempotency-Key. Sealed, because a webhook's signing secret may be in it; a
-- response that holds an API key's secret is not stored at all (response is null).
create table idempotency_keys (
  workspace_id bigint not null,
  caller_type text not null check (caller_type in ('api_key', 'user')),
  caller_id bigint not null,
  route text not null,
  idempotency_key text not null,
  request_digest bytea not null,
  -- Null while the first request is in progress.
  status integer check (status between 200 and 299),
  response text,
  resource text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, caller_type, caller_id, route, idempotency_key),
  check (status is not null or (response is null and resource is null))
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Nodes that serve requests, by their last heartbeat. Unlogged, like the windows below: after a crash both start empty.
create unlogged table nodes (
  id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- What the nodes have leased of each rate limit window together (db/lease-store.ts).
create unlogged table rate_limit_windows (
  name text not null,
  window_start timestamptz not null,
  granted integer not null check (granted >= 0),
  last_grant integer not null check (last_grant >= 0),
  primary key (name, window_start)
) with (fillfactor = 50);
create index rate_limit_windows_age on rate_limit_windows (window_start);

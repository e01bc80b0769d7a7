-- Workspaces, people and API keys.
--
-- Every tenant's table has the primary key (workspace_id, id): a later split by workspace is then a change of deployment.
-- Hot tables carry no foreign key to `workspaces`: each insert would take a KEY SHARE lock on one shared row, and
-- concurrent writers of a workspace would meet there as multixacts.

create table workspaces (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  created_at timestamptz not null default now()
);

-- One row: facts about this installation as a whole.
create table installation (
  singleton boolean primary key default true check (singleton),
  secret_key_id text,
  setup_link_digest bytea,
  created_at timestamptz not null default now()
);
insert into installation default values;

create table users (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id bigint not null references workspaces (id),
  user_id bigint not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

create table api_keys (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  description text not null default '',
  type text not null check (type in ('full', 'limited', 'webhook', 'bot')),
  abilities text[] not null,
  rate_limit_tier text not null,
  paused boolean not null default false,
  allowed_ips text[],
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
create unique index api_keys_bootstrap on api_keys (bootstrap) where bootstrap;

-- Global directory: a secret arrives without a workspace. Only SHA-256 digests are kept.
create table api_key_digests (
  digest bytea primary key,
  workspace_id bigint not null,
  key_id bigint not null,
  -- null: the current secret; otherwise a rotated one that lives until then.
  valid_until timestamptz,
  foreign key (workspace_id, key_id) references api_keys (workspace_id, id)
);
create index api_key_digests_key on api_key_digests (workspace_id, key_id);

create table api_key_uses (
  workspace_id bigint not null,
  key_id bigint not null,
  last_used_at timestamptz not null,
  primary key (workspace_id, key_id)
) with (fillfactor = 50);

create table auth_revision (
  singleton boolean primary key default true check (singleton),
  value bigint not null
);
insert into auth_revision (value) values (1);

create table audit_logs (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  actor_type text not null,
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

-- The answer of a POST that carried an Idempotency-Key. Sealed, because a webhook's signing secret may be in it;
-- an answer that holds an API key's secret is not stored at all (answer is null).
create table idempotency_keys (
  workspace_id bigint not null,
  api_key_id bigint not null,
  route text not null,
  idempotency_key text not null,
  request_digest bytea not null,
  status integer,
  answer text,
  resource text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, api_key_id, route, idempotency_key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

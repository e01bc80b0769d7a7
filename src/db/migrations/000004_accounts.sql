-- Sign-in sessions, invitations, and how much each API key is used.

-- Global, like users: a cookie arrives without a workspace. Only SHA-256 digests are kept.
create table sessions (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  user_id bigint not null references users (id) on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- The absolute limit; the idle limit counts from last_seen_at.
  expires_at timestamptz not null
) with (fillfactor = 70);
create index sessions_user on sessions (user_id);

create table invitations (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  digest bytea not null unique,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  invited_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, uuid)
);
-- One open invitation a person and workspace: a second one replaces the first.
create unique index invitations_email on invitations (workspace_id, lower(email));

-- Answers given to each key, by the hour (UTC); written in batches (auth/usage.ts).
create table api_key_usage (
  workspace_id bigint not null,
  key_id bigint not null,
  hour timestamptz not null,
  requests bigint not null,
  errors_4xx bigint not null,
  errors_5xx bigint not null,
  primary key (workspace_id, key_id, hour)
) with (fillfactor = 70);
create index api_key_usage_hour on api_key_usage (workspace_id, hour);

-- An Idempotency-Key is counted per caller, and signed-in people call the API too: `key:7` or `user:3`.
alter table idempotency_keys alter column api_key_id type text using 'key:' || api_key_id;
alter table idempotency_keys rename column api_key_id to caller;

-- compatible-from: 10
-- Messages to people by e-mail and chat: what waits to be sent, what has been said already, and password resets.

-- Messages that wait to be sent, over all workspaces. One that was sent, or cannot be sent, is deleted.
create table notifications (
  id bigint generated always as identity primary key,
  -- Part of the id of an e-mail: the same over all attempts.
  uuid uuid not null unique,
  -- Null: about a person's account, which belongs to no workspace.
  workspace_id bigint,
  channel text not null check (channel in ('email', 'slack')),
  -- The e-mail address; null for a chat, whose URL is a setting of the workspace.
  recipient text check ((channel = 'email') = (recipient is not null)),
  kind text not null,
  -- Sealed: an invitation holds a link that lets its reader in.
  content_sealed text not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- In the future while a node sends it: it is the lease of that node too.
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Not sent after this.
  expires_at timestamptz not null
) with (fillfactor = 70);
create index notifications_due on notifications (next_attempt_at);
create index notifications_workspace on notifications (workspace_id) where workspace_id is not null;

-- Links that set a new password. Only SHA-256 digests are kept.
create table password_resets (
  digest bytea primary key check (octet_length(digest) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id, created_at);
create index password_resets_age on password_resets (created_at);

-- Who receives the alerts of a workspace; without a row: its owners and admins, by e-mail.
create table alert_settings (
  workspace_id bigint primary key,
  email_enabled boolean not null default true,
  -- An incoming webhook of Slack or a chat that understands the same. Sealed: anyone who knows it can post there.
  slack_url_sealed text,
  updated_at timestamptz not null default now()
);

-- What has been said already about what is wrong, so that it is said once. Deleted when it is no longer wrong.
create table alert_states (
  workspace_id bigint not null,
  kind text not null,
  -- The id of the webhook or key; 0 where it concerns the workspace as a whole.
  subject_id bigint not null,
  stage text not null,
  since timestamptz not null default now(),
  primary key (workspace_id, kind, subject_id)
);

-- Keys that expire soon, over all workspaces.
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- One node per minute looks for what is wrong.
create table alert_checks (
  singleton boolean primary key default true check (singleton),
  checked_at timestamptz not null default '-infinity'
);
insert into alert_checks default values;

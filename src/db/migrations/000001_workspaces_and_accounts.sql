-- compatible-from: 1
-- Workspaces and the people who sign in.
--
-- Every table of a workspace has the primary key (workspace_id, id). Ids and uuids are unique by themselves (identity
-- columns), so other indexes need not begin with the workspace: while a table is empty, every index that begins with the
-- workspace looks as good as the primary key to the planner, and a plan that was made then, and kept, reads all rows of
-- the workspace. Hot tables carry no foreign key to `workspaces`: each insert would take a KEY SHARE lock on one shared
-- row, and concurrent writers of a workspace would meet there as multixacts.

create table workspaces (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  -- Members without a second factor only reach the page that sets one up.
  require_two_factor boolean not null default false,
  -- The first public reply of a person in a conversation without assignee assigns it to that person.
  assign_on_first_reply boolean not null default true,
  -- Created by `parley demo`, which removes it again.
  is_demo boolean not null default false,
  -- A move to another cell (cells/move.ts): 'moving' refuses writes, 'moved' every request. Null: it is here.
  move_state text check (move_state in ('moving', 'moved')),
  moved_to_cell integer,
  created_at timestamptz not null default now(),
  check ((move_state is null) = (moved_to_cell is null))
);

-- While a workspace moves, triggers on its tables call this (cells/fence.ts): nothing is written that the copy would
-- miss, not even by a process that was asleep. Their argument is the id of the workspace. There are none otherwise, so it costs nothing.
create function refuse_while_moving() returns trigger language plpgsql as $$
declare
  cell integer;
begin
  if current_setting('parley.mover', true) = 'on' then
    return coalesce(new, old);
  end if;
  select moved_to_cell into cell
  from workspaces
  where id = tg_argv[0]::bigint
    and move_state = 'moved';
  if found then
    raise exception 'This workspace has moved to cell %.', cell using errcode = 'PM002';
  end if;
  raise exception 'The workspace is being moved to another cell.' using errcode = 'PM001';
end $$;

-- One row: facts about this installation as a whole.
create table installation (
  singleton boolean primary key default true check (singleton),
  secret_key_id text,
  setup_link_digest bytea,
  -- Which cell this installation is (db/cell.ts); null until the first start decides it.
  cell integer check (cell between 0 and 1023),
  created_at timestamptz not null default now()
);
insert into installation default values;

create table users (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  -- Normalised by the one rule in accounts/email.ts, and compared as it is.
  email text not null,
  name text not null,
  -- null: single sign-on only.
  password_hash text,
  -- Outlives the sessions, which are deleted when they end.
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (email);

create table memberships (
  workspace_id bigint not null references workspaces (id),
  user_id bigint not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'agent')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

-- Global, like users: a cookie arrives without a workspace. Only SHA-256 digests are kept.
create table sessions (
  id bigint generated always as identity primary key,
  digest bytea not null unique check (octet_length(digest) = 32),
  user_id bigint not null references users (id) on delete cascade,
  ip text,
  user_agent text,
  method text not null check (method in ('password', 'passkey', 'sso')),
  -- A second factor was shown, or a passkey or the identity provider vouched for more than a password.
  second_factor boolean not null default false,
  -- Who is at the keyboard was checked last at this time; changing how one signs in asks for a recent one.
  confirmed_at timestamptz not null default now(),
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
  digest bytea not null unique check (octet_length(digest) = 32),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'agent')),
  invited_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, uuid)
);
-- One open invitation per person and workspace: a second one replaces the first.
create unique index invitations_email on invitations (workspace_id, email);
create index invitations_by_email on invitations (email);
create index invitations_inviter on invitations (invited_by);

-- Browsers that have signed a person in before, by the digest of their cookie.
create table known_devices (
  user_id bigint not null references users (id) on delete cascade,
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, digest)
);
create index known_devices_age on known_devices (last_seen_at);

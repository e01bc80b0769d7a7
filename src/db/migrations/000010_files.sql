-- compatible-from: 10
-- Files: their bytes are stored in chunks, so that a backup holds them and every node can serve them.

create table files (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null unique,
  name text not null,
  content_type text not null,
  -- Null until all bytes are stored: such a file does not exist for the API.
  size_bytes bigint check (size_bytes > 0),
  sha256 bytea,
  uploader_type text not null check (uploader_type in ('user', 'api_key', 'bot', 'system')),
  uploader_id bigint,
  -- What holds the file. One that nothing holds is removed a day after its upload.
  message_id bigint,
  draft_id bigint,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  check (message_id is null or draft_id is null),
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete cascade,
  foreign key (workspace_id, draft_id) references drafts (workspace_id, id) on delete set null (draft_id)
);
create index files_message on files (workspace_id, message_id) where message_id is not null;
create index files_draft on files (workspace_id, draft_id) where draft_id is not null;
-- Over all workspaces, for housekeeping.
create index files_unused on files (created_at) where message_id is null and draft_id is null;

create table file_chunks (
  workspace_id bigint not null,
  file_id bigint not null,
  position integer not null check (position >= 0),
  bytes bytea not null,
  primary key (workspace_id, file_id, position),
  foreign key (workspace_id, file_id) references files (workspace_id, id) on delete cascade
);
-- Most files are compressed already: PostgreSQL should not try again.
alter table file_chunks alter column bytes set storage external;

-- How much a workspace stores, for its quota. By a trigger, because files also go with their messages.
create table file_usage (
  workspace_id bigint primary key,
  bytes bigint not null
) with (fillfactor = 70);

create function count_file_bytes() returns trigger language plpgsql as $$
begin
  insert into file_usage (workspace_id, bytes)
  values (
    coalesce(new.workspace_id, old.workspace_id),
    coalesce(new.size_bytes, 0) - coalesce(old.size_bytes, 0))
  on conflict (workspace_id) do update
  set bytes = file_usage.bytes + excluded.bytes;
  return null;
end $$;
create trigger files_counted after update of size_bytes on files
for each row execute function count_file_bytes();
create trigger files_uncounted after delete on files
for each row when (old.size_bytes is not null) execute function count_file_bytes();

-- compatible-from: 12
-- Saved filters of the list of conversations, with names. A workspace has at most 100.
create table views (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  owner_type text not null check (owner_type in ('user', 'api_key', 'bot')),
  owner_id bigint not null,
  owner_name text,
  -- The only person who sees it; null: it is shared. What only they see goes when they leave the workspace.
  person_id bigint,
  -- Query parameters of the list. `json` and not `jsonb`: shown in the order in which they were written.
  filters json not null,
  sort text not null,
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  foreign key (workspace_id, person_id) references memberships (workspace_id, user_id) on delete cascade
);
-- For the foreign key: removing a member reads no other rows.
create index views_person on views (workspace_id, person_id) where person_id is not null;

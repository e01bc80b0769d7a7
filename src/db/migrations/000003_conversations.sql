-- Contacts, conversations and messages.

create table contacts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  external_id text,
  name text,
  email text,
  phone text,
  attributes jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  unique (workspace_id, external_id)
);
create index contacts_updated on contacts (workspace_id, updated_at);
create index contacts_email on contacts (workspace_id, lower(email)) where email is not null;

create table conversations (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  contact_id bigint not null,
  assignee_id bigint references users (id) on delete set null,
  subject text,
  status text not null default 'open' check (status in ('open', 'pending', 'snoozed', 'resolved')),
  channel text not null default 'api' check (channel in ('api', 'widget', 'email')),
  labels text[] not null default '{}',
  attributes jsonb not null default '{}',
  -- The last number given to a message. Writers lock this row first, so numbers have no gaps under concurrency.
  last_seq bigint not null default 0 check (last_seq >= 0),
  last_message_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
) with (fillfactor = 80);
create index conversations_contact on conversations (workspace_id, contact_id);
create index conversations_status on conversations (workspace_id, status, id desc);
create index conversations_assignee on conversations (workspace_id, assignee_id, id desc) where assignee_id is not null;
-- None on updated_at: every message changes it, and an index on it would make each such update touch all indexes.

create table messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  conversation_id bigint not null,
  seq bigint not null check (seq > 0),
  direction text not null check (direction in ('in', 'out')),
  sender_type text not null check (sender_type in ('contact', 'user', 'api_key', 'bot', 'system')),
  sender_id bigint,
  sender_name text,
  private boolean not null default false,
  body text not null,
  attachments jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  unique (workspace_id, conversation_id, seq),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
);

-- compatible-from: 12
-- Widgets: the chat on a page of the customer's own, its visitors and what they have sent.

create table widgets (
  workspace_id bigint not null references workspaces (id),
  id bigint generated always as identity,
  uuid uuid not null unique,
  -- Stands in pages; not a secret.
  public_id text not null unique,
  name text not null,
  is_active boolean not null default true,
  allowed_origins text[] not null,
  require_identity boolean not null default false,
  color text not null,
  position text not null check (position in ('left', 'right')),
  texts jsonb not null default '{}',
  ask_name text not null check (ask_name in ('no', 'optional', 'required')),
  ask_email text not null check (ask_email in ('no', 'optional', 'required')),
  collect_page boolean not null default true,
  mailbox_id bigint,
  -- Identity tokens are signed with it.
  secret_sealed text not null,
  -- Secrets that were replaced and still sign: { "sealed", "ends_at" }.
  previous_secrets jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- A visitor's browser, from its first message or its identity token on. Without a reference to the widget: a widget is
-- deleted at once, and its sessions, which nobody can use then, in the background.
create table visitor_sessions (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- SHA-256 of the token that the browser keeps.
  token_digest bytea not null unique,
  widget_id bigint not null,
  -- Null until the first message, unless the identity names a contact that exists.
  contact_id bigint,
  -- What the identity token says: { "sub", "name", "email", "attributes" }; null: anonymous.
  identity jsonb,
  identity_expires_at timestamptz,
  -- What an anonymous visitor typed before the contact exists.
  typed_name text,
  typed_email text,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- The token of an ended session starts no other one.
  ended_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
) with (fillfactor = 80);
create index visitor_sessions_contact on visitor_sessions (workspace_id, contact_id);
create index visitor_sessions_widget on visitor_sessions (workspace_id, widget_id);
-- Over all workspaces, for housekeeping.
create index visitor_sessions_seen on visitor_sessions (seen_at);

-- The id under which a visitor's browser sent a message: a repeat is recognised by it.
create table visitor_messages (
  workspace_id bigint not null,
  session_id bigint not null,
  client_id uuid not null,
  conversation_uuid uuid not null,
  -- Null: the message was deleted since.
  message_id bigint,
  primary key (workspace_id, session_id, client_id),
  foreign key (workspace_id, session_id) references visitor_sessions (workspace_id, id) on delete cascade,
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete set null (message_id)
);
create index visitor_messages_message on visitor_messages (workspace_id, message_id) where message_id is not null;

alter table contacts
  add column blocked boolean not null default false,
  add column unverified_email text;

alter table conversations
  -- Without a reference: a conversation keeps the number of a widget that was deleted.
  add column widget_id bigint,
  -- Where the visitor wrote the first message: { "url", "browser" }.
  add column page jsonb,
  add column contact_read_seq bigint not null default 0;
create index conversations_widget on conversations (workspace_id, widget_id, id desc) where widget_id is not null;

-- A visitor uploads before there is a contact: `visitor` is the id of a session. What is sent is the contact's.
alter table files drop constraint files_uploader_type_check;
alter table files add constraint files_uploader_type_check
  check (uploader_type in ('user', 'api_key', 'bot', 'system', 'visitor', 'contact'));

-- compatible-from: 3
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
-- Not partial: the planner ignores the statistics of a partial index and walks the primary key instead.
create index contacts_email on contacts (workspace_id, lower(email), id desc);

-- What colleagues should know about a contact; never shown to the contact.
create table contact_notes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  contact_id bigint not null,
  author_id bigint not null,
  author_name text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
);
create index contact_notes_contact on contact_notes (workspace_id, contact_id, id desc);

-- Domains, because PostgreSQL parses the CHECKs of a table in every statement that writes to it, and those of a domain once
-- per connection: as CHECKs of the tables, these lists took a tenth of the time of writing a message.
create domain conversation_status as text check (value in ('open', 'pending', 'snoozed', 'resolved'));
create domain conversation_priority as text check (value in ('low', 'medium', 'high', 'urgent'));
create domain conversation_channel as text check (value in ('api', 'widget', 'email'));
create domain message_direction as text check (value in ('in', 'out'));
create domain message_sender_type as text check (value in ('contact', 'user', 'api_key', 'bot', 'system'));

create table conversations (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  contact_id bigint not null,
  assignee_id bigint references users (id) on delete set null,
  subject text,
  status conversation_status not null default 'open',
  -- Null while snoozed: until the contact writes.
  snoozed_until timestamptz,
  priority conversation_priority,
  channel conversation_channel not null default 'api',
  labels text[] not null default '{}',
  attributes jsonb not null default '{}',
  -- The last number given to a message. Writers lock this row first, so numbers have no gaps under concurrency.
  last_seq bigint not null default 0 check (last_seq >= 0),
  -- The number of the last message from the contact; a person who has read less has unread messages.
  last_in_seq bigint not null default 0 check (last_in_seq >= 0),
  -- So that the number of its messages is known without counting them.
  messages_deleted bigint not null default 0,
  last_message_at timestamptz,
  -- The time of the oldest message from the contact that no public reply has followed.
  waiting_since timestamptz,
  -- How long the contact waited for the first public reply; null while there was none.
  first_response_seconds integer check (first_response_seconds >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  check (snoozed_until is null or status = 'snoozed'),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
) with (fillfactor = 80);
create index conversations_contact on conversations (workspace_id, contact_id, id desc);
create index conversations_status on conversations (workspace_id, status, id desc);
create index conversations_assignee on conversations (workspace_id, assignee_id, status, id desc);
-- The priorities that were set; none is what most conversations have.
create index conversations_priority on conversations (workspace_id, priority, id desc) where priority is not null;
create index conversations_channel on conversations (workspace_id, channel, id desc);
-- The snoozes that end by themselves, over all workspaces.
create index conversations_snoozed_until on conversations (snoozed_until) where snoozed_until is not null;
-- None on updated_at: every message changes it, and an index on it would make each such update touch all indexes.

create table messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  conversation_id bigint not null,
  seq bigint not null check (seq > 0),
  direction message_direction not null,
  sender_type message_sender_type not null,
  sender_id bigint,
  sender_name text,
  private boolean not null default false,
  body text not null,
  attachments jsonb not null default '[]',
  -- The draft that was sent as this message: { "id", "author" }.
  draft jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  unique (workspace_id, conversation_id, seq),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
);
create index messages_private on messages (workspace_id, conversation_id, seq desc) where private;

-- Up to which message a person has read a conversation; no row: nothing yet.
create table conversation_reads (
  workspace_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  conversation_id bigint not null,
  read_seq bigint not null,
  primary key (workspace_id, user_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index conversation_reads_conversation on conversation_reads (workspace_id, conversation_id);

-- Replies not yet sent. A person has one draft per conversation, a key any number of suggestions.
create table drafts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  conversation_id bigint not null,
  author_type text not null check (author_type in ('user', 'api_key', 'bot')),
  author_id bigint not null,
  author_name text,
  private boolean not null default false,
  body text not null,
  attachments jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index drafts_conversation on drafts (workspace_id, conversation_id, id desc);
create unique index drafts_of_person on drafts (workspace_id, author_id, conversation_id) where author_type = 'user';

create table saved_replies (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  shortcut text,
  body text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid),
  unique (workspace_id, shortcut)
);

-- How many conversations have each label. Changes are appended as deltas and folded into the counts by a loop: a counter
-- updated in the transaction of the change would make all writers of a label wait for each other.
create table label_counts (
  workspace_id bigint not null,
  name text not null,
  conversations bigint not null,
  primary key (workspace_id, name)
) with (fillfactor = 70);
create index label_counts_unused on label_counts (workspace_id) where conversations = 0;
create table label_deltas (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  name text not null,
  delta integer not null
);
create index label_deltas_workspace on label_deltas (workspace_id);

-- The same for conversations by status and assignee (0: nobody), and whether a contact waits.
create table conversation_counts (
  workspace_id bigint not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  conversations bigint not null,
  primary key (workspace_id, status, assignee_id, waiting)
) with (fillfactor = 70);
create table conversation_deltas (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  delta integer not null
);
create index conversation_deltas_workspace on conversation_deltas (workspace_id);

-- Triggers, so that no statement can forget to count: a person who is removed loses conversations by a foreign key.
create function count_conversation() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into conversation_deltas (workspace_id, status, assignee_id, waiting, delta)
    values (old.workspace_id, old.status, coalesce(old.assignee_id, 0), old.waiting_since is not null, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into conversation_deltas (workspace_id, status, assignee_id, waiting, delta)
    values (new.workspace_id, new.status, coalesce(new.assignee_id, 0), new.waiting_since is not null, 1);
  end if;
  return null;
end $$;
create trigger conversations_counted after insert or delete on conversations
for each row execute function count_conversation();
create trigger conversations_recounted after update of status, assignee_id, waiting_since on conversations
for each row
when (old.status <> new.status
  or old.assignee_id is distinct from new.assignee_id
  or (old.waiting_since is null) <> (new.waiting_since is null))
execute function count_conversation();

create function count_labels() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into label_deltas (workspace_id, name, delta)
    select old.workspace_id, label, -1 from unnest(old.labels) as label;
  end if;
  if tg_op <> 'DELETE' then
    insert into label_deltas (workspace_id, name, delta)
    select new.workspace_id, label, 1 from unnest(new.labels) as label;
  end if;
  return null;
end $$;
create trigger conversations_labelled after insert on conversations
for each row when (new.labels <> '{}') execute function count_labels();
create trigger conversations_unlabelled after delete on conversations
for each row when (old.labels <> '{}') execute function count_labels();
create trigger conversations_relabelled after update of labels on conversations
for each row when (old.labels <> new.labels) execute function count_labels();

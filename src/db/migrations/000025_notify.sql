-- compatible-from: 12
-- How people are called to conversations: what they choose, the browsers that get pushes, and what was sent.

-- The key pair by which push services know this installation (VAPID).
alter table installation
  add column push_public_key text,
  add column push_private_key_sealed text;

-- The queue of messages to people carries pushes too. Their recipient is the host of the push service.
alter table notifications
  drop constraint notifications_channel_check,
  drop constraint notifications_check,
  add constraint notifications_channel_check check (channel in ('email', 'slack', 'push')),
  add constraint notifications_recipient_check check ((channel = 'slack') = (recipient is null));

-- What a person wants to be notified of in a workspace; without a row: everything, at any hour.
create table notification_settings (
  workspace_id bigint not null,
  user_id bigint not null,
  assigned boolean not null default true,
  unassigned boolean not null default true,
  mentions boolean not null default true,
  mention_mail boolean not null default true,
  sound boolean not null default true,
  -- Local times as HH:MM; the end may be before the start, on the next day.
  quiet_from text,
  quiet_to text,
  time_zone text,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references memberships (workspace_id, user_id) on delete cascade,
  check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (time_zone is null))
);

-- The browser of a session; it ends with it. Who knows the address of a subscription can send to it: it is sealed.
create table push_subscriptions (
  session_id bigint primary key references sessions (id) on delete cascade,
  uuid uuid not null unique,
  endpoint_digest bytea not null unique check (octet_length(endpoint_digest) = 32),
  host text not null,
  subscription_sealed text not null,
  created_at timestamptz not null default now()
);

-- Up to which event the messages of a workspace were looked at, where a member gets pushes.
create table notice_positions (
  workspace_id bigint primary key references workspaces (id),
  position bigint not null
);

-- The message of which a person was notified last: the next follows when it was read.
create table conversation_notices (
  workspace_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null,
  seq bigint not null,
  primary key (workspace_id, conversation_id, user_id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references memberships (workspace_id, user_id) on delete cascade
);
-- For the foreign key: removing a member reads no other rows.
create index conversation_notices_member on conversation_notices (workspace_id, user_id);

-- Whether an e-mail said that the note means this person; null: not decided yet.
alter table message_mentions add column mailed boolean default false;
alter table message_mentions alter column mailed drop default;
create index message_mentions_undecided on message_mentions (message_id) where mailed is null;
-- Whether a conversation mentions a person.
create index message_mentions_conversation on message_mentions (workspace_id, conversation_id, user_id);

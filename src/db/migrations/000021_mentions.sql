-- compatible-from: 12
-- Who is meant by a note: ids of members, as the message shows them; null: nobody.
alter table messages add column mentions bigint[];

-- The same by member, without the author: what mentions me, newest first. One who leaves the workspace is no longer meant.
create table message_mentions (
  workspace_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  conversation_id bigint not null,
  seq bigint not null,
  primary key (workspace_id, user_id, message_id),
  foreign key (workspace_id, user_id) references memberships (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete cascade
);
create index message_mentions_message on message_mentions (workspace_id, message_id);

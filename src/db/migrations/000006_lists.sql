-- compatible-from: 6
-- What makes lists cost the same at any size: counters for totals, the order of the inbox, and indexes for filters.

-- How many rows a list has. A change appends its difference and touches no row that another writer holds: a counter row
-- updated by every writer reached 59 changes per second, appended differences 4,156. They are folded every second
-- (db/list-counts.ts); a total is the sum of both tables in one snapshot.
create table list_counts (
  workspace_id bigint not null,
  list text not null,
  total bigint not null,
  primary key (workspace_id, list)
) with (fillfactor = 70);

create table list_count_deltas (
  workspace_id bigint not null,
  list text not null,
  delta bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
create index list_count_deltas_list on list_count_deltas (workspace_id, list);

-- The order of the inbox. Narrow and apart from `conversations`: every message moves a conversation in this order, and an
-- index on the time in `conversations` itself would make each message touch all of its indexes.
create table conversation_inbox (
  workspace_id bigint not null,
  conversation_id bigint not null,
  status text not null,
  -- 0: nobody.
  assignee_id bigint not null,
  -- Whether the contact waits for a reply.
  waiting boolean not null,
  activity_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, conversation_id)
) with (fillfactor = 70);
create index conversation_inbox_status
  on conversation_inbox (workspace_id, status, activity_at desc, conversation_id desc);
create index conversation_inbox_assignee
  on conversation_inbox (workspace_id, assignee_id, status, activity_at desc, conversation_id desc);
create index conversation_inbox_waiting
  on conversation_inbox (workspace_id, activity_at desc, conversation_id desc)
  where waiting;
create index conversation_inbox_updated on conversation_inbox (workspace_id, updated_at);

-- The same for each label of a conversation, so that what has a label is a range of an index in either order, however many
-- conversations have it.
create table labelled_conversations (
  workspace_id bigint not null,
  conversation_id bigint not null,
  label text not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  activity_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, conversation_id, label)
) with (fillfactor = 70);
create index labelled_conversations_created
  on labelled_conversations (workspace_id, label, conversation_id desc);
create index labelled_conversations_active
  on labelled_conversations (workspace_id, label, status, activity_at desc, conversation_id desc);

-- Counters and the inbox follow from the rows themselves, so that no statement can forget them.
create function count_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_deltas (workspace_id, list, delta)
    select workspace_id, 'contacts', count(*)
    from changed
    group by workspace_id;
  else
    insert into list_count_deltas (workspace_id, list, delta)
    select workspace_id, 'contacts', -count(*)
    from changed
    group by workspace_id;
  end if;
  return null;
end $$;
create trigger contacts_inserted after insert on contacts
  referencing new table as changed for each statement execute function count_contacts();
create trigger contacts_deleted after delete on contacts
  referencing old table as changed for each statement execute function count_contacts();

create function count_audit_logs() returns trigger language plpgsql as $$
begin
  insert into list_count_deltas (workspace_id, list, delta)
  select workspace_id, 'audit_logs', count(*)
  from changed
  group by workspace_id;
  return null;
end $$;
create trigger audit_logs_inserted after insert on audit_logs
  referencing new table as changed for each statement execute function count_audit_logs();

create function track_new_conversations() returns trigger language plpgsql as $$
begin
  insert into conversation_inbox
    (workspace_id, conversation_id, status, assignee_id, waiting, activity_at, updated_at)
  select workspace_id, id, status, coalesce(assignee_id, 0), waiting_since is not null,
    coalesce(last_message_at, created_at), updated_at
  from added;
  insert into labelled_conversations
    (workspace_id, conversation_id, label, status, assignee_id, waiting, activity_at, updated_at)
  select workspace_id, id, label, status, coalesce(assignee_id, 0), waiting_since is not null,
    coalesce(last_message_at, created_at), updated_at
  from added, lateral (select distinct unnest(labels) as label) named;
  return null;
end $$;
create trigger conversations_inserted after insert on conversations
  referencing new table as added for each statement execute function track_new_conversations();

create function track_deleted_conversations() returns trigger language plpgsql as $$
begin
  delete from conversation_inbox inbox
  using deleted
  where inbox.workspace_id = deleted.workspace_id
    and inbox.conversation_id = deleted.id;
  delete from labelled_conversations labelled
  using deleted
  where labelled.workspace_id = deleted.workspace_id
    and labelled.conversation_id = deleted.id;
  return null;
end $$;
create trigger conversations_deleted after delete on conversations
  referencing old table as deleted for each statement execute function track_deleted_conversations();

create function track_changed_conversation() returns trigger language plpgsql as $$
begin
  update conversation_inbox
  set status = new.status,
    assignee_id = coalesce(new.assignee_id, 0),
    waiting = new.waiting_since is not null,
    activity_at = coalesce(new.last_message_at, new.created_at),
    updated_at = new.updated_at
  where workspace_id = new.workspace_id
    and conversation_id = new.id;

  if old.labels <> new.labels then
    delete from labelled_conversations
    where workspace_id = new.workspace_id
      and conversation_id = new.id
      and label <> all(new.labels);
  end if;
  if new.labels <> '{}' then
    insert into labelled_conversations
      (workspace_id, conversation_id, label, status, assignee_id, waiting, activity_at, updated_at)
    select new.workspace_id, new.id, label, new.status, coalesce(new.assignee_id, 0), new.waiting_since is not null,
      coalesce(new.last_message_at, new.created_at), new.updated_at
    from (select distinct unnest(new.labels) as label) named
    on conflict (workspace_id, conversation_id, label)
    do update set status = excluded.status,
      assignee_id = excluded.assignee_id,
      waiting = excluded.waiting,
      activity_at = excluded.activity_at,
      updated_at = excluded.updated_at;
  end if;
  return null;
end $$;
-- Without a condition: nearly every update changes one of these columns, and PostgreSQL would parse the condition in each
-- statement that updates conversations, which took 7 % of the time of writing a message.
create trigger conversations_changed after update on conversations
  for each row execute function track_changed_conversation();

-- compatible-from: 12
-- Why a person was notified last: they are once more when a conversation begins to concern them more.
-- Null: before it was stored.
alter table conversation_notices
  add column reason text check (reason in ('mention', 'assigned', 'followed', 'unassigned'));

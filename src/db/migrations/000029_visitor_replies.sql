-- compatible-from: 12
-- An index on what every message changes makes each of them write to all indexes of its conversation. Only a reply to a
-- visitor changes this column.

alter table conversations
  -- When the visitor of a widget got the newest reply; null when it is certain that no mail about it is due.
  add column visitor_reply_at timestamptz;
update conversations
set visitor_reply_at = last_message_at
where widget_id is not null
  and contact_read_seq < last_seq
  and visitor_mailed_seq < last_seq
  and last_message_at > now() - interval '1 day';
drop index conversations_visitor_mail;
-- Over all workspaces, for the look at what has not been seen: conversations leave it when they are seen or mailed.
create index conversations_visitor_reply on conversations (visitor_reply_at) where visitor_reply_at is not null;

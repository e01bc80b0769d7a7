-- compatible-from: 12
-- Mail to visitors of widgets who have not seen a reply.

alter table conversations
  -- Up to which message its visitor has been written to by mail, or nothing was to be written.
  add column visitor_mailed_seq bigint not null default 0;
-- Over all workspaces, for the look at what has not been seen: conversations leave it when they are seen or mailed.
create index conversations_visitor_mail on conversations (last_message_at)
  where widget_id is not null and contact_read_seq < last_seq and visitor_mailed_seq < last_seq;

-- Of a mail without a message of its own: it goes with its conversation.
alter table outgoing_mails
  add column conversation_id bigint,
  add foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade;
create index outgoing_mails_conversation on outgoing_mails (workspace_id, conversation_id, id)
  where conversation_id is not null;

alter table widgets
  add foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete set null (mailbox_id);
create index widgets_mailbox on widgets (workspace_id, mailbox_id) where mailbox_id is not null;

-- compatible-from: 12
-- Finished mails without a message of their own are removed after a time.
create index outgoing_mails_finished on outgoing_mails (updated_at)
  where message_id is null and next_attempt_at is null;

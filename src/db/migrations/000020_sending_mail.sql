-- compatible-from: 12
-- Sending mail: what the queue of 000016 needs in addition.

alter table outgoing_mails
  -- From when on the hours count after which it is no longer tried; set again when it is sent again.
  add column queued_at timestamptz not null default now(),
  -- When its bytes were last being handed over, for the limit per hour.
  add column begun_at timestamptz;
drop index outgoing_mails_mailbox;
create index outgoing_mails_begun on outgoing_mails (workspace_id, mailbox_id, begun_at);
-- Whether a mailbox has something to send is asked for each mailbox.
drop index outgoing_mails_due;
create index outgoing_mails_due on outgoing_mails (workspace_id, mailbox_id, next_attempt_at)
  where next_attempt_at is not null and claim_token is null;

-- Apart from the error of receiving: each half clears its own.
alter table mailbox_states
  add column sending_error text,
  add column sending_failing_since timestamptz;

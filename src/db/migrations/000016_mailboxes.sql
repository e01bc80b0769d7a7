-- compatible-from: 12
-- The e-mail channel: mailboxes, what came in through them, and what goes out. See src/email/README.md.

create table mailboxes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  name text not null,
  -- As it was written; compared without case.
  address text not null,
  from_name text,
  -- What the API shows of both: everything but the secrets.
  inbound jsonb,
  outbound jsonb,
  dkim jsonb,
  -- Sealed JSON: { password } or { client_secret, refresh_token }; for dkim { private_key }.
  inbound_sealed text,
  outbound_sealed text,
  dkim_sealed text,
  authserv_id text,
  signature text not null default '',
  own_lists text[] not null default '{}',
  paused boolean not null default false,
  -- Grows with every change of the settings: a process that uses them notices that they are no longer valid.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, uuid)
);
create unique index mailboxes_address on mailboxes (workspace_id, lower(address));
-- Over all workspaces: Parley's own receiver knows only the address, and through the operator's mail server no workspace may
-- send in the name of another.
create unique index mailboxes_smtp_address on mailboxes (lower(address)) where inbound ->> 'type' = 'smtp';
create unique index mailboxes_shared_outbound on mailboxes (lower(address)) where outbound is null;

-- What changes by itself, apart from the settings. One node at a time owns a mailbox: the lease says which one. The unique
-- keys below keep a second one, which still believes that it owns the mailbox, from storing anything twice.
create table mailbox_states (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  lease_owner uuid,
  lease_until timestamptz,
  -- Up to where the folder has been read. Null: not yet.
  uidvalidity bigint,
  uid bigint,
  -- From when on mail counts that is found after a change of UIDVALIDITY.
  started_at timestamptz not null default now(),
  -- The import of older mail, which runs next to new mail: { uidvalidity, next_uid, last_uid, total, done }.
  import jsonb,
  is_connected boolean not null default false,
  error text,
  failing_since timestamptz,
  last_synced_at timestamptz,
  last_message_at timestamptz,
  unseen_on_server integer,
  primary key (workspace_id, mailbox_id),
  foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete cascade
) with (fillfactor = 70);

-- Every mail that came in, by the digest of its bytes without the headers that the way adds. It stays when its message is
-- deleted: the mail is then known and is not stored again.
create table mails_in (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  digest bytea not null,
  -- Null: deleted since.
  message_id bigint,
  raw_file_id bigint,
  -- Which attachment an image in the HTML means: { content id: file id }.
  content_ids jsonb,
  received_at timestamptz not null default now(),
  primary key (workspace_id, mailbox_id, digest),
  foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete set null (message_id)
);
create index mails_in_message on mails_in (workspace_id, message_id) where message_id is not null;

-- What has been read of a folder, by its numbers on the server. Only the last ones are kept: servers may show a number late.
create table mailbox_uids (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  uidvalidity bigint not null,
  uid bigint not null,
  primary key (workspace_id, mailbox_id, uidvalidity, uid),
  foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete cascade
);

-- Message-IDs of mails in and out, as digests, by which replies find their conversation. An id may occur twice.
create table mail_ids (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  id_digest bytea not null,
  message_id bigint not null,
  primary key (workspace_id, mailbox_id, id_digest, message_id),
  foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete cascade
);
create index mail_ids_message on mail_ids (workspace_id, message_id);

-- Who takes part in a conversation by mail: From, To and Cc of its mails, in lower case.
create table conversation_addresses (
  workspace_id bigint not null,
  conversation_id bigint not null,
  address text not null,
  primary key (workspace_id, conversation_id, address),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
);

alter table conversations add column mailbox_id bigint,
  add foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete set null (mailbox_id);
create index conversations_mailbox on conversations (workspace_id, mailbox_id, id desc) where mailbox_id is not null;

-- As the API shows them. `delivery` repeats what the tables below know, so that reading messages needs no join.
alter table messages add column email jsonb,
  add column quoted text,
  add column delivery jsonb;

-- Mail that goes out. Its bytes are fixed in the transaction of the message: a file of the message.
create table outgoing_mails (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailbox_id bigint not null,
  -- Null: a mail that is not a message of its own, such as the one with several replies to a visitor.
  message_id bigint,
  raw_file_id bigint not null,
  -- The Message-ID without its brackets.
  header_id text not null,
  is_automatic boolean not null default false,
  attempts integer not null default 0,
  -- Null: nothing is left to send.
  next_attempt_at timestamptz,
  -- Who is sending it. The claim is committed before anything is sent.
  claim_token uuid,
  claimed_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, mailbox_id) references mailboxes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, message_id) references messages (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create unique index outgoing_mails_message on outgoing_mails (workspace_id, message_id) where message_id is not null;
-- Over all workspaces, for the sender.
create index outgoing_mails_due on outgoing_mails (next_attempt_at) where next_attempt_at is not null;
create index outgoing_mails_claimed on outgoing_mails (claimed_at) where claim_token is not null;
-- For the limit per hour.
create index outgoing_mails_mailbox on outgoing_mails (workspace_id, mailbox_id, created_at);

create table outgoing_recipients (
  workspace_id bigint not null,
  mail_id bigint not null,
  position integer not null,
  address text not null,
  kind text not null check (kind in ('to', 'cc', 'bcc')),
  state text not null default 'pending'
    check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'bounced')),
  error text,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, mail_id, position),
  foreign key (workspace_id, mail_id) references outgoing_mails (workspace_id, id) on delete cascade
) with (fillfactor = 70);

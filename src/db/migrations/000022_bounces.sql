-- compatible-from: 12
-- A delivery report names the mail by its Message-ID.
create index outgoing_mails_header on outgoing_mails (workspace_id, mailbox_id, header_id);

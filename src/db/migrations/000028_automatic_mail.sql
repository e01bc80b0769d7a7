-- compatible-from: 12
-- The limit of automatic mail per address and hour counts those that were being handed over.
create index outgoing_mails_automatic on outgoing_mails (workspace_id, begun_at) where is_automatic;

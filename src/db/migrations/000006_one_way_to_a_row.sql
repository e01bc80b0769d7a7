-- One index for each way in which a row of the queue is found. While a table is empty, every index that begins with the
-- workspace looks as good as the primary key, and a plan that was made then, and kept, read all rows of the workspace for
-- each delivery. Ids and uuids are unique by themselves, so nothing but the primary key has to begin with the workspace;
-- the others also become smaller by it. Where one has to (events_since), the younger of two equals is taken.
drop index deliveries_ready;
create index deliveries_ready on deliveries (webhook_id, next_attempt_at);
alter table deliveries drop constraint deliveries_workspace_id_event_id_webhook_id_key, add unique (webhook_id, event_id);
alter table webhooks drop constraint webhooks_workspace_id_uuid_key, add unique (uuid);
alter table events drop constraint events_workspace_id_uuid_key, add unique (uuid);
alter table events drop constraint events_pkey, add primary key (workspace_id, id);

-- Less work in the database for each delivery.

-- A claim changes no indexed column any more: it stays on its page and touches no index (a HOT update), for which half of
-- a page is kept free. The claims of a worker that died are found through the lanes that have any. Nobody works while the
-- schema changes, so what is still claimed was claimed by the dead.
alter sequence delivery_lease_seq cache 64;
update deliveries set worker_id = null, lease_token = null where worker_id is not null;
update delivery_lanes set in_flight = 0 where in_flight <> 0;
drop index deliveries_claimed;
drop index deliveries_ready;
create index deliveries_ready on deliveries (workspace_id, webhook_id, next_attempt_at);
alter table deliveries set (fillfactor = 50);

-- A success stands in the log, which lives at least as long as its event. Only what ended without one is remembered
-- apart: it may have been canceled before its first attempt.
delete from delivery_outcomes where delivered;
alter table delivery_outcomes drop column delivered;
alter table delivery_outcomes rename to deliveries_given_up;
alter index delivery_outcomes_pkey rename to deliveries_given_up_pkey;

-- Every reader of the log names its webhook. The detail is written and read whole, so nobody has to parse it here.
drop index delivery_attempts_id;
alter table delivery_attempts alter column detail type text;

-- Failures are few and often asked for: the list of them need not read a log of successes.
create index delivery_attempts_failed on delivery_attempts (workspace_id, webhook_id, id desc) where not delivered;

-- compatible-from: 11
-- Creating a day of the log makes nobody wait.

-- As before, but the table is created on its own and then attached. `create table … partition of` locks the whole log: it
-- waits for a backup to finish reading it, and all deliveries and log pages wait behind it. Attaching shares its lock with
-- everybody who reads or writes.
create or replace function create_attempt_partition(day date) returns void language plpgsql as $$
declare
  partition_name text := 'delivery_attempts_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(partition_name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('parley.partitions'));
  -- Another node may have created it while this one waited.
  if to_regclass(partition_name) is not null then
    return;
  end if;
  execute format(
    'create table %I (like delivery_attempts including defaults including constraints including storage)'
    ' with (autovacuum_analyze_scale_factor = 1)',
    partition_name);
  execute format(
    'alter table delivery_attempts attach partition %I for values from (%L) to (%L)',
    partition_name, day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
end $$;

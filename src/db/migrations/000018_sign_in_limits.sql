-- compatible-from: 12
-- Failed sign-ins, counted over all nodes.

-- Wrong codes after a right password, per user: an attacker with many addresses is slowed down too.
create table second_factor_failures (
  user_id bigint primary key references users (id) on delete cascade,
  -- Since the last right code; decides how long the next guess waits.
  failures integer not null check (failures >= 0),
  wait_until timestamptz not null,
  -- Since the user last dismissed the notice under Account security.
  unseen integer not null check (unseen >= 0),
  last_failed_at timestamptz not null,
  last_ip text
);

-- Attempts in the current window of each client address, and of each person from it (db/attempt-counters.ts).
create unlogged table attempt_counters (
  name text primary key,
  window_start timestamptz not null,
  attempts integer not null check (attempts >= 0)
) with (fillfactor = 50);
create index attempt_counters_age on attempt_counters (window_start);

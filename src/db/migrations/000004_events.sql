-- compatible-from: 4
-- Events: what happened, stored once, in the transaction of the change. `payload` is the exact body every webhook gets.
create table events (
  workspace_id bigint not null,
  id bigint generated always as identity,
  uuid uuid not null,
  type text not null,
  -- Who caused it, where that was an API key: `skip_own_events` asks.
  api_key_id bigint,
  payload text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (uuid)
);
create index events_age on events (created_at);
-- Partial, although every row has a time: PostgreSQL considers it only for statements that compare the time. Otherwise
-- it looks as good as the primary key for finding an event by its id while the table is empty, and a plan that was made
-- then, and kept, reads all events of the workspace.
create index events_since on events (workspace_id, created_at) where created_at is not null;

-- The public order of events. A position is assigned after the commit (see events/sequencer.ts), so a transaction that
-- commits late gets a late position instead of being skipped. Deliveries never wait for it.
create table events_unsequenced (
  workspace_id bigint not null,
  event_id bigint not null,
  type text not null,
  conversation_id bigint,
  primary key (workspace_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = false);
create sequence event_position_seq;
create table event_positions (
  workspace_id bigint not null,
  position bigint not null,
  event_id bigint not null,
  type text not null,
  -- The conversation that the event is about; null for other events.
  conversation_id bigint,
  primary key (workspace_id, position)
);
create index event_positions_event on event_positions (workspace_id, event_id);
-- The events of one type, however rare, in their order.
create index event_positions_type on event_positions (workspace_id, type, position);
-- What happened in one conversation. Written by the sequencer, so that no request waits for it.
create index event_positions_conversation on event_positions (workspace_id, conversation_id, position)
  where conversation_id is not null;

-- Which trace an event belongs to, where tracing is on: its deliveries continue it. Not worth a write to the disk.
create unlogged table event_traces (
  event_uuid uuid primary key,
  traceparent text not null,
  created_at timestamptz not null default now()
);
create index event_traces_age on event_traces (created_at);

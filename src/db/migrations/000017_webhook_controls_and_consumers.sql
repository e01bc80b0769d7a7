-- compatible-from: 12
-- What a webhook gets: `filter` as it was given and compiled, `template` for the body, `rate_limit` in deliveries per
-- second. `json` and not `jsonb`: they are shown in the order in which they were written.
alter table webhooks
  add column filter json,
  add column filter_path jsonpath,
  add column template json,
  add column rate_limit integer;

-- The webhook's setting, where a claim reads it under the lock of the lane, and until when what was claimed has used it up.
alter table delivery_lanes
  add column rate_limit integer,
  add column rate_paid_until timestamptz;

-- Readers of events whose position is kept here. They see what their creator may see: `sees_api_key_events`.
create table consumers (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  types text[],
  filter json,
  filter_path jsonpath,
  sees_api_key_events boolean not null,
  -- Of the last acknowledged event, in the public order.
  position bigint not null,
  -- Whether retention has deleted events after that position.
  missed boolean not null default false,
  last_read_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, name),
  foreign key (workspace_id) references workspaces (id) on delete cascade
);

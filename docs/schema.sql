-- The schema as all migrations leave it, read from a migrated PostgreSQL. Generated: change a file in
-- src/db/migrations and run `npm run generate`. The daily partitions of the log are left out.


create extension btree_gin;

create extension pg_trgm;

create sequence delivery_attempt_seq start 1 increment 1 cache 1;

create sequence event_position_seq start 1 increment 1 cache 1;

create domain conversation_channel as text constraint conversation_channel_check CHECK ((VALUE = ANY (ARRAY['api'::text, 'widget'::text, 'email'::text])));

create domain conversation_priority as text constraint conversation_priority_check CHECK ((VALUE = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text])));

create domain conversation_status as text constraint conversation_status_check CHECK ((VALUE = ANY (ARRAY['open'::text, 'pending'::text, 'snoozed'::text, 'resolved'::text])));

create domain message_direction as text constraint message_direction_check CHECK ((VALUE = ANY (ARRAY['in'::text, 'out'::text])));

create domain message_sender_type as text constraint message_sender_type_check CHECK ((VALUE = ANY (ARRAY['contact'::text, 'user'::text, 'api_key'::text, 'bot'::text, 'system'::text])));

create table alert_checks (
  singleton boolean not null default true,
  checked_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint alert_checks_pkey PRIMARY KEY (singleton),
  constraint alert_checks_singleton_check CHECK (singleton)
);

create table alert_settings (
  workspace_id bigint not null,
  email_enabled boolean not null default true,
  slack_url_sealed text,
  updated_at timestamp with time zone not null default now(),
  constraint alert_settings_pkey PRIMARY KEY (workspace_id)
);

create table alert_states (
  workspace_id bigint not null,
  kind text not null,
  subject_id bigint not null,
  stage text not null,
  since timestamp with time zone not null default now(),
  constraint alert_states_pkey PRIMARY KEY (workspace_id, kind, subject_id)
);

create table api_key_digests (
  digest bytea not null,
  workspace_id bigint not null,
  api_key_id bigint not null,
  valid_until timestamp with time zone,
  constraint api_key_digests_pkey PRIMARY KEY (digest),
  constraint api_key_digests_digest_check CHECK ((octet_length(digest) = 32)),
  constraint api_key_digests_workspace_id_api_key_id_fkey FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys(workspace_id, id)
);
CREATE INDEX api_key_digests_key ON public.api_key_digests USING btree (workspace_id, api_key_id);

create table api_key_last_used (
  workspace_id bigint not null,
  api_key_id bigint not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_last_used_pkey PRIMARY KEY (workspace_id, api_key_id)
) with (fillfactor=50);

create table api_key_usage (
  workspace_id bigint not null,
  api_key_id bigint not null,
  hour timestamp with time zone not null,
  requests bigint not null,
  errors_4xx bigint not null,
  errors_5xx bigint not null,
  constraint api_key_usage_pkey PRIMARY KEY (workspace_id, api_key_id, hour),
  constraint api_key_usage_errors_4xx_check CHECK ((errors_4xx >= 0)),
  constraint api_key_usage_errors_5xx_check CHECK ((errors_5xx >= 0)),
  constraint api_key_usage_requests_check CHECK ((requests >= 0))
) with (fillfactor=70);
CREATE INDEX api_key_usage_hour ON public.api_key_usage USING btree (workspace_id, hour);

create table api_keys (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  description text not null default ''::text,
  type text not null,
  abilities text[] not null,
  rate_limit_tier text not null,
  paused boolean not null default false,
  allowed_ips text[],
  secret_prefix text,
  last_four text,
  creator_type text,
  creator_id bigint,
  creator_name text,
  bootstrap boolean not null default false,
  revision bigint not null default 0,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  rotated_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (workspace_id, id),
  constraint api_keys_abilities_check CHECK ((cardinality(abilities) > 0)),
  constraint api_keys_creator_type_check CHECK ((creator_type = ANY (ARRAY['user'::text, 'api_key'::text, 'bot'::text, 'system'::text]))),
  constraint api_keys_type_check CHECK ((type = ANY (ARRAY['full'::text, 'limited'::text, 'webhook'::text, 'bot'::text]))),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint api_keys_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE UNIQUE INDEX api_keys_bootstrap ON public.api_keys USING btree (bootstrap) WHERE bootstrap;
CREATE INDEX api_keys_creator ON public.api_keys USING btree (workspace_id, creator_type, creator_id) WHERE (creator_id IS NOT NULL);
CREATE INDEX api_keys_expiry ON public.api_keys USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX api_keys_revision ON public.api_keys USING btree (revision) WHERE (revision > 0);

create unlogged table attempt_counters (
  name text not null,
  window_start timestamp with time zone not null,
  attempts integer not null,
  constraint attempt_counters_pkey PRIMARY KEY (name),
  constraint attempt_counters_attempts_check CHECK ((attempts >= 0))
) with (fillfactor=50);
CREATE INDEX attempt_counters_age ON public.attempt_counters USING btree (window_start);

create table audit_logs (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  actor_type text not null,
  actor_id bigint,
  actor_name text,
  action text not null,
  resource_type text not null,
  resource_id bigint not null,
  ip text,
  request_id text,
  changes jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint audit_logs_pkey PRIMARY KEY (workspace_id, id),
  constraint audit_logs_actor_type_check CHECK ((actor_type = ANY (ARRAY['contact'::text, 'user'::text, 'api_key'::text, 'bot'::text, 'system'::text])))
);
CREATE INDEX audit_logs_action ON public.audit_logs USING btree (workspace_id, action, id DESC);
CREATE INDEX audit_logs_actor ON public.audit_logs USING btree (workspace_id, actor_id, id DESC);
CREATE INDEX audit_logs_created ON public.audit_logs USING btree (workspace_id, created_at);
CREATE INDEX audit_logs_resource ON public.audit_logs USING btree (workspace_id, resource_type, resource_id, id DESC);
CREATE INDEX audit_logs_resource_id ON public.audit_logs USING btree (workspace_id, resource_id, id DESC);
CREATE INDEX audit_logs_type ON public.audit_logs USING btree (workspace_id, resource_type, id DESC);
CREATE TRIGGER audit_logs_inserted AFTER INSERT ON public.audit_logs REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_audit_logs();

create table auth_revision (
  singleton boolean not null default true,
  value bigint not null,
  constraint auth_revision_pkey PRIMARY KEY (singleton),
  constraint auth_revision_singleton_check CHECK (singleton)
);

create table consumers (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  types text[],
  filter json,
  filter_path jsonpath,
  sees_api_key_events boolean not null,
  position bigint not null,
  missed boolean not null default false,
  last_read_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint consumers_pkey PRIMARY KEY (workspace_id, id),
  constraint consumers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint consumers_workspace_id_name_key UNIQUE (workspace_id, name)
);

create table contact_notes (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  contact_id bigint not null,
  author_id bigint not null,
  author_name text not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  constraint contact_notes_pkey PRIMARY KEY (workspace_id, id),
  constraint contact_notes_workspace_id_contact_id_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_notes_contact ON public.contact_notes USING btree (workspace_id, contact_id, id DESC);

create table contacts (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  external_id text,
  name text,
  email text,
  phone text,
  attributes jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  blocked boolean not null default false,
  unverified_email text,
  constraint contacts_pkey PRIMARY KEY (workspace_id, id),
  constraint contacts_workspace_id_external_id_key UNIQUE (workspace_id, external_id),
  constraint contacts_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE INDEX contacts_email ON public.contacts USING btree (workspace_id, lower(email), id DESC);
CREATE INDEX contacts_part ON public.contacts USING gin (workspace_id, lower(contact_text(name, email, phone, external_id)) gin_trgm_ops);
CREATE INDEX contacts_search ON public.contacts USING gin (search_terms(workspace_id, id, contact_text(name, email, phone, external_id)));
CREATE INDEX contacts_updated ON public.contacts USING btree (workspace_id, updated_at);
alter index contacts_search alter column 1 set statistics 0;
CREATE TRIGGER contacts_deleted AFTER DELETE ON public.contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER contacts_inserted AFTER INSERT ON public.contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();

create table conversation_addresses (
  workspace_id bigint not null,
  conversation_id bigint not null,
  address text not null,
  constraint conversation_addresses_pkey PRIMARY KEY (workspace_id, conversation_id, address),
  constraint conversation_addresses_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE
);

create table conversation_counts (
  workspace_id bigint not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  conversations bigint not null,
  constraint conversation_counts_pkey PRIMARY KEY (workspace_id, status, assignee_id, waiting)
) with (fillfactor=70);

create table conversation_deltas (
  id bigint not null generated always as identity,
  workspace_id bigint not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  delta integer not null,
  constraint conversation_deltas_pkey PRIMARY KEY (id)
);
CREATE INDEX conversation_deltas_workspace ON public.conversation_deltas USING btree (workspace_id);

create table conversation_inbox (
  workspace_id bigint not null,
  conversation_id bigint not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  activity_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint conversation_inbox_pkey PRIMARY KEY (workspace_id, conversation_id)
) with (fillfactor=70);
CREATE INDEX conversation_inbox_assignee ON public.conversation_inbox USING btree (workspace_id, assignee_id, status, activity_at DESC, conversation_id DESC);
CREATE INDEX conversation_inbox_status ON public.conversation_inbox USING btree (workspace_id, status, activity_at DESC, conversation_id DESC);
CREATE INDEX conversation_inbox_updated ON public.conversation_inbox USING btree (workspace_id, updated_at);
CREATE INDEX conversation_inbox_waiting ON public.conversation_inbox USING btree (workspace_id, activity_at DESC, conversation_id DESC) WHERE waiting;

create table conversation_notices (
  workspace_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null,
  seq bigint not null,
  reason text,
  constraint conversation_notices_pkey PRIMARY KEY (workspace_id, conversation_id, user_id),
  constraint conversation_notices_reason_check CHECK ((reason = ANY (ARRAY['mention'::text, 'assigned'::text, 'followed'::text, 'unassigned'::text]))),
  constraint conversation_notices_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  constraint conversation_notices_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX conversation_notices_member ON public.conversation_notices USING btree (workspace_id, user_id);

create table conversation_reads (
  workspace_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  read_seq bigint not null,
  constraint conversation_reads_pkey PRIMARY KEY (workspace_id, user_id, conversation_id),
  constraint conversation_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint conversation_reads_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX conversation_reads_conversation ON public.conversation_reads USING btree (workspace_id, conversation_id);

create table conversation_stat_deltas (
  workspace_id bigint not null,
  hour timestamp with time zone not null,
  kind text not null,
  seconds integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);

create table conversation_stats (
  workspace_id bigint not null,
  hour timestamp with time zone not null,
  kind text not null,
  seconds integer not null,
  amount bigint not null,
  constraint conversation_stats_pkey PRIMARY KEY (workspace_id, hour, kind, seconds),
  constraint conversation_stats_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'sent'::text, 'note'::text, 'first_response'::text])))
) with (fillfactor=70);

create table conversations (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  contact_id bigint not null,
  assignee_id bigint,
  subject text,
  status conversation_status not null default 'open'::text,
  snoozed_until timestamp with time zone,
  priority conversation_priority,
  channel conversation_channel not null default 'api'::text,
  labels text[] not null default '{}'::text[],
  attributes jsonb not null default '{}'::jsonb,
  last_seq bigint not null default 0,
  last_in_seq bigint not null default 0,
  messages_deleted bigint not null default 0,
  last_message_at timestamp with time zone,
  waiting_since timestamp with time zone,
  first_response_seconds integer,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  widget_id bigint,
  page jsonb,
  contact_read_seq bigint not null default 0,
  mailbox_id bigint,
  visitor_mailed_seq bigint not null default 0,
  visitor_reply_at timestamp with time zone,
  constraint conversations_pkey PRIMARY KEY (workspace_id, id),
  constraint conversations_check CHECK (((snoozed_until IS NULL) OR ((status)::text = 'snoozed'::text))),
  constraint conversations_first_response_seconds_check CHECK ((first_response_seconds >= 0)),
  constraint conversations_last_in_seq_check CHECK ((last_in_seq >= 0)),
  constraint conversations_last_seq_check CHECK ((last_seq >= 0)),
  constraint conversations_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint conversations_workspace_id_contact_id_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
  constraint conversations_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE SET NULL (mailbox_id),
  constraint conversations_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
) with (fillfactor=80);
CREATE INDEX conversations_assignee ON public.conversations USING btree (workspace_id, assignee_id, status, id DESC);
CREATE INDEX conversations_channel ON public.conversations USING btree (workspace_id, channel, id DESC);
CREATE INDEX conversations_contact ON public.conversations USING btree (workspace_id, contact_id, id DESC);
CREATE INDEX conversations_mailbox ON public.conversations USING btree (workspace_id, mailbox_id, id DESC) WHERE (mailbox_id IS NOT NULL);
CREATE INDEX conversations_part ON public.conversations USING gin (workspace_id, lower(subject) gin_trgm_ops);
CREATE INDEX conversations_priority ON public.conversations USING btree (workspace_id, priority, id DESC) WHERE (priority IS NOT NULL);
CREATE INDEX conversations_search ON public.conversations USING gin (search_terms(workspace_id, id, subject));
CREATE INDEX conversations_snoozed_until ON public.conversations USING btree (snoozed_until) WHERE (snoozed_until IS NOT NULL);
CREATE INDEX conversations_status ON public.conversations USING btree (workspace_id, status, id DESC);
CREATE INDEX conversations_visitor_reply ON public.conversations USING btree (visitor_reply_at) WHERE (visitor_reply_at IS NOT NULL);
CREATE INDEX conversations_widget ON public.conversations USING btree (workspace_id, widget_id, id DESC) WHERE (widget_id IS NOT NULL);
alter index conversations_search alter column 1 set statistics 0;
CREATE TRIGGER conversations_changed AFTER UPDATE ON public.conversations FOR EACH ROW EXECUTE FUNCTION track_changed_conversation();
CREATE TRIGGER conversations_counted AFTER INSERT OR DELETE ON public.conversations FOR EACH ROW EXECUTE FUNCTION count_conversation();
CREATE TRIGGER conversations_deleted AFTER DELETE ON public.conversations REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION track_deleted_conversations();
CREATE TRIGGER conversations_first_response AFTER UPDATE OF first_response_seconds ON public.conversations FOR EACH ROW WHEN (((old.first_response_seconds IS NULL) AND (new.first_response_seconds IS NOT NULL))) EXECUTE FUNCTION count_first_response();
CREATE TRIGGER conversations_inserted AFTER INSERT ON public.conversations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION track_new_conversations();
CREATE TRIGGER conversations_labelled AFTER INSERT ON public.conversations FOR EACH ROW WHEN ((new.labels <> '{}'::text[])) EXECUTE FUNCTION count_labels();
CREATE TRIGGER conversations_recounted AFTER UPDATE OF status, assignee_id, waiting_since ON public.conversations FOR EACH ROW WHEN ((((old.status)::text <> (new.status)::text) OR (old.assignee_id IS DISTINCT FROM new.assignee_id) OR ((old.waiting_since IS NULL) <> (new.waiting_since IS NULL)))) EXECUTE FUNCTION count_conversation();
CREATE TRIGGER conversations_relabelled AFTER UPDATE OF labels ON public.conversations FOR EACH ROW WHEN ((old.labels <> new.labels)) EXECUTE FUNCTION count_labels();
CREATE TRIGGER conversations_unlabelled AFTER DELETE ON public.conversations FOR EACH ROW WHEN ((old.labels <> '{}'::text[])) EXECUTE FUNCTION count_labels();

create table dead_letters (
  workspace_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  constraint dead_letters_pkey PRIMARY KEY (workspace_id, event_id, webhook_id)
);

create table deliveries (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  webhook_id bigint not null,
  event_id bigint not null,
  attempts_made integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  worker_id bigint,
  lease_token bigint,
  order_key bigint,
  constraint deliveries_pkey PRIMARY KEY (workspace_id, id),
  constraint deliveries_attempts_made_check CHECK ((attempts_made >= 0)),
  constraint deliveries_check CHECK (((worker_id IS NULL) = (lease_token IS NULL))),
  constraint deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);
CREATE INDEX deliveries_order ON public.deliveries USING btree (order_key, event_id) WHERE (order_key IS NOT NULL);
CREATE INDEX deliveries_ready ON public.deliveries USING btree (webhook_id, next_attempt_at);

create table delivery_attempts (
  workspace_id bigint not null,
  id bigint not null default nextval('delivery_attempt_seq'::regclass),
  webhook_id bigint not null,
  delivery_id bigint not null,
  event_id bigint not null,
  event_uuid uuid not null,
  event_type text not null,
  delivered boolean not null,
  response_code integer not null,
  response_time_ms integer not null,
  attempt integer not null,
  error_message text,
  next_attempt_at timestamp with time zone,
  detail text not null,
  created_at timestamp with time zone not null default now(),
  constraint delivery_attempts_pkey PRIMARY KEY (workspace_id, webhook_id, id, created_at)
) partition by RANGE (created_at);
CREATE INDEX delivery_attempts_event ON ONLY public.delivery_attempts USING brin (event_id int8_minmax_multi_ops) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX delivery_attempts_failed ON ONLY public.delivery_attempts USING btree (workspace_id, webhook_id, id DESC) WHERE (NOT delivered);
CREATE INDEX delivery_attempts_type ON ONLY public.delivery_attempts USING btree (workspace_id, webhook_id, event_type, delivered, id DESC);

create table delivery_lanes (
  workspace_id bigint not null,
  webhook_id bigint not null,
  in_flight integer not null default 0,
  window_size integer not null default 4,
  failures_without_response integer not null default 0,
  breaker_open_until timestamp with time zone,
  failing_since timestamp with time zone,
  counts_from_version bigint not null default 0,
  ordered boolean not null default false,
  paused boolean not null default false,
  attempts_total bigint not null default 0,
  changes bigint not null default 0,
  generation bigint not null generated always as ((changes / 32)) stored,
  rate_limit integer,
  rate_paid_until timestamp with time zone,
  constraint delivery_lanes_pkey PRIMARY KEY (workspace_id, webhook_id, generation),
  constraint delivery_lanes_attempts_total_check CHECK ((attempts_total >= 0)),
  constraint delivery_lanes_failures_without_response_check CHECK ((failures_without_response >= 0)),
  constraint delivery_lanes_in_flight_check CHECK ((in_flight >= 0)),
  constraint delivery_lanes_window_size_check CHECK (((window_size >= 1) AND (window_size <= 1000))),
  constraint delivery_lanes_workspace_id_webhook_id_fkey FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);

create table delivery_stat_deltas (
  workspace_id bigint not null,
  webhook_id bigint not null,
  hour timestamp with time zone not null,
  event_type text not null,
  delivered boolean not null,
  up_to_ms integer not null,
  attempts bigint not null,
  ended bigint not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);

create table delivery_stats (
  workspace_id bigint not null,
  webhook_id bigint not null,
  hour timestamp with time zone not null,
  event_type text not null,
  delivered boolean not null,
  up_to_ms integer not null,
  attempts bigint not null,
  ended bigint not null,
  constraint delivery_stats_pkey PRIMARY KEY (workspace_id, webhook_id, hour, event_type, delivered, up_to_ms)
) with (fillfactor=70);
CREATE INDEX delivery_stats_hour ON public.delivery_stats USING btree (workspace_id, hour);

create table drafts (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  conversation_id bigint not null,
  author_type text not null,
  author_id bigint not null,
  author_name text,
  private boolean not null default false,
  body text not null,
  attachments jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint drafts_pkey PRIMARY KEY (workspace_id, id),
  constraint drafts_author_type_check CHECK ((author_type = ANY (ARRAY['user'::text, 'api_key'::text, 'bot'::text]))),
  constraint drafts_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  constraint drafts_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
) with (fillfactor=70);
CREATE INDEX drafts_conversation ON public.drafts USING btree (workspace_id, conversation_id, id DESC);
CREATE UNIQUE INDEX drafts_of_person ON public.drafts USING btree (workspace_id, author_id, conversation_id) WHERE (author_type = 'user'::text);

create table event_positions (
  workspace_id bigint not null,
  position bigint not null,
  event_id bigint not null,
  type text not null,
  conversation_id bigint,
  constraint event_positions_pkey PRIMARY KEY (workspace_id, "position")
);
CREATE INDEX event_positions_conversation ON public.event_positions USING btree (workspace_id, conversation_id, "position") WHERE (conversation_id IS NOT NULL);
CREATE INDEX event_positions_event ON public.event_positions USING btree (workspace_id, event_id);
CREATE INDEX event_positions_type ON public.event_positions USING btree (workspace_id, type, "position");

create unlogged table event_traces (
  event_uuid uuid not null,
  traceparent text not null,
  created_at timestamp with time zone not null default now(),
  constraint event_traces_pkey PRIMARY KEY (event_uuid)
);
CREATE INDEX event_traces_age ON public.event_traces USING btree (created_at);

create table events (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  type text not null,
  api_key_id bigint,
  payload text not null,
  created_at timestamp with time zone not null default now(),
  constraint events_pkey PRIMARY KEY (workspace_id, id),
  constraint events_uuid_key UNIQUE (uuid)
);
CREATE INDEX events_age ON public.events USING btree (created_at);
CREATE INDEX events_since ON public.events USING btree (workspace_id, created_at) WHERE (created_at IS NOT NULL);

create table events_unsequenced (
  workspace_id bigint not null,
  event_id bigint not null,
  type text not null,
  conversation_id bigint,
  constraint events_unsequenced_pkey PRIMARY KEY (workspace_id, event_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);

create table file_chunks (
  workspace_id bigint not null,
  file_id bigint not null,
  position integer not null,
  bytes bytea storage external not null,
  constraint file_chunks_pkey PRIMARY KEY (workspace_id, file_id, "position"),
  constraint file_chunks_position_check CHECK (("position" >= 0)),
  constraint file_chunks_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id) REFERENCES files(workspace_id, id) ON DELETE CASCADE
);

create table file_usage (
  workspace_id bigint not null,
  bytes bigint not null,
  constraint file_usage_pkey PRIMARY KEY (workspace_id)
) with (fillfactor=70);

create table files (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  content_type text not null,
  size_bytes bigint,
  sha256 bytea,
  uploader_type text not null,
  uploader_id bigint,
  message_id bigint,
  draft_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint files_pkey PRIMARY KEY (workspace_id, id),
  constraint files_check CHECK (((message_id IS NULL) OR (draft_id IS NULL))),
  constraint files_size_bytes_check CHECK ((size_bytes > 0)),
  constraint files_uploader_type_check CHECK ((uploader_type = ANY (ARRAY['user'::text, 'api_key'::text, 'bot'::text, 'system'::text, 'visitor'::text, 'contact'::text]))),
  constraint files_workspace_id_draft_id_fkey FOREIGN KEY (workspace_id, draft_id) REFERENCES drafts(workspace_id, id) ON DELETE SET NULL (draft_id),
  constraint files_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE,
  constraint files_counted TRIGGER DEFERRABLE,
  constraint files_uuid_key UNIQUE (uuid)
);
CREATE INDEX files_draft ON public.files USING btree (workspace_id, draft_id) WHERE (draft_id IS NOT NULL);
CREATE INDEX files_message ON public.files USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX files_unused ON public.files USING btree (created_at) WHERE ((message_id IS NULL) AND (draft_id IS NULL));
CREATE CONSTRAINT TRIGGER files_counted AFTER UPDATE OF size_bytes ON public.files DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION count_file_bytes();
CREATE TRIGGER files_uncounted AFTER DELETE ON public.files FOR EACH ROW WHEN ((old.size_bytes IS NOT NULL)) EXECUTE FUNCTION count_file_bytes();

create table idempotency_keys (
  workspace_id bigint not null,
  caller_type text not null,
  caller_id bigint not null,
  route text not null,
  idempotency_key text not null,
  request_digest bytea not null,
  status integer,
  response text,
  resource text,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (workspace_id, caller_type, caller_id, route, idempotency_key),
  constraint idempotency_keys_caller_type_check CHECK ((caller_type = ANY (ARRAY['api_key'::text, 'user'::text]))),
  constraint idempotency_keys_check CHECK (((status IS NOT NULL) OR ((response IS NULL) AND (resource IS NULL)))),
  constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 299)))
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table installation (
  singleton boolean not null default true,
  secret_key_id text,
  setup_link_digest bytea,
  cell integer,
  created_at timestamp with time zone not null default now(),
  push_public_key text,
  push_private_key_sealed text,
  constraint installation_pkey PRIMARY KEY (singleton),
  constraint installation_cell_check CHECK (((cell >= 0) AND (cell <= 1023))),
  constraint installation_singleton_check CHECK (singleton)
);

create table invitations (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  digest bytea not null,
  email text not null,
  role text not null,
  invited_by bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (workspace_id, id),
  constraint invitations_digest_check CHECK ((octet_length(digest) = 32)),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text]))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint invitations_digest_key UNIQUE (digest),
  constraint invitations_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE INDEX invitations_by_email ON public.invitations USING btree (email);
CREATE UNIQUE INDEX invitations_email ON public.invitations USING btree (workspace_id, email);
CREATE INDEX invitations_inviter ON public.invitations USING btree (invited_by);

create table known_devices (
  user_id bigint not null,
  digest bytea not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  constraint known_devices_pkey PRIMARY KEY (user_id, digest),
  constraint known_devices_digest_check CHECK ((octet_length(digest) = 32)),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX known_devices_age ON public.known_devices USING btree (last_seen_at);

create table label_counts (
  workspace_id bigint not null,
  name text not null,
  conversations bigint not null,
  constraint label_counts_pkey PRIMARY KEY (workspace_id, name)
) with (fillfactor=70);
CREATE INDEX label_counts_unused ON public.label_counts USING btree (workspace_id) WHERE (conversations = 0);

create table label_deltas (
  id bigint not null generated always as identity,
  workspace_id bigint not null,
  name text not null,
  delta integer not null,
  constraint label_deltas_pkey PRIMARY KEY (id)
);
CREATE INDEX label_deltas_workspace ON public.label_deltas USING btree (workspace_id);

create table labelled_conversations (
  workspace_id bigint not null,
  conversation_id bigint not null,
  label text not null,
  status text not null,
  assignee_id bigint not null,
  waiting boolean not null,
  activity_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint labelled_conversations_pkey PRIMARY KEY (workspace_id, conversation_id, label)
) with (fillfactor=70);
CREATE INDEX labelled_conversations_active ON public.labelled_conversations USING btree (workspace_id, label, status, activity_at DESC, conversation_id DESC);
CREATE INDEX labelled_conversations_created ON public.labelled_conversations USING btree (workspace_id, label, conversation_id DESC);

create table list_count_deltas (
  workspace_id bigint not null,
  list text not null,
  delta bigint not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, vacuum_truncate=false);
CREATE INDEX list_count_deltas_list ON public.list_count_deltas USING btree (workspace_id, list);

create table list_counts (
  workspace_id bigint not null,
  list text not null,
  total bigint not null,
  constraint list_counts_pkey PRIMARY KEY (workspace_id, list)
) with (fillfactor=70);

create table mail_ids (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  id_digest bytea not null,
  message_id bigint not null,
  constraint mail_ids_pkey PRIMARY KEY (workspace_id, mailbox_id, id_digest, message_id),
  constraint mail_ids_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE CASCADE,
  constraint mail_ids_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_ids_message ON public.mail_ids USING btree (workspace_id, message_id);

create table mailbox_states (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  lease_owner uuid,
  lease_until timestamp with time zone,
  uidvalidity bigint,
  uid bigint,
  started_at timestamp with time zone not null default now(),
  import jsonb,
  is_connected boolean not null default false,
  error text,
  failing_since timestamp with time zone,
  last_synced_at timestamp with time zone,
  last_message_at timestamp with time zone,
  unseen_on_server integer,
  sending_error text,
  sending_failing_since timestamp with time zone,
  constraint mailbox_states_pkey PRIMARY KEY (workspace_id, mailbox_id),
  constraint mailbox_states_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);

create table mailbox_uids (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  uidvalidity bigint not null,
  uid bigint not null,
  constraint mailbox_uids_pkey PRIMARY KEY (workspace_id, mailbox_id, uidvalidity, uid),
  constraint mailbox_uids_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE CASCADE
);

create table mailboxes (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  address text not null,
  from_name text,
  inbound jsonb,
  outbound jsonb,
  dkim jsonb,
  inbound_sealed text,
  outbound_sealed text,
  dkim_sealed text,
  authserv_id text,
  signature text not null default ''::text,
  own_lists text[] not null default '{}'::text[],
  paused boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint mailboxes_pkey PRIMARY KEY (workspace_id, id),
  constraint mailboxes_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE UNIQUE INDEX mailboxes_address ON public.mailboxes USING btree (workspace_id, lower(address));
CREATE UNIQUE INDEX mailboxes_shared_outbound ON public.mailboxes USING btree (lower(address)) WHERE (outbound IS NULL);
CREATE UNIQUE INDEX mailboxes_smtp_address ON public.mailboxes USING btree (lower(address)) WHERE ((inbound ->> 'type'::text) = 'smtp'::text);

create table mails_in (
  workspace_id bigint not null,
  mailbox_id bigint not null,
  digest bytea not null,
  message_id bigint,
  raw_file_id bigint,
  content_ids jsonb,
  received_at timestamp with time zone not null default now(),
  constraint mails_in_pkey PRIMARY KEY (workspace_id, mailbox_id, digest),
  constraint mails_in_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE CASCADE,
  constraint mails_in_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE SET NULL (message_id)
);
CREATE INDEX mails_in_message ON public.mails_in USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

create table memberships (
  workspace_id bigint not null,
  user_id bigint not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (workspace_id, user_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text]))),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX memberships_user ON public.memberships USING btree (user_id);

create table message_mentions (
  workspace_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  conversation_id bigint not null,
  seq bigint not null,
  mailed boolean,
  constraint message_mentions_pkey PRIMARY KEY (workspace_id, user_id, message_id),
  constraint message_mentions_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE,
  constraint message_mentions_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX message_mentions_conversation ON public.message_mentions USING btree (workspace_id, conversation_id, user_id);
CREATE INDEX message_mentions_message ON public.message_mentions USING btree (workspace_id, message_id);
CREATE INDEX message_mentions_undecided ON public.message_mentions USING btree (message_id) WHERE (mailed IS NULL);

create table messages (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  conversation_id bigint not null,
  seq bigint not null,
  direction message_direction not null,
  sender_type message_sender_type not null,
  sender_id bigint,
  sender_name text,
  private boolean not null default false,
  body text not null,
  attachments jsonb not null default '[]'::jsonb,
  draft jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  email jsonb,
  quoted text,
  delivery jsonb,
  mentions bigint[],
  constraint messages_pkey PRIMARY KEY (workspace_id, id),
  constraint messages_seq_check CHECK ((seq > 0)),
  constraint messages_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  constraint messages_workspace_id_conversation_id_seq_key UNIQUE (workspace_id, conversation_id, seq),
  constraint messages_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE INDEX messages_private ON public.messages USING btree (workspace_id, conversation_id, seq DESC) WHERE private;
CREATE INDEX messages_search ON public.messages USING gin (search_terms(workspace_id, id, body));
alter index messages_search alter column 1 set statistics 0;

create unlogged table nodes (
  id uuid not null,
  seen_at timestamp with time zone not null,
  constraint nodes_pkey PRIMARY KEY (id)
) with (fillfactor=50);

create table notice_positions (
  workspace_id bigint not null,
  position bigint not null,
  constraint notice_positions_pkey PRIMARY KEY (workspace_id),
  constraint notice_positions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

create table notification_settings (
  workspace_id bigint not null,
  user_id bigint not null,
  assigned boolean not null default true,
  unassigned boolean not null default true,
  mentions boolean not null default true,
  mention_mail boolean not null default true,
  sound boolean not null default true,
  quiet_from text,
  quiet_to text,
  time_zone text,
  constraint notification_settings_pkey PRIMARY KEY (workspace_id, user_id),
  constraint notification_settings_check CHECK ((((quiet_from IS NULL) = (quiet_to IS NULL)) AND ((quiet_from IS NULL) = (time_zone IS NULL)))),
  constraint notification_settings_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE
);

create table notifications (
  id bigint not null generated always as identity,
  uuid uuid not null,
  workspace_id bigint,
  channel text not null,
  recipient text,
  kind text not null,
  content_sealed text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_attempts_check CHECK ((attempts >= 0)),
  constraint notifications_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'slack'::text, 'push'::text]))),
  constraint notifications_recipient_check CHECK (((channel = 'slack'::text) = (recipient IS NULL))),
  constraint notifications_uuid_key UNIQUE (uuid)
) with (fillfactor=70);
CREATE INDEX notifications_due ON public.notifications USING btree (next_attempt_at);
CREATE INDEX notifications_workspace ON public.notifications USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);

create table outgoing_mails (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  mailbox_id bigint not null,
  message_id bigint,
  raw_file_id bigint not null,
  header_id text not null,
  is_automatic boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  claim_token uuid,
  claimed_at timestamp with time zone,
  error text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  queued_at timestamp with time zone not null default now(),
  begun_at timestamp with time zone,
  conversation_id bigint,
  constraint outgoing_mails_pkey PRIMARY KEY (workspace_id, id),
  constraint outgoing_mails_workspace_id_conversation_id_fkey FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  constraint outgoing_mails_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE CASCADE,
  constraint outgoing_mails_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX outgoing_mails_automatic ON public.outgoing_mails USING btree (workspace_id, begun_at) WHERE is_automatic;
CREATE INDEX outgoing_mails_begun ON public.outgoing_mails USING btree (workspace_id, mailbox_id, begun_at);
CREATE INDEX outgoing_mails_claimed ON public.outgoing_mails USING btree (claimed_at) WHERE (claim_token IS NOT NULL);
CREATE INDEX outgoing_mails_conversation ON public.outgoing_mails USING btree (workspace_id, conversation_id, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX outgoing_mails_due ON public.outgoing_mails USING btree (workspace_id, mailbox_id, next_attempt_at) WHERE ((next_attempt_at IS NOT NULL) AND (claim_token IS NULL));
CREATE INDEX outgoing_mails_finished ON public.outgoing_mails USING btree (updated_at) WHERE ((message_id IS NULL) AND (next_attempt_at IS NULL));
CREATE INDEX outgoing_mails_header ON public.outgoing_mails USING btree (workspace_id, mailbox_id, header_id);
CREATE UNIQUE INDEX outgoing_mails_message ON public.outgoing_mails USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

create table outgoing_recipients (
  workspace_id bigint not null,
  mail_id bigint not null,
  position integer not null,
  address text not null,
  kind text not null,
  state text not null default 'pending'::text,
  error text,
  updated_at timestamp with time zone not null default now(),
  constraint outgoing_recipients_pkey PRIMARY KEY (workspace_id, mail_id, "position"),
  constraint outgoing_recipients_kind_check CHECK ((kind = ANY (ARRAY['to'::text, 'cc'::text, 'bcc'::text]))),
  constraint outgoing_recipients_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'bounced'::text]))),
  constraint outgoing_recipients_workspace_id_mail_id_fkey FOREIGN KEY (workspace_id, mail_id) REFERENCES outgoing_mails(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);

create table passkeys (
  id bigint not null generated always as identity,
  uuid uuid not null,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_counter_check CHECK ((counter >= 0)),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_uuid_key UNIQUE (uuid)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);

create table password_resets (
  digest bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (digest),
  constraint password_resets_digest_check CHECK ((octet_length(digest) = 32)),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_age ON public.password_resets USING btree (created_at);
CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id, created_at);

create table push_subscriptions (
  session_id bigint not null,
  uuid uuid not null,
  endpoint_digest bytea not null,
  host text not null,
  subscription_sealed text not null,
  created_at timestamp with time zone not null default now(),
  constraint push_subscriptions_pkey PRIMARY KEY (session_id),
  constraint push_subscriptions_endpoint_digest_check CHECK ((octet_length(endpoint_digest) = 32)),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_endpoint_digest_key UNIQUE (endpoint_digest),
  constraint push_subscriptions_uuid_key UNIQUE (uuid)
);

create unlogged table rate_limit_windows (
  name text not null,
  window_start timestamp with time zone not null,
  granted integer not null,
  last_grant integer not null,
  constraint rate_limit_windows_pkey PRIMARY KEY (name, window_start),
  constraint rate_limit_windows_granted_check CHECK ((granted >= 0)),
  constraint rate_limit_windows_last_grant_check CHECK ((last_grant >= 0))
) with (fillfactor=50);
CREATE INDEX rate_limit_windows_age ON public.rate_limit_windows USING btree (window_start);

create table recovery_codes (
  user_id bigint not null,
  digest bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, digest),
  constraint recovery_codes_digest_check CHECK ((octet_length(digest) = 32)),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table saved_replies (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  shortcut text,
  body text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint saved_replies_pkey PRIMARY KEY (workspace_id, id),
  constraint saved_replies_workspace_id_shortcut_key UNIQUE (workspace_id, shortcut),
  constraint saved_replies_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  compatible_from integer not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table second_factor_failures (
  user_id bigint not null,
  failures integer not null,
  wait_until timestamp with time zone not null,
  unseen integer not null,
  last_failed_at timestamp with time zone not null,
  last_ip text,
  constraint second_factor_failures_pkey PRIMARY KEY (user_id),
  constraint second_factor_failures_failures_check CHECK ((failures >= 0)),
  constraint second_factor_failures_unseen_check CHECK ((unseen >= 0)),
  constraint second_factor_failures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sessions (
  id bigint not null generated always as identity,
  digest bytea not null,
  user_id bigint not null,
  ip text,
  user_agent text,
  method text not null,
  second_factor boolean not null default false,
  confirmed_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_check CHECK ((octet_length(digest) = 32)),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'sso'::text]))),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_digest_key UNIQUE (digest)
) with (fillfactor=70);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

create table sign_in_challenges (
  digest bytea not null,
  purpose text not null,
  user_id bigint,
  challenge text,
  attempts_left integer not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (digest),
  constraint sign_in_challenges_attempts_left_check CHECK ((attempts_left >= 0)),
  constraint sign_in_challenges_digest_check CHECK ((octet_length(digest) = 32)),
  constraint sign_in_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['second_factor'::text, 'passkey_sign_in'::text, 'passkey_registration'::text, 'sso'::text]))),
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_age ON public.sign_in_challenges USING btree (expires_at);

create table totp_secrets (
  user_id bigint not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint totp_secrets_pkey PRIMARY KEY (user_id),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table user_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint user_identities_pkey PRIMARY KEY (issuer, subject),
  constraint user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX user_identities_one_per_issuer ON public.user_identities USING btree (user_id, issuer);

create table users (
  id bigint not null generated always as identity,
  uuid uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  language text,
  browser_language text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_browser_language_check CHECK ((browser_language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text, 'fr'::text, 'pt-BR'::text]))),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text, 'fr'::text, 'pt-BR'::text]))),
  constraint users_uuid_key UNIQUE (uuid)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (email);

create table views (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  owner_type text not null,
  owner_id bigint not null,
  owner_name text,
  person_id bigint,
  filters json not null,
  sort text not null,
  position integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint views_pkey PRIMARY KEY (workspace_id, id),
  constraint views_owner_type_check CHECK ((owner_type = ANY (ARRAY['user'::text, 'api_key'::text, 'bot'::text]))),
  constraint views_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint views_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES memberships(workspace_id, user_id) ON DELETE CASCADE,
  constraint views_workspace_id_uuid_key UNIQUE (workspace_id, uuid)
);
CREATE INDEX views_person ON public.views USING btree (workspace_id, person_id) WHERE (person_id IS NOT NULL);

create table visitor_messages (
  workspace_id bigint not null,
  session_id bigint not null,
  client_id uuid not null,
  conversation_uuid uuid not null,
  message_id bigint,
  constraint visitor_messages_pkey PRIMARY KEY (workspace_id, session_id, client_id),
  constraint visitor_messages_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE SET NULL (message_id),
  constraint visitor_messages_workspace_id_session_id_fkey FOREIGN KEY (workspace_id, session_id) REFERENCES visitor_sessions(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX visitor_messages_message ON public.visitor_messages USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

create table visitor_sessions (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  token_digest bytea not null,
  widget_id bigint not null,
  contact_id bigint,
  identity jsonb,
  identity_expires_at timestamp with time zone,
  typed_name text,
  typed_email text,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint visitor_sessions_pkey PRIMARY KEY (workspace_id, id),
  constraint visitor_sessions_workspace_id_contact_id_fkey FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE,
  constraint visitor_sessions_token_digest_key UNIQUE (token_digest)
) with (fillfactor=80);
CREATE INDEX visitor_sessions_contact ON public.visitor_sessions USING btree (workspace_id, contact_id);
CREATE INDEX visitor_sessions_seen ON public.visitor_sessions USING btree (seen_at);
CREATE INDEX visitor_sessions_widget ON public.visitor_sessions USING btree (workspace_id, widget_id);

create table webhook_subscriptions (
  workspace_id bigint not null,
  event_name text not null,
  webhook_id bigint not null,
  constraint webhook_subscriptions_pkey PRIMARY KEY (workspace_id, event_name, webhook_id),
  constraint webhook_subscriptions_workspace_id_webhook_id_fkey FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_subscriptions_webhook ON public.webhook_subscriptions USING btree (webhook_id);

create table webhooks (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  headers_sealed text not null,
  retry_count integer not null,
  timeout_seconds integer not null,
  skip_own_events boolean not null default false,
  ordered boolean not null default false,
  created_by_api_key_id bigint,
  includes_api_key_events boolean not null default false,
  is_active boolean not null default true,
  disabled_reason text,
  secret_sealed text not null,
  previous_secrets jsonb not null default '[]'::jsonb,
  version bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  filter json,
  filter_path jsonpath,
  template json,
  rate_limit integer,
  constraint webhooks_pkey PRIMARY KEY (workspace_id, id),
  constraint webhooks_retry_count_check CHECK (((retry_count >= 0) AND (retry_count <= 10))),
  constraint webhooks_timeout_seconds_check CHECK (((timeout_seconds >= 1) AND (timeout_seconds <= 60))),
  constraint webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint webhooks_uuid_key UNIQUE (uuid)
);

create table widgets (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null,
  public_id text not null,
  name text not null,
  is_active boolean not null default true,
  allowed_origins text[] not null,
  require_identity boolean not null default false,
  color text not null,
  position text not null,
  texts jsonb not null default '{}'::jsonb,
  ask_name text not null,
  ask_email text not null,
  collect_page boolean not null default true,
  mailbox_id bigint,
  secret_sealed text not null,
  previous_secrets jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint widgets_pkey PRIMARY KEY (workspace_id, id),
  constraint widgets_ask_email_check CHECK ((ask_email = ANY (ARRAY['no'::text, 'optional'::text, 'required'::text]))),
  constraint widgets_ask_name_check CHECK ((ask_name = ANY (ARRAY['no'::text, 'optional'::text, 'required'::text]))),
  constraint widgets_position_check CHECK (("position" = ANY (ARRAY['left'::text, 'right'::text]))),
  constraint widgets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint widgets_workspace_id_mailbox_id_fkey FOREIGN KEY (workspace_id, mailbox_id) REFERENCES mailboxes(workspace_id, id) ON DELETE SET NULL (mailbox_id),
  constraint widgets_public_id_key UNIQUE (public_id),
  constraint widgets_uuid_key UNIQUE (uuid)
);
CREATE INDEX widgets_mailbox ON public.widgets USING btree (workspace_id, mailbox_id) WHERE (mailbox_id IS NOT NULL);

create table workers (
  id bigint not null generated always as identity,
  name text not null,
  started_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone not null default now(),
  concurrency integer not null,
  is_stopping boolean not null default false,
  constraint workers_pkey PRIMARY KEY (id),
  constraint workers_concurrency_check CHECK ((concurrency > 0))
);

create table workspaces (
  id bigint not null generated always as identity,
  uuid uuid not null,
  name text not null,
  require_two_factor boolean not null default false,
  assign_on_first_reply boolean not null default true,
  is_demo boolean not null default false,
  move_state text,
  moved_to_cell integer,
  created_at timestamp with time zone not null default now(),
  first_steps_hidden boolean not null default false,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_check CHECK (((move_state IS NULL) = (moved_to_cell IS NULL))),
  constraint workspaces_move_state_check CHECK ((move_state = ANY (ARRAY['moving'::text, 'moved'::text]))),
  constraint workspaces_uuid_key UNIQUE (uuid)
);

CREATE OR REPLACE FUNCTION public.contact_text(name text, email text, phone text, external_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(external_id, '')
$function$;

CREATE OR REPLACE FUNCTION public.count_audit_logs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into list_count_deltas (workspace_id, list, delta)
  select workspace_id, 'audit_logs', count(*)
  from changed
  group by workspace_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into list_count_deltas (workspace_id, list, delta)
    select workspace_id, 'contacts', count(*)
    from changed
    group by workspace_id;
  else
    insert into list_count_deltas (workspace_id, list, delta)
    select workspace_id, 'contacts', -count(*)
    from changed
    group by workspace_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into conversation_deltas (workspace_id, status, assignee_id, waiting, delta)
    values (old.workspace_id, old.status, coalesce(old.assignee_id, 0), old.waiting_since is not null, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into conversation_deltas (workspace_id, status, assignee_id, waiting, delta)
    values (new.workspace_id, new.status, coalesce(new.assignee_id, 0), new.waiting_since is not null, 1);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_file_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_usage (workspace_id, bytes)
  values (
    coalesce(new.workspace_id, old.workspace_id),
    coalesce(new.size_bytes, 0) - coalesce(old.size_bytes, 0))
  on conflict (workspace_id) do update
  set bytes = file_usage.bytes + excluded.bytes;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_first_response()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
  values (new.workspace_id, date_trunc('hour', new.last_message_at, 'UTC'), 'first_response',
    two_digits(new.first_response_seconds), 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into label_deltas (workspace_id, name, delta)
    select old.workspace_id, label, -1 from unnest(old.labels) as label;
  end if;
  if tg_op <> 'DELETE' then
    insert into label_deltas (workspace_id, name, delta)
    select new.workspace_id, label, 1 from unnest(new.labels) as label;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.create_attempt_partition(day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_while_moving()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  cell integer;
begin
  if current_setting('parley.mover', true) = 'on' then
    return coalesce(new, old);
  end if;
  select moved_to_cell into cell
  from workspaces
  where id = tg_argv[0]::bigint
    and move_state = 'moved';
  if found then
    raise exception 'This workspace has moved to cell %.', cell using errcode = 'PM002';
  end if;
  raise exception 'The workspace is being moved to another cell.' using errcode = 'PM001';
end $function$;

CREATE OR REPLACE FUNCTION public.search_terms(workspace_id bigint, id bigint, given text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  folded text := given;
  number bigint := case when id < 1099511627776 then id else id >> 10 end;
begin
  if octet_length(folded) <> char_length(folded) then
    folded := regexp_replace(normalize(folded, NFKD), '[\u0300-\u036f]', '', 'g');
  end if;
  folded := translate(lower(left(folded, 24000)), '@./-_:+~<>&', '           ');
  return to_tsvector('pg_catalog.simple', folded) || array_to_tsvector(array[
    '|w' || workspace_id,
    '|b' || workspace_id || '.' || (number >> 20),
    '|a' || workspace_id || '.' || (number >> 16)]);
end $function$;

CREATE OR REPLACE FUNCTION public.searchable(event jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if jsonb_array_length(jsonb_path_query_array(event, 'strict $.**{0 to 20} ? (@.type() == "array")[*]')) <= 8 then
    return event;
  end if;
  return event || (
    with recursive node (path, level, nesting, type, value) as (
      select '' collate "C", 0, 0, 'object', event
      union all
      select
        case
          when octet_length(child.path) <= 65 then child.path
          else '#' || encode(sha256(convert_to(child.path, 'UTF8')), 'hex')
        end,
        child.level,
        child.nesting,
        jsonb_typeof(child.value),
        child.value
      from node
      cross join lateral (
        select node.path || octet_length(key) || ':' || key as path, node.level + 1 as level, 0 as nesting, member.value
        from jsonb_each(case node.type when 'object' then node.value end) member
        union all
        select node.path, node.level, node.nesting + 1, element
        from jsonb_array_elements(case node.type when 'array' then node.value end) element
      ) child
      where (node.type = 'object' and node.level < 8 and node.nesting < 2)
        or (node.type = 'array' and node.nesting < 3)
    ),

    known as (
      select
        path,
        array_agg(distinct trim_scale(value::numeric)) filter (where type = 'number') as numbers,
        array_agg(distinct left(value #>> '{}', 4097) collate "C") filter (where type = 'string') as texts,
        array_agg(distinct value::text) filter (where type in ('boolean', 'null')) as others
      from node
      where level > 0
        and (type <> 'array' or nesting > 0)
      group by path
    )

    select json_build_object('values', json_object_agg(path, json_build_object(
      'keys', (
        select json_object_agg(key, true)
        from (
          select 'n' || number as key from unnest(numbers) number
          union all
          select 's' || text from unnest(texts) text
          union all
          select other from unnest(others) other
        ) found
      ),
      'ranges', (
        select json_agg(range)
        from (
          select json_build_object(
            'from', numbers[first],
            'to', numbers[least(first + 63, cardinality(numbers))],
            'values', numbers[first:first + 63]) as range
          from generate_series(1, cardinality(numbers), 64) first
          union all
          select json_build_object(
            'from', texts[first],
            'to', texts[least(first + 63, cardinality(texts))],
            'values', texts[first:first + 63])
          from generate_series(1, cardinality(texts), 64) first
        ) ranges
      )
    )))::jsonb
    from known
  );
end $function$;

CREATE OR REPLACE FUNCTION public.track_changed_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update conversation_inbox
  set status = new.status,
    assignee_id = coalesce(new.assignee_id, 0),
    waiting = new.waiting_since is not null,
    activity_at = coalesce(new.last_message_at, new.created_at),
    updated_at = new.updated_at
  where workspace_id = new.workspace_id
    and conversation_id = new.id;

  if old.labels <> new.labels then
    delete from labelled_conversations
    where workspace_id = new.workspace_id
      and conversation_id = new.id
      and label <> all(new.labels);
  end if;
  if new.labels <> '{}' then
    insert into labelled_conversations
      (workspace_id, conversation_id, label, status, assignee_id, waiting, activity_at, updated_at)
    select new.workspace_id, new.id, label, new.status, coalesce(new.assignee_id, 0), new.waiting_since is not null,
      coalesce(new.last_message_at, new.created_at), new.updated_at
    from (select distinct unnest(new.labels) as label) named
    on conflict (workspace_id, conversation_id, label)
    do update set status = excluded.status,
      assignee_id = excluded.assignee_id,
      waiting = excluded.waiting,
      activity_at = excluded.activity_at,
      updated_at = excluded.updated_at;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.track_deleted_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from conversation_inbox inbox
  using deleted
  where inbox.workspace_id = deleted.workspace_id
    and inbox.conversation_id = deleted.id;
  delete from labelled_conversations labelled
  using deleted
  where labelled.workspace_id = deleted.workspace_id
    and labelled.conversation_id = deleted.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.track_new_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_inbox
    (workspace_id, conversation_id, status, assignee_id, waiting, activity_at, updated_at)
  select workspace_id, id, status, coalesce(assignee_id, 0), waiting_since is not null,
    coalesce(last_message_at, created_at), updated_at
  from added;
  insert into labelled_conversations
    (workspace_id, conversation_id, label, status, assignee_id, waiting, activity_at, updated_at)
  select workspace_id, id, label, status, coalesce(assignee_id, 0), waiting_since is not null,
    coalesce(last_message_at, created_at), updated_at
  from added, lateral (select distinct unnest(labels) as label) named;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.two_digits(seconds integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when seconds < 100 then seconds
    else round(seconds::numeric, 1 - floor(log(seconds::numeric))::integer)::integer
  end
$function$;

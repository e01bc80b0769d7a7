-- The hot statements of messages and deliveries as PostgreSQL gets them, written by test/docs/queue-statements.test.ts.

-- message_insert_claiming
--   $1 lockTimeout
--   $2 conversations
--   $3 messages
--   $4 eventType
--   $5 subscriptions
--   $6 isApiKeyEvent
--   $7 workerId
--   $8 claimMax
--   $9 claimToken
with lock_wait as materialized (
       select set_config('lock_timeout', coalesce($1::text, current_setting('lock_timeout')), true)),

     named as (
       select item.*,
         coalesce(item.conversation_id, (
           select conversation.id
           from conversations conversation
           where conversation.workspace_id = item.workspace_id
             and conversation.uuid = item.conversation_uuid)) as target_id
       from lock_wait, json_to_recordset($2::json) as item (
         group_number integer, workspace_id bigint, conversation_id bigint, conversation_uuid uuid, messages integer,
         last_in integer, first_asking integer, last_asking integer, last_reply integer, may_reopen boolean,
         may_mail boolean)),

     target as materialized (
       select distinct on (workspace_id, target_id) *
       from named
       order by workspace_id, target_id, group_number),

     locked as materialized (
       select target.*, conversation.contact_id, conversation.last_seq,
         greatest(conversation.last_message_at, now()) as written_at
       from target
       cross join lateral (
         select contact_id, status, mailbox_id, last_seq, last_message_at
         from conversations
         where workspace_id = target.workspace_id
           and id = any(array[target.target_id])
         for no key update) conversation
       where not (target.may_reopen and conversation.status in ('snoozed', 'resolved'))
         and not (target.may_mail and conversation.mailbox_id is not null)),

     updated as (
       update conversations conversation
       set last_seq = conversation.last_seq + locked.messages,
         last_in_seq = coalesce(conversation.last_seq + locked.last_in, conversation.last_in_seq),
         last_message_at = locked.written_at,
         waiting_since = case
           when locked.last_asking > coalesce(locked.last_reply, 0)
             and (locked.last_reply is not null or conversation.waiting_since is null)
             then locked.written_at
           when locked.last_reply > coalesce(locked.last_asking, 0) then null
           else conversation.waiting_since end,
         first_response_seconds = case
           when conversation.first_response_seconds is not null or locked.last_reply is null
             then conversation.first_response_seconds
           when conversation.waiting_since is not null
             then extract(epoch from locked.written_at - conversation.waiting_since)::integer
           when locked.first_asking < locked.last_reply then 0 end,
         visitor_reply_at = case
           when conversation.widget_id is not null and locked.last_reply is not null then locked.written_at
           else conversation.visitor_reply_at end,
         updated_at = greatest(conversation.updated_at, now())
       from locked
       where conversation.workspace_id = locked.workspace_id
         and conversation.id = any(array[locked.target_id])),

     numbered as (
       select item.*, locked.workspace_id, locked.target_id as conversation_id,
         coalesce(item.author_id, locked.contact_id) as contact_id,
         locked.last_seq + item.number as seq, locked.written_at
       from json_to_recordset($3::json) as item (
         position integer, group_number integer, number integer, uuid uuid, direction text, sender_type text,
         sender_id bigint, sender_name text, private boolean, body text, attachments jsonb, draft jsonb, mentions bigint[],
         email jsonb, quoted text, delivery jsonb, author_id bigint, event_uuid uuid, api_key_id bigint)
       join locked using (group_number)
       order by item.position),

     message as materialized (
       select workspace_id, nextval('messages_id_seq') as id, uuid, conversation_id, seq, direction, position,
         case when direction = 'in' then 'contact' else sender_type end as sender_type,
         case when direction = 'in' then contact_id else sender_id end as sender_id,
         case when direction = 'in' then (
           select contact.name
           from contacts contact
           where contact.workspace_id = numbered.workspace_id
             and contact.id = numbered.contact_id) else sender_name end as sender_name,
         private, body, attachments, draft, mentions, email, quoted, delivery, written_at as created_at, written_at as updated_at, event_uuid,
         case when direction = 'in' then null else api_key_id end as api_key_id
       from numbered),

     stored as (
       insert into messages (workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at)
       overriding system value
       select workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at
       from message
       returning id),

     counted as (
       insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
       select workspace_id, date_trunc('hour', created_at, 'UTC'),
         case when direction = 'in' then 'received' when private then 'note' else 'sent' end, 0, count(*)
       from message
       group by 1, 2, 3),

     source as (
       select message.workspace_id, message.position, message.event_uuid, message.api_key_id,
         format('{"type":"%s","id":%s,"name":%s}', message.sender_type,
        coalesce(message.sender_id::text, 'null'), coalesce(to_json(message.sender_name)::text, 'null')) as actor,
         format(
      '{"id":%s,"uuid":"%s","conversation_id":%s,"seq":%s,"direction":"%s","sender":%s,"private":%s,"body":%s,'
        '"attachments":%s%s,"mentions":%s,"email":%s,"quoted":%s,"delivery":%s,"created_at":"%s","updated_at":"%s"}',
      message.id, message.uuid, message.conversation_id, message.seq, message.direction, format('{"type":"%s","id":%s,"name":%s}', message.sender_type,
        coalesce(message.sender_id::text, 'null'), coalesce(to_json(message.sender_name)::text, 'null')),
      case when message.private then 'true' else 'false' end, to_json(message.body), message.attachments,
      coalesce(',"draft":' || message.draft::text, ''), coalesce(to_json(message.mentions)::text, '[]'),
      coalesce(message.email::text, 'null'), coalesce(to_json(message.quoted)::text, 'null'),
      coalesce(message.delivery::text, 'null'),
      to_char(message.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), to_char(message.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')) as data
       from message
       where exists (select from stored)),

     event as (
       insert into events (workspace_id, uuid, type, api_key_id, payload)
       select workspace_id, event_uuid, $4::text, api_key_id,
         format('{"id":"evt_%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}',
           replace(event_uuid::text, '-', ''), $4::text, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), data, actor)
       from source
       where event_uuid is not null
       returning workspace_id, id, uuid, type, api_key_id, payload),

     unsequenced as (
       insert into events_unsequenced (workspace_id, event_id, type, conversation_id)
       select workspace_id, id, type, case
         when starts_with(type, 'conversation.')
           then substring(payload from '"data": ?[{] ?"id" ?: ?([0-9]+)')::bigint
         when starts_with(type, 'message.') or starts_with(type, 'draft.')
           then substring(payload from '"conversation_id" ?: ?([0-9]+)')::bigint
       end
       from event),

     
      parsed_event as materialized (
        select id, searchable(payload::jsonb) as body
        from event
      ),

      recipient as materialized (
        select
          webhook.workspace_id,
          webhook.id as webhook_id,
          webhook.version,
          event.id as event_id,
          case
            when webhook.ordered
              then hashint8extended(case
         when starts_with(event.type, 'conversation.')
           then substring(event.payload from '"data": ?[{] ?"id" ?: ?([0-9]+)')::bigint
         when starts_with(event.type, 'message.') or starts_with(event.type, 'draft.')
           then substring(event.payload from '"conversation_id" ?: ?([0-9]+)')::bigint
       end, webhook.id) & 9007199254740991
          end as order_key
        from event
        cross join lateral (
          select distinct subscription.webhook_id
          from webhook_subscriptions subscription
          where subscription.workspace_id = event.workspace_id
            and subscription.event_name = any($5::text[])
        ) subscribed
        cross join lateral (
          select webhook.*
          from webhooks webhook
          where webhook.workspace_id = event.workspace_id
            and webhook.id = subscribed.webhook_id
          offset 0
        ) webhook
        where webhook.is_active
          and (webhook.includes_api_key_events or not $6::boolean)
          and not (
            webhook.skip_own_events
            and event.api_key_id is not null
            and webhook.created_by_api_key_id = event.api_key_id
          )
          and (
            webhook.filter_path is null
            or (
              select parsed.body @@ webhook.filter_path
              from parsed_event parsed
              where parsed.id = event.id
            )
          )
      ),

      idle as materialized (
        select lane.workspace_id, lane.webhook_id, listed.worker_id, recipient.version
        from recipient
        cross join lateral (
          select worker.id as worker_id
          from workers worker
          where worker.id = $7::bigint
            and recipient.webhook_id is not null
            and (select count(*) from recipient) <= $8::int
          for key share
        ) listed
        cross join lateral (
          select lane.workspace_id, lane.webhook_id
          from delivery_lanes lane
          where lane.workspace_id = any(array[recipient.workspace_id])
     and lane.webhook_id = any(array[recipient.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = recipient.workspace_id
         and newest.webhook_id = recipient.webhook_id
       order by newest.generation desc
       limit 1
     )
            and listed.worker_id is not null
            and lane.in_flight = 0
            and lane.failing_since is null
            and lane.failures_without_response = 0
            and lane.counts_from_version <= recipient.version
            and not lane.paused
            and not lane.ordered
            and lane.rate_limit is null
          for update skip locked
        ) lane
      ),

      delivery as (
        insert into deliveries (workspace_id, webhook_id, event_id, order_key, worker_id, lease_token)
        select
          recipient.workspace_id,
          recipient.webhook_id,
          recipient.event_id,
          recipient.order_key,
          idle.worker_id,
          case when idle.worker_id is not null then $9::bigint end
        from recipient
        left join idle on idle.webhook_id = recipient.webhook_id
        returning workspace_id, webhook_id, id, lease_token, next_attempt_at, attempts_made, order_key
      ),

      counted_claim as (
        update delivery_lanes lane
        set
          in_flight = lane.in_flight + 1,
          changes = lane.changes + 1
        from idle
        where lane.workspace_id = any(array[idle.workspace_id])
     and lane.webhook_id = any(array[idle.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = idle.workspace_id
         and newest.webhook_id = idle.webhook_id
       order by newest.generation desc
       limit 1
     )
      ),

      claimed as (
        select
          delivery.workspace_id as "workspaceId",
          delivery.webhook_id as "webhookId",
          delivery.id as "deliveryId",
          delivery.lease_token as "claimToken",
          extract(epoch from delivery.next_attempt_at)::float8 as "readyAt",
          idle.version as "webhookVersion",
          event.id as "eventId",
          event.uuid as "eventUuid",
          event.type as "eventType",
          event.payload,
          delivery.attempts_made as "attemptsMade",
          delivery.order_key as "orderKey"
        from idle
        join delivery on delivery.webhook_id = idle.webhook_id
        cross join event
      ),

      queued as (
        select workspace_id, webhook_id
        from delivery
        where lease_token is null
      )

     select source.position, source.data as record,
       case when source.event_uuid is not distinct from (select event_uuid from source limit 1)
         then array(select queued.webhook_id from queued) else '{}' end as queued,
       case when source.event_uuid is not distinct from (select event_uuid from source limit 1)
         then array(select queued.workspace_id from queued) else '{}' end as "queuedIn",
       (select json_agg(claimed) from claimed) as claimed
     from source;

-- message_insert_claiming
--   $1 lockTimeout
--   $2 conversations
--   $3 messages
--   $4 eventType
--   $5 subscriptions
--   $6 isApiKeyEvent
--   $7 workerId
--   $8 claimMax
--   $9 claimToken
with lock_wait as materialized (
       select set_config('lock_timeout', coalesce($1::text, current_setting('lock_timeout')), true)),

     named as (
       select item.*,
         coalesce(item.conversation_id, (
           select conversation.id
           from conversations conversation
           where conversation.workspace_id = item.workspace_id
             and conversation.uuid = item.conversation_uuid)) as target_id
       from lock_wait, json_to_recordset($2::json) as item (
         group_number integer, workspace_id bigint, conversation_id bigint, conversation_uuid uuid, messages integer,
         last_in integer, first_asking integer, last_asking integer, last_reply integer, may_reopen boolean,
         may_mail boolean)),

     target as materialized (
       select distinct on (workspace_id, target_id) *
       from named
       order by workspace_id, target_id, group_number),

     locked as materialized (
       select target.*, conversation.contact_id, conversation.last_seq,
         greatest(conversation.last_message_at, now()) as written_at
       from target
       cross join lateral (
         select contact_id, status, mailbox_id, last_seq, last_message_at
         from conversations
         where workspace_id = target.workspace_id
           and id = any(array[target.target_id])
         for no key update) conversation
       where not (target.may_reopen and conversation.status in ('snoozed', 'resolved'))
         and not (target.may_mail and conversation.mailbox_id is not null)),

     updated as (
       update conversations conversation
       set last_seq = conversation.last_seq + locked.messages,
         last_in_seq = coalesce(conversation.last_seq + locked.last_in, conversation.last_in_seq),
         last_message_at = locked.written_at,
         waiting_since = case
           when locked.last_asking > coalesce(locked.last_reply, 0)
             and (locked.last_reply is not null or conversation.waiting_since is null)
             then locked.written_at
           when locked.last_reply > coalesce(locked.last_asking, 0) then null
           else conversation.waiting_since end,
         first_response_seconds = case
           when conversation.first_response_seconds is not null or locked.last_reply is null
             then conversation.first_response_seconds
           when conversation.waiting_since is not null
             then extract(epoch from locked.written_at - conversation.waiting_since)::integer
           when locked.first_asking < locked.last_reply then 0 end,
         visitor_reply_at = case
           when conversation.widget_id is not null and locked.last_reply is not null then locked.written_at
           else conversation.visitor_reply_at end,
         updated_at = greatest(conversation.updated_at, now())
       from locked
       where conversation.workspace_id = locked.workspace_id
         and conversation.id = any(array[locked.target_id])),

     numbered as (
       select item.*, locked.workspace_id, locked.target_id as conversation_id,
         coalesce(item.author_id, locked.contact_id) as contact_id,
         locked.last_seq + item.number as seq, locked.written_at
       from json_to_recordset($3::json) as item (
         position integer, group_number integer, number integer, uuid uuid, direction text, sender_type text,
         sender_id bigint, sender_name text, private boolean, body text, attachments jsonb, draft jsonb, mentions bigint[],
         email jsonb, quoted text, delivery jsonb, author_id bigint, event_uuid uuid, api_key_id bigint)
       join locked using (group_number)
       order by item.position),

     message as materialized (
       select workspace_id, nextval('messages_id_seq') as id, uuid, conversation_id, seq, direction, position,
         case when direction = 'in' then 'contact' else sender_type end as sender_type,
         case when direction = 'in' then contact_id else sender_id end as sender_id,
         case when direction = 'in' then (
           select contact.name
           from contacts contact
           where contact.workspace_id = numbered.workspace_id
             and contact.id = numbered.contact_id) else sender_name end as sender_name,
         private, body, attachments, draft, mentions, email, quoted, delivery, written_at as created_at, written_at as updated_at, event_uuid,
         case when direction = 'in' then null else api_key_id end as api_key_id
       from numbered),

     stored as (
       insert into messages (workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at)
       overriding system value
       select workspace_id, id, uuid, conversation_id, seq, direction, sender_type,
         sender_id, sender_name, private, body, attachments, draft, mentions, email, quoted, delivery,
         created_at, updated_at
       from message
       returning id),

     counted as (
       insert into conversation_stat_deltas (workspace_id, hour, kind, seconds, amount)
       select workspace_id, date_trunc('hour', created_at, 'UTC'),
         case when direction = 'in' then 'received' when private then 'note' else 'sent' end, 0, count(*)
       from message
       group by 1, 2, 3),

     source as (
       select message.workspace_id, message.position, message.event_uuid, message.api_key_id,
         format('{"type":"%s","id":%s,"name":%s}', message.sender_type,
        coalesce(message.sender_id::text, 'null'), coalesce(to_json(message.sender_name)::text, 'null')) as actor,
         format(
      '{"id":%s,"uuid":"%s","conversation_id":%s,"seq":%s,"direction":"%s","sender":%s,"private":%s,"body":%s,'
        '"attachments":%s%s,"mentions":%s,"email":%s,"quoted":%s,"delivery":%s,"created_at":"%s","updated_at":"%s"}',
      message.id, message.uuid, message.conversation_id, message.seq, message.direction, format('{"type":"%s","id":%s,"name":%s}', message.sender_type,
        coalesce(message.sender_id::text, 'null'), coalesce(to_json(message.sender_name)::text, 'null')),
      case when message.private then 'true' else 'false' end, to_json(message.body), message.attachments,
      coalesce(',"draft":' || message.draft::text, ''), coalesce(to_json(message.mentions)::text, '[]'),
      coalesce(message.email::text, 'null'), coalesce(to_json(message.quoted)::text, 'null'),
      coalesce(message.delivery::text, 'null'),
      to_char(message.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), to_char(message.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')) as data
       from message
       where exists (select from stored)),

     event as (
       insert into events (workspace_id, uuid, type, api_key_id, payload)
       select workspace_id, event_uuid, $4::text, api_key_id,
         format('{"id":"evt_%s","type":"%s","timestamp":"%s","data":%s,"actor":%s}',
           replace(event_uuid::text, '-', ''), $4::text, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), data, actor)
       from source
       where event_uuid is not null
       returning workspace_id, id, uuid, type, api_key_id, payload),

     unsequenced as (
       insert into events_unsequenced (workspace_id, event_id, type, conversation_id)
       select workspace_id, id, type, case
         when starts_with(type, 'conversation.')
           then substring(payload from '"data": ?[{] ?"id" ?: ?([0-9]+)')::bigint
         when starts_with(type, 'message.') or starts_with(type, 'draft.')
           then substring(payload from '"conversation_id" ?: ?([0-9]+)')::bigint
       end
       from event),

     
      parsed_event as materialized (
        select id, searchable(payload::jsonb) as body
        from event
      ),

      recipient as materialized (
        select
          webhook.workspace_id,
          webhook.id as webhook_id,
          webhook.version,
          event.id as event_id,
          case
            when webhook.ordered
              then hashint8extended(case
         when starts_with(event.type, 'conversation.')
           then substring(event.payload from '"data": ?[{] ?"id" ?: ?([0-9]+)')::bigint
         when starts_with(event.type, 'message.') or starts_with(event.type, 'draft.')
           then substring(event.payload from '"conversation_id" ?: ?([0-9]+)')::bigint
       end, webhook.id) & 9007199254740991
          end as order_key
        from event
        cross join lateral (
          select distinct subscription.webhook_id
          from webhook_subscriptions subscription
          where subscription.workspace_id = event.workspace_id
            and subscription.event_name = any($5::text[])
        ) subscribed
        cross join lateral (
          select webhook.*
          from webhooks webhook
          where webhook.workspace_id = event.workspace_id
            and webhook.id = subscribed.webhook_id
          offset 0
        ) webhook
        where webhook.is_active
          and (webhook.includes_api_key_events or not $6::boolean)
          and not (
            webhook.skip_own_events
            and event.api_key_id is not null
            and webhook.created_by_api_key_id = event.api_key_id
          )
          and (
            webhook.filter_path is null
            or (
              select parsed.body @@ webhook.filter_path
              from parsed_event parsed
              where parsed.id = event.id
            )
          )
      ),

      idle as materialized (
        select lane.workspace_id, lane.webhook_id, listed.worker_id, recipient.version
        from recipient
        cross join lateral (
          select worker.id as worker_id
          from workers worker
          where worker.id = $7::bigint
            and recipient.webhook_id is not null
            and (select count(*) from recipient) <= $8::int
          for key share
        ) listed
        cross join lateral (
          select lane.workspace_id, lane.webhook_id
          from delivery_lanes lane
          where lane.workspace_id = any(array[recipient.workspace_id])
     and lane.webhook_id = any(array[recipient.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = recipient.workspace_id
         and newest.webhook_id = recipient.webhook_id
       order by newest.generation desc
       limit 1
     )
            and listed.worker_id is not null
            and lane.in_flight = 0
            and lane.failing_since is null
            and lane.failures_without_response = 0
            and lane.counts_from_version <= recipient.version
            and not lane.paused
            and not lane.ordered
            and lane.rate_limit is null
          for update skip locked
        ) lane
      ),

      delivery as (
        insert into deliveries (workspace_id, webhook_id, event_id, order_key, worker_id, lease_token)
        select
          recipient.workspace_id,
          recipient.webhook_id,
          recipient.event_id,
          recipient.order_key,
          idle.worker_id,
          case when idle.worker_id is not null then $9::bigint end
        from recipient
        left join idle on idle.webhook_id = recipient.webhook_id
        returning workspace_id, webhook_id, id, lease_token, next_attempt_at, attempts_made, order_key
      ),

      counted_claim as (
        update delivery_lanes lane
        set
          in_flight = lane.in_flight + 1,
          changes = lane.changes + 1
        from idle
        where lane.workspace_id = any(array[idle.workspace_id])
     and lane.webhook_id = any(array[idle.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = idle.workspace_id
         and newest.webhook_id = idle.webhook_id
       order by newest.generation desc
       limit 1
     )
      ),

      claimed as (
        select
          delivery.workspace_id as "workspaceId",
          delivery.webhook_id as "webhookId",
          delivery.id as "deliveryId",
          delivery.lease_token as "claimToken",
          extract(epoch from delivery.next_attempt_at)::float8 as "readyAt",
          idle.version as "webhookVersion",
          event.id as "eventId",
          event.uuid as "eventUuid",
          event.type as "eventType",
          event.payload,
          delivery.attempts_made as "attemptsMade",
          delivery.order_key as "orderKey"
        from idle
        join delivery on delivery.webhook_id = idle.webhook_id
        cross join event
      ),

      queued as (
        select workspace_id, webhook_id
        from delivery
        where lease_token is null
      )

     select source.position, source.data as record,
       case when source.event_uuid is not distinct from (select event_uuid from source limit 1)
         then array(select queued.webhook_id from queued) else '{}' end as queued,
       case when source.event_uuid is not distinct from (select event_uuid from source limit 1)
         then array(select queued.workspace_id from queued) else '{}' end as "queuedIn",
       (select json_agg(claimed) from claimed) as claimed
     from source;

-- delivery_discover
with recursive waiting as (
      (
        select workspace_id, webhook_id
        from deliveries
        where webhook_id > $2
        order by webhook_id
        limit 1
      )
      union all
      select next.workspace_id, next.webhook_id
      from waiting
      cross join lateral (
        select delivery.workspace_id, delivery.webhook_id
        from deliveries delivery
        where delivery.webhook_id > waiting.webhook_id
        order by delivery.webhook_id
        limit 1
      ) next
    )

    select
      waiting.workspace_id as "workspaceId",
      waiting.webhook_id as "webhookId",
      extract(epoch from ready.since)::float8 as "readyFrom",
      ready.since < now() - interval '300 milliseconds' as "isOverdue"
    from waiting
    join delivery_lanes lane on lane.workspace_id = any(array[waiting.workspace_id])
     and lane.webhook_id = any(array[waiting.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = waiting.workspace_id
         and newest.webhook_id = waiting.webhook_id
       order by newest.generation desc
       limit 1
     )
    cross join lateral (
      select delivery.next_attempt_at as since
      from deliveries delivery
      where delivery.webhook_id = waiting.webhook_id
        and delivery.worker_id is null
        and delivery.next_attempt_at <= now()
      order by delivery.next_attempt_at
      limit 1
    ) ready
    where not lane.paused
      and not coalesce(lane.breaker_open_until > now(), false)
      and least(
       case
         when lane.failures_without_response >= 10 then 1
         else least(lane.window_size, $1::int)
       end - lane.in_flight,
       floor(
       ceil(lane.rate_limit * 0.5)
       - lane.rate_limit * case
         when lane.rate_paid_until between now() and now() + interval '2 seconds'
           then extract(epoch from lane.rate_paid_until - now())
         else 0
       end
     )::int
     ) > 0
    limit $3;

-- delivery_claim
with async_commit as materialized (
      select set_config('synchronous_commit', 'off', true)
    ),

    listed as materialized (
      select id
      from async_commit, workers
      where id = $5
      for key share of workers
    ),

    planned as (
      select lane.*
      from
        listed,
        unnest($1::bigint[], $2::bigint[], $3::int[], $6::float8[])
          as lane (workspace_id, webhook_id, claim_max, ready_from)
      order by workspace_id, webhook_id
    ),

    lane as materialized (
      select
        lane.workspace_id,
        lane.webhook_id,
        lane.ordered,
        to_timestamp(lane.ready_from) as ready_from,
        (
          select webhook.version
          from webhooks webhook
          where webhook.workspace_id = lane.workspace_id
            and webhook.id = lane.webhook_id
            and webhook.is_active
            and webhook.version >= lane.counts_from_version
        ) as version,
        least(
          lane.claim_max,
          least(
       case
         when lane.failures_without_response >= 10 then 1
         else least(lane.window_size, $4::int)
       end - lane.in_flight,
       floor(
       ceil(lane.rate_limit * 0.5)
       - lane.rate_limit * case
         when lane.rate_paid_until between now() and now() + interval '2 seconds'
           then extract(epoch from lane.rate_paid_until - now())
         else 0
       end
     )::int
     )
        ) as room,
        lane.claim_max > least(
       case
         when lane.failures_without_response >= 10 then 1
         else least(lane.window_size, $4::int)
       end - lane.in_flight,
       floor(
       ceil(lane.rate_limit * 0.5)
       - lane.rate_limit * case
         when lane.rate_paid_until between now() and now() + interval '2 seconds'
           then extract(epoch from lane.rate_paid_until - now())
         else 0
       end
     )::int
     ) as is_limited
      from (
      select locked.*, named.claim_max, named.ready_from
      from (
        select * from planned
      ) named
      cross join lateral (
        select lane.*
        from delivery_lanes lane
        where lane.workspace_id = named.workspace_id
          and lane.webhook_id = named.webhook_id
        order by lane.generation desc
        limit 1
        for update
      ) locked
      ) lane
      where not lane.paused
        and not coalesce(lane.breaker_open_until > now(), false)
    ),

    examined as materialized (
      select lane.version, lane.room, ready.*
      from lane
      cross join lateral (
        select
          delivery.ctid as row_address,
          delivery.workspace_id,
          delivery.webhook_id,
          delivery.event_id,
          delivery.next_attempt_at,
          exists (
            select
            from deliveries earlier
            where earlier.order_key = delivery.order_key
              and earlier.event_id < delivery.event_id
          ) as is_blocked
        from deliveries delivery
        where delivery.webhook_id = lane.webhook_id
          and delivery.worker_id is null
          and delivery.next_attempt_at >= lane.ready_from
          and delivery.next_attempt_at <= now()
        order by delivery.next_attempt_at
        limit greatest(lane.room, 0) * 4
        for update of delivery skip locked
      ) ready
      where lane.version is not null
        and lane.ordered
    ),

    head as (
      select
        examined.*,
        row_number() over (partition by webhook_id order by next_attempt_at) as position
      from examined
      where not is_blocked
    ),

    blocked as (
      update deliveries delivery
      set next_attempt_at = 'infinity'
      from examined
      where delivery.ctid = examined.row_address
        and examined.is_blocked
      returning delivery.workspace_id, delivery.webhook_id
    ),

    picked as materialized (
      select lane.version, ready.*
      from lane
      cross join lateral (
        select delivery.ctid as row_address, event.*
        from deliveries delivery
        cross join lateral (
          select event.uuid, event.type, event.payload
          from events event
          where event.workspace_id = delivery.workspace_id
            and event.id = delivery.event_id
          offset 0
        ) event
        where delivery.webhook_id = lane.webhook_id
          and delivery.worker_id is null
          and delivery.next_attempt_at >= lane.ready_from
          and delivery.next_attempt_at <= now()
        order by delivery.next_attempt_at
        limit greatest(lane.room, 0)
        for update of delivery skip locked
      ) ready
      where lane.version is not null
        and not lane.ordered
      union all
      select head.version, head.row_address, event.*
      from head
      cross join lateral (
        select event.uuid, event.type, event.payload
        from events event
        where event.workspace_id = head.workspace_id
          and event.id = head.event_id
        offset 0
      ) event
      where head.position <= head.room
    ),

    claimed as (
      update deliveries delivery
      set worker_id = $5, lease_token = $7
      from picked
      where delivery.ctid = picked.row_address
      returning
        delivery.workspace_id,
        delivery.webhook_id,
        delivery.id,
        delivery.lease_token,
        delivery.next_attempt_at,
        delivery.event_id,
        delivery.attempts_made,
        delivery.order_key,
        picked.version,
        picked.uuid,
        picked.type,
        picked.payload
    ),

    claimed_of_lane as materialized (
      select workspace_id, webhook_id, count(*)::int as deliveries
      from claimed
      group by workspace_id, webhook_id
    ),

    counted as (
      update delivery_lanes lane
      set
        in_flight = lane.in_flight + claimed_of_lane.deliveries,
        rate_paid_until = case
          when lane.rate_paid_until between now() and now() + interval '2 seconds'
            then lane.rate_paid_until
          else now()
        end + interval '1 second' * claimed_of_lane.deliveries / lane.rate_limit,
        changes = lane.changes + 1
      from claimed_of_lane
      where lane.workspace_id = any(array[claimed_of_lane.workspace_id])
     and lane.webhook_id = any(array[claimed_of_lane.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = claimed_of_lane.workspace_id
         and newest.webhook_id = claimed_of_lane.webhook_id
       order by newest.generation desc
       limit 1
     )
    )

    select
      null as "laneState",
      workspace_id as "workspaceId",
      webhook_id as "webhookId",
      id as "deliveryId",
      lease_token as "claimToken",
      extract(epoch from next_attempt_at)::float8 as "readyAt",
      version as "webhookVersion",
      event_id as "eventId",
      uuid as "eventUuid",
      type as "eventType",
      payload,
      attempts_made as "attemptsMade",
      order_key as "orderKey"
    from claimed
    union all
    select 'blocked', workspace_id, webhook_id, null, null, null, null, null, null, null, null, null, null
    from blocked
    group by workspace_id, webhook_id
    union all
    select 'full', workspace_id, webhook_id, null, null, null, null, null, null, null, null, null, null
    from lane
    where is_limited
      and room <= coalesce(
        (
          select deliveries
          from claimed_of_lane
          where claimed_of_lane.webhook_id = lane.webhook_id
        ),
        0
      );

-- delivery_settle
--   $1 workspaceIds
--   $2 webhookIds
--   $3 deliveryIds
--   $4 claimTokens
--   $5 eventIds
--   $6 eventUuids
--   $7 eventTypes
--   $8 attempts
--   $9 responseCodes
--   $10 responseTimesMs
--   $11 errorMessages
--   $12 retriesInMs
--   $13 details
--   $14 webhookVersions
--   $15 judgeReceivers
--   $16 loggedAt
--   $17 repeated
with async_commit as materialized (
      select set_config('synchronous_commit', 'off', true)
    ),

    result as materialized (
      select
        result.*,
        result.error_message is null as delivered,
        (result.judges_receiver = 1 and result.response_code = 0) as without_response
      from
        async_commit,
        unnest(
          $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],
          $5::bigint[], $6::text[], $7::text[],
          $8::bigint[], $9::bigint[], $10::bigint[], $11::text[],
          $12::bigint[], $13::text[],
          $14::bigint[], $15::bigint[]
        ) as result (
          workspace_id, webhook_id, delivery_id, lease_token,
          event_id, event_uuid, event_type,
          attempt, response_code, response_time_ms, error_message, retry_in_ms, detail,
          webhook_version, judges_receiver
        )
    ),

    lane as materialized (
      select locked.*
      from (
        select distinct workspace_id, webhook_id
        from result
        order by workspace_id, webhook_id
      ) named
      cross join lateral (
        select lane.*
        from delivery_lanes lane
        where lane.workspace_id = named.workspace_id
          and lane.webhook_id = named.webhook_id
        order by lane.generation desc
        limit 1
        for update
      ) locked
    ),

    finished as (
      delete from deliveries delivery
      using result
      where (select count(*) from lane) > 0
        and result.retry_in_ms is null
        and delivery.workspace_id = any(array[result.workspace_id])
     and delivery.id = any(array[result.delivery_id])
        and delivery.lease_token = result.lease_token
      returning
        delivery.workspace_id,
        delivery.webhook_id,
        delivery.id,
        delivery.event_id,
        result.delivered
    ),

    retried as (
      update deliveries delivery
      set
        worker_id = null,
        lease_token = null,
        attempts_made = case
          when result.judges_receiver = 1 then result.attempt
          else delivery.attempts_made
        end,
        next_attempt_at = now() + result.retry_in_ms * interval '1 millisecond'
      from result
      where (select count(*) from lane) > 0
        and result.retry_in_ms is not null
        and delivery.workspace_id = any(array[result.workspace_id])
     and delivery.id = any(array[result.delivery_id])
        and delivery.lease_token = result.lease_token
      returning delivery.workspace_id, delivery.webhook_id, delivery.id
    ),

    held as materialized (
      select workspace_id, webhook_id, id
      from finished
      union all
      select workspace_id, webhook_id, id
      from retried
    ),

    to_log as not materialized (
      select
        result.*,
        case
          when retry_in_ms is not null
            and (workspace_id, delivery_id) in (
              select workspace_id, id
              from retried
            )
            then coalesce($16::timestamptz, now()) + retry_in_ms * interval '1 millisecond'
        end as next_attempt_at
      from result
      where not $17::boolean
        or (workspace_id, delivery_id) in (
          select workspace_id, id
          from held
        )
    ),

    dead_letter as (
      insert into dead_letters (workspace_id, webhook_id, event_id)
      select workspace_id, webhook_id, event_id
      from finished
      where not delivered
      order by workspace_id, webhook_id, event_id
      on conflict do nothing
    ),

    logged as (
      insert into delivery_attempts (
        workspace_id, webhook_id, delivery_id, event_id, event_uuid, event_type, delivered,
        response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, created_at
      )
      select
        workspace_id, webhook_id, delivery_id, event_id, event_uuid::uuid, event_type, delivered,
        response_code, response_time_ms, attempt, error_message, next_attempt_at, detail, coalesce($16::timestamptz, now())
      from to_log
    ),

    counted as (
      insert into delivery_stat_deltas (workspace_id, webhook_id, hour, event_type, delivered, up_to_ms, attempts, ended)
      select
        workspace_id,
        webhook_id,
        (select date_trunc('hour', coalesce($16::timestamptz, now()), 'UTC')) as hour,
        event_type,
        delivered,
        case
          when response_time_ms <= 10 then 10
          when response_time_ms <= 25 then 25
          when response_time_ms <= 50 then 50
          when response_time_ms <= 100 then 100
          when response_time_ms <= 250 then 250
          when response_time_ms <= 500 then 500
          when response_time_ms <= 1000 then 1000
          when response_time_ms <= 2500 then 2500
          when response_time_ms <= 5000 then 5000
          when response_time_ms <= 15000 then 15000
          else 60000
        end as up_to_ms,
        count(*),
        count(*) filter (where next_attempt_at is null)
      from to_log
      group by 1, 2, 3, 4, 5, 6
    ),

    tally as (
      select
        workspace_id,
        webhook_id,
        sum(logged)::int as logged,
        sum(attempts)::int as attempts,
        sum(held)::int as held,
        sum(delivered)::int as delivered,
        sum(without_response)::int as without_response,
        max(webhook_version) as webhook_version
      from (
        select
          workspace_id, webhook_id, 1 as logged, judges_receiver as attempts, 0 as held,
          delivered::int, without_response::int, webhook_version
        from to_log
        union all
        select workspace_id, webhook_id, 0, 0, 1, 0, 0, null
        from held
      ) counted
      group by workspace_id, webhook_id
    ),

    settled as (
      update delivery_lanes lane
      set
        in_flight = greatest(0, lane.in_flight - tally.held),
        changes = lane.changes + 1,
        attempts_total = lane.attempts_total + tally.logged,
        window_size = case
          when tally.webhook_version < lane.counts_from_version
            or tally.attempts = 0
            then lane.window_size
          else case
       when tally.delivered > 0
         then least(1000, lane.window_size + tally.delivered)
       when tally.without_response > 0
         then greatest(1, lane.window_size / 2)
       else lane.window_size
     end
        end,
        failures_without_response = case
          when tally.webhook_version < lane.counts_from_version
            or tally.attempts = 0
            then lane.failures_without_response
          else case
       when tally.without_response < tally.attempts then 0
       when coalesce(lane.breaker_open_until > now(), false) then lane.failures_without_response
       else case
       when lane.failures_without_response >= 10
         then least(20, lane.failures_without_response + 1)
       else least(10, lane.failures_without_response + tally.without_response)
     end
     end
        end,
        breaker_open_until = case
          when tally.webhook_version < lane.counts_from_version
            or tally.attempts = 0
            then lane.breaker_open_until
          else case
       when tally.without_response < tally.attempts then null
       when coalesce(lane.breaker_open_until > now(), false) then lane.breaker_open_until
       when case
       when lane.failures_without_response >= 10
         then least(20, lane.failures_without_response + 1)
       else least(10, lane.failures_without_response + tally.without_response)
     end >= 10
         then now() + interval '1 second' * least(
           60,
           5 * 2 ^ (case
       when lane.failures_without_response >= 10
         then least(20, lane.failures_without_response + 1)
       else least(10, lane.failures_without_response + tally.without_response)
     end - 10))
     end
        end,
        failing_since = case
          when tally.webhook_version < lane.counts_from_version
            or tally.attempts = 0
            then lane.failing_since
          else case
       when tally.delivered > 0 then null
       else coalesce(lane.failing_since, now())
     end
        end
      from tally
      where lane.workspace_id = any(array[tally.workspace_id])
     and lane.webhook_id = any(array[tally.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = tally.workspace_id
         and newest.webhook_id = tally.webhook_id
       order by newest.generation desc
       limit 1
     )
      returning lane.workspace_id, lane.webhook_id, lane.failing_since, lane.counts_from_version
    )

    select
      workspace_id as "workspaceId",
      webhook_id as "webhookId",
      counts_from_version as "webhookVersion"
    from settled
    where coalesce(settled.failing_since < now() - interval '5 days', false);

-- delivery_release
with held as materialized (
      select *
      from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
        as held (workspace_id, webhook_id, delivery_id, lease_token)
    ),

    lane as materialized (
      select locked.*
      from (
        select distinct workspace_id, webhook_id
        from held
        order by workspace_id, webhook_id
      ) named
      cross join lateral (
        select lane.*
        from delivery_lanes lane
        where lane.workspace_id = named.workspace_id
          and lane.webhook_id = named.webhook_id
        order by lane.generation desc
        limit 1
        for update
      ) locked
    ),

    released as (
      update deliveries delivery
      set worker_id = null, lease_token = null
      from (select count(*) from lane) as locked, held
      where delivery.workspace_id = any(array[held.workspace_id])
     and delivery.id = any(array[held.delivery_id])
        and delivery.lease_token = held.lease_token
      returning delivery.workspace_id, delivery.webhook_id
    )

    update delivery_lanes lane
    set
      in_flight = greatest(0, lane.in_flight - ended.deliveries),
      changes = lane.changes + 1
    from (
      select workspace_id, webhook_id, count(*)::int as deliveries
      from released
      group by workspace_id, webhook_id
    ) ended
    where lane.workspace_id = any(array[ended.workspace_id])
     and lane.webhook_id = any(array[ended.webhook_id])
     and lane.generation >= (
       select newest.generation
       from delivery_lanes newest
       where newest.workspace_id = ended.workspace_id
         and newest.webhook_id = ended.webhook_id
       order by newest.generation desc
       limit 1
     )
    returning ended.deliveries;

-- delivery_held
select
      delivery.workspace_id as "workspaceId",
      delivery.webhook_id as "webhookId",
      delivery.id as "deliveryId",
      delivery.lease_token as "claimToken"
    from (
      select workspace_id, webhook_id
      from delivery_lanes
      where in_flight > 0
      order by workspace_id, webhook_id
    ) lane
    join deliveries delivery on delivery.webhook_id = any(array[lane.webhook_id])
    where delivery.worker_id = $1;

import type { EarlyClaim, FanOut } from "../events/outbox.ts";
import { searchableSql } from "../events/payload-filter.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { orderKeySql } from "./order-key.ts";
import { sameLane } from "./sql-fragments.ts";

/** Which lanes have new work; called after the commit. */
type OnQueued = (workspaceId: number, webhookIds: number[]) => void;

/**
 * A part of the outbox's statement: an event and its deliveries exist together or not at all. The webhooks are found
 * through `webhook_subscriptions`, so ten thousand that subscribe to other events cost nothing. `offset 0` leaves the
 * planner no other way than to look each of them up: in a table without statistics it read all webhooks for each.
 */
const recipientSql = (event: string): string =>
  `select
          webhook.workspace_id,
          webhook.id as webhook_id,
          webhook.version,
          ${event}.id as event_id,
          ${orderKeySql("webhook", event)} as order_key
        from ${event}
        cross join lateral (
          select distinct subscription.webhook_id
          from webhook_subscriptions subscription
          where subscription.workspace_id = ${event}.workspace_id
            and subscription.event_name = any(:subscriptions::text[])
        ) subscribed
        cross join lateral (
          select webhook.*
          from webhooks webhook
          where webhook.workspace_id = ${event}.workspace_id
            and webhook.id = subscribed.webhook_id
          offset 0
        ) webhook
        where webhook.is_active
          and (webhook.includes_api_key_events or not :isApiKeyEvent::boolean)
          and not (
            webhook.skip_own_events
            and ${event}.api_key_id is not null
            and webhook.created_by_api_key_id = ${event}.api_key_id
          )
          and (
            webhook.filter_path is null
            or (
              select parsed.body @@ webhook.filter_path
              from parsed_event parsed
              where parsed.id = ${event}.id
            )
          )`;

/** Read only where a webhook has a filter, and then each event is parsed, and its lists searched, once for all of them. */
const parsedSql = (event: string): string => `
      parsed_event as materialized (
        select id, ${searchableSql("payload")} as body
        from ${event}
      ),
`;

const queueSql = (event: string): string => `${parsedSql(event)}
      queued as (
        insert into deliveries (workspace_id, webhook_id, event_id, order_key)
        select workspace_id, webhook_id, event_id, order_key
        from (
        ${recipientSql(event)}
        ) recipient
        returning workspace_id, webhook_id
      )`;

// The same, and deliveries of idle lanes are stored as claimed, so that no claim has to follow. What a claim checks is
// checked here too: the worker is listed, and stays so until the commit; the lane is not paused, and its last attempts got
// responses, so its breaker is closed. An ordered lane is left to the claim, which knows what blocks a delivery, and one with
// a rate limit to the claim that counts. If a webhook was disabled or got another url after this statement began, its lane's
// `counts_from_version` is later than the version that was read here, and nothing is claimed.
//
// The worker is locked before the lanes, as in a rescue (`is not null` makes sure of the order), and all of them until the
// commit. The lanes are locked without waiting, and therefore in any order: a lane that another statement has locked is not
// idle. An event with more recipients than may be claimed is only queued, because storing thousands of deliveries takes a
// while.
const claimSql = (event: string): string => `${parsedSql(event)}
      recipient as materialized (
        ${recipientSql(event)}
      ),

      idle as materialized (
        select lane.workspace_id, lane.webhook_id, listed.worker_id, recipient.version
        from recipient
        cross join lateral (
          select worker.id as worker_id
          from workers worker
          where worker.id = :workerId::bigint
            and recipient.webhook_id is not null
            and (select count(*) from recipient) <= :claimMax::int
          for key share
        ) listed
        cross join lateral (
          select lane.workspace_id, lane.webhook_id
          from delivery_lanes lane
          where ${sameLane("lane", "recipient")}
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
          case when idle.worker_id is not null then :claimToken::bigint end
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
        where ${sameLane("lane", "idle")}
      ),

      claimed as (
        select
          delivery.workspace_id as "workspaceId",
          delivery.webhook_id as "webhookId",
          delivery.id as "deliveryId",
          delivery.lease_token as "claimToken",
          extract(epoch from delivery.next_attempt_at)::float8 as "readyAt",
          idle.version as "webhookVersion",
          ${event}.id as "eventId",
          ${event}.uuid as "eventUuid",
          ${event}.type as "eventType",
          ${event}.payload,
          delivery.attempts_made as "attemptsMade",
          delivery.order_key as "orderKey"
        from idle
        join delivery on delivery.webhook_id = idle.webhook_id
        cross join ${event}
      ),

      queued as (
        select workspace_id, webhook_id
        from delivery
        where lease_token is null
      )`;

export const createFanOut = (
  onQueued: OnQueued,
  beginEarlyClaim: (workspaceId: number) => EarlyClaim<ClaimedDelivery> | null = () => null,
): FanOut => ({
  sql: (event, { claims }) => (claims ? claimSql(event) : queueSql(event)),
  onQueued,
  beginEarlyClaim,
});

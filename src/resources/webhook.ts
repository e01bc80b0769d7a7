import { type Static, Type } from "typebox";
import { EVENT_FILTER, Id, NullableString, NullableTimestamp, oneOf, Timestamp, Uuid } from "./common.ts";

export const WebhookRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String({ "x-event-pattern": true })),
    headers: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    retry_count: Type.Integer({ minimum: 0, maximum: 10 }),
    timeout_seconds: Type.Integer({ minimum: 5, maximum: 60 }),
    skip_own_events: Type.Boolean({
      description:
        "Leave out events caused by the key that created the webhook. Messages from contacts are always sent.",
    }),
    ordered: Type.Boolean({
      description:
        "Send the events of one conversation in their order: the next one when the one before it has succeeded or will not be retried.",
    }),
    filter: Type.Unsafe<Record<string, unknown> | null>({
      type: ["object", "null"],
      additionalProperties: true,
      ...EVENT_FILTER,
      description: "Which of the events it gets: an object that mirrors the event. Null: all of them.",
    }),
    template: Type.Unsafe<unknown>({
      description:
        "The JSON value that is sent instead of the event, with `{{ placeholders }}`. Null: the event itself.",
      examples: [null],
    }),
    rate_limit: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: 1_000,
      description: "Deliveries per second over all nodes; what is above waits. Null: no limit.",
    }),
    is_active: Type.Boolean(),
    disabled_reason: NullableString,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Webhook" },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

export const WebhookWithSecret = Type.Object(
  { ...WebhookRecord.properties, secret: Type.String({ description: "Signing secret: `whsec_` and base64." }) },
  { title: "WebhookWithSecret" },
);

export const WebhookHealth = Type.Object(
  {
    pending: Type.Integer({
      minimum: 0,
      description: "Deliveries that are not finished; 10,000 means 10,000 or more.",
    }),
    oldest_pending_at: NullableTimestamp,
    breaker: oneOf(["closed", "open", "half_open"], {
      description: "`open`: the destination does not respond, and nothing is sent until `breaker_until`.",
    }),
    breaker_until: NullableTimestamp,
    failing_since: NullableTimestamp,
    attempts_24h: Type.Integer({ minimum: 0 }),
    delivered_24h: Type.Integer({ minimum: 0 }),
    failed_24h: Type.Integer({ minimum: 0 }),
  },
  { title: "WebhookHealth" },
);
export type WebhookHealth = Static<typeof WebhookHealth>;

export const WebhookWithHealth = Type.Object(
  { ...WebhookRecord.properties, health: WebhookHealth },
  { title: "WebhookWithHealth" },
);

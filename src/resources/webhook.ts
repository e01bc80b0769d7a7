import { type Static, Type } from "typebox";
import { Id, NullableString, Timestamp, Uuid } from "./common.ts";

export const WebhookRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    headers: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    retry_count: Type.Integer({ minimum: 0, maximum: 10 }),
    timeout_seconds: Type.Integer({ minimum: 5, maximum: 60 }),
    skip_own_events: Type.Boolean({ description: "Leave out events caused by the key that made the webhook." }),
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

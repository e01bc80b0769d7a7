import { type Static, Type } from "typebox";
import { Id, NullableTimestamp, oneOf, Timestamp, Uuid } from "./common.ts";

export const ApiKeyRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    description: Type.String(),
    type: oneOf(["full", "limited", "webhook", "bot"]),
    abilities: Type.Array(Type.String(), { description: "`*` means all that the type may hold." }),
    rate_limit_tier: Type.String(),
    is_active: Type.Boolean({ description: "False when paused, expired or revoked." }),
    last_used_at: NullableTimestamp,
    created_at: Timestamp,
    rotated_at: NullableTimestamp,
    expires_at: NullableTimestamp,
    allowed_ips: Type.Array(Type.String(), { description: "CIDRs; empty: from anywhere." }),
    revoked_at: NullableTimestamp,
  },
  { title: "ApiKey" },
);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** What create and rotate answer: the only times the secret is shown. */
export const ApiKeyWithSecret = Type.Object(
  { ...ApiKeyRecord.properties, key: Type.String({ description: "The secret. It is shown this once." }) },
  { title: "ApiKeyWithSecret" },
);

import { type Static, Type } from "typebox";
import {
  Id,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  nullableString,
  nullableTimestamp,
  oneOf,
  Timestamp,
  Uuid,
} from "./common.ts";

const CREATOR_TYPES = ["user", "api_key", "bot", "system"] as const;

export const ApiKeyRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    description: Type.String(),
    type: oneOf(["full", "limited", "webhook", "bot"]),
    abilities: Type.Array(Type.String(), { description: "`*` means every scope that the type may hold." }),
    rate_limit_tier: Type.String(),
    is_active: Type.Boolean({ description: "False when paused, expired or revoked." }),
    last_used_at: NullableTimestamp,
    created_at: Timestamp,
    rotated_at: NullableTimestamp,
    expires_at: NullableTimestamp,
    allowed_ips: Type.Array(Type.String(), { description: "CIDRs; empty: from anywhere." }),
    revoked_at: NullableTimestamp,
    secret_prefix: nullableString("The beginning of the current secret; null if it does not have our own format."),
    last_four: nullableString("The last four characters of the current secret."),
    old_secret_expires_at: nullableTimestamp(
      "Until then the secret before the last rotation is accepted too; null when there is none.",
    ),
    created_by: Type.Unsafe<{ type: string; id: number | null; name: string | null } | null>({
      type: ["object", "null"],
      properties: { type: oneOf(CREATOR_TYPES), id: NullableInteger, name: NullableString },
      required: ["type", "id", "name"],
      description: "Who created it; null if unknown.",
    }),
  },
  { title: "ApiKey" },
);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** What create and rotate return: the only times the secret is shown. */
export const ApiKeyWithSecret = Type.Object(
  { ...ApiKeyRecord.properties, key: Type.String({ description: "The secret. It is shown only once." }) },
  { title: "ApiKeyWithSecret" },
);

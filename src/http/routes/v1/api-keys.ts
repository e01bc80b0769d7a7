import { Type } from "typebox";
import { keyJsonReader } from "../../../auth/key-list.ts";
import { findKey } from "../../../auth/key-record.ts";
import { defaultAbilities, keyProblems, requireScopesWithin } from "../../../auth/key-rules.ts";
import { createKey, findManageable, revokeKey, revokeOldSecret, rotateKey, updateKey } from "../../../auth/keys.ts";
import { KEY_TYPES } from "../../../auth/scopes.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import { problems } from "../../../core/errors.ts";
import { parseTimestamp } from "../../../core/timestamps.ts";
import { createRowLock } from "../../../db/row-lock.ts";
import { ApiKeyRecord, ApiKeyWithSecret } from "../../../resources/api-key.ts";
import { oneOf, optionalBoolean, optionalString } from "../../../resources/common.ts";
import { PageQuery, readWhole, UNPAGED_MAX } from "../../pipeline/paging.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { InvalidPart } from "../../pipeline/validation.ts";
import { requireMatch, withEtag } from "../../pipeline/versions.ts";
import { route } from "./services.ts";

const lockKeyRow = createRowLock("api_keys");

const access = "api-keys:manage";

const CREATED = "API key created successfully.";
const Name = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 255,
  pattern: NAME_PATTERN,
  examples: ["Order service"],
});
const Description = Type.String({ maxLength: 2_000, examples: ["Writes messages about orders."] });
const Abilities = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 64,
  description:
    "Scopes; `*` is every scope that the type may hold, `webhooks:*` a group. A `limited` key must name each scope.",
});
const Tier = Type.String({
  maxLength: 32,
  description: "`low`, `standard`, `high`, `unlimited`, or a tier that the operator configured.",
});
const AllowedIps = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description: "Addresses or CIDR ranges from which the key may be used; empty: from anywhere.",
});

const CreateBody = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  type: Type.Optional(oneOf(KEY_TYPES, { description: "`full` by default." })),
  abilities: Type.Optional(Abilities),
  rate_limit_tier: Type.Optional(Tier),
  expires_at: Type.Optional(
    Type.Unsafe<Date>({ type: "string", format: "timestamp", description: "The key is refused after this time." }),
  ),
  allowed_ips: Type.Optional(AllowedIps),
});

const PatchBody = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  type: Type.Optional(oneOf(KEY_TYPES, { description: "Cannot be changed; only its present value is accepted." })),
  abilities: Type.Optional(Abilities),
  rate_limit_tier: Type.Optional(Tier),
  is_active: optionalBoolean("False pauses the key, true resumes it."),
  expires_at: optionalString(64, "An ISO 8601 timestamp; an empty string: never."),
  allowed_ips: Type.Optional(AllowedIps),
});

/** Fields that change by use and time, not by an update: they are not part of the version. */
const VOLATILE = ["last_used_at", "old_secret_expires_at"];

export const apiKeyRoutes = [
  route({
    method: "GET",
    path: "/api-keys",
    summary: "List API keys",
    description: `Newest first. All keys are returned, at most ${UNPAGED_MAX}, unless a page is asked for; with more keys the response has \`meta\`, and links to the rest.`,
    access,
    query: Type.Object({
      type: Type.Optional(oneOf(KEY_TYPES)),
      is_active: optionalBoolean("`true`, `false`, `1` or `0`."),
      search: optionalString(255, "Part of the name, case-insensitive; `%` and `_` are plain characters."),
      ...PageQuery,
    }),
    success: { status: 200, data: Type.Array(ApiKeyRecord), paged: "optional" },
    handler: async ({ caller, query }, { db }) => {
      const reader = keyJsonReader(db, caller.workspaceId, query);
      return { ...(await readWhole(reader, query, `${API_BASE}/api-keys`)), isJson: true };
    },
  }),
  route({
    method: "POST",
    path: "/api-keys",
    summary: "Create an API key",
    description:
      "The response holds `key`, the secret, which is shown only once. A key cannot create one with more scopes, a higher tier, a later expiry or more addresses than its own.",
    access,
    body: CreateBody,
    returnsKeySecret: true,
    success: { status: 201, data: ApiKeyWithSecret, message: CREATED },
    check: ({ caller, body, request: { validationError } }, { keys }) => {
      const type = body.type ?? "full";
      const found = keyProblems(keys.tiers, { ...body, type });
      const failed = validationError instanceof InvalidPart ? validationError.details : undefined;
      // 403 comes before 422, where the scopes were named and are understood.
      const named = body.type !== undefined || body.abilities !== undefined;
      if (named && !found.abilities && !failed?.abilities && !failed?.type)
        requireScopesWithin(caller, type, body.abilities ?? defaultAbilities(type));
      return problems({
        ...found,
        expires_at:
          body.expires_at && body.expires_at.getTime() <= Date.now() ? ["expires_at must be in the future."] : [],
      });
    },
    handler: ({ caller, body, write }, { keys }) =>
      write(async (tx) => ({
        data: await createKey(tx, keys, caller, body),
        message: CREATED,
      })),
  }),
  route({
    method: "GET",
    path: "/api-keys/{key}",
    summary: "Get an API key",
    access,
    success: { status: 200, data: ApiKeyRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findKey(db, caller.workspaceId, params.key), VOLATILE),
    }),
  }),
  route({
    method: "PATCH",
    path: "/api-keys/{key}",
    summary: "Update, pause or resume an API key",
    description:
      "With `If-Match` and the `ETag` of a read, a key that has changed since that read is not updated (412).",
    access,
    body: PatchBody,
    errors: ["CONFLICT", "PRECONDITION_FAILED"],
    success: { status: 200, data: ApiKeyRecord },
    exists: ({ caller, params }, { db, keys }) => findManageable(db, keys.tiers, caller, params.key),
    check: async ({ caller, params, body }, { db, keys }) => {
      const key = await findManageable(db, keys.tiers, caller, params.key);
      return problems({
        ...keyProblems(keys.tiers, { ...body, type: key.type, abilities: body.abilities ?? key.abilities }),
        type: body.type === undefined || body.type === key.type ? [] : ["type cannot be changed; create another key."],
        expires_at:
          expiryOf(body.expires_at) === "invalid"
            ? ["expires_at must be an ISO 8601 timestamp, or empty for never."]
            : [],
      });
    },
    handler: ({ caller, params, body, request, reply, write }, { keys }) => {
      const patch = { ...body, expires_at: expiryOf(body.expires_at) as Date | null | undefined };
      return write(async (tx) => {
        const readLocked = async () => {
          await lockKeyRow(tx, caller.workspaceId, params.key);
          return findKey(tx, caller.workspaceId, params.key);
        };
        await requireMatch(request, readLocked, VOLATILE);
        return { data: withEtag(reply, await updateKey(tx, keys, caller, { key: params.key, patch }), VOLATILE) };
      });
    },
  }),
  route({
    method: "DELETE",
    path: "/api-keys/{key}",
    summary: "Revoke an API key permanently",
    description: "It stays in the list, inactive, with `revoked_at`.",
    access,
    success: { status: 200, data: ApiKeyRecord },
    handler: ({ caller, params, write }, { keys }) =>
      write(async (tx) => ({ data: await revokeKey(tx, keys, caller, params.key) })),
  }),
  route({
    method: "POST",
    path: "/api-keys/{key}/rotate",
    summary: "Rotate the secret of an API key",
    description:
      "The id stays the same. The new secret is shown only once; the old one stays valid until the overlap ends.",
    access,
    body: Type.Object({
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 86_400, description: "0 by default.", examples: [3_600] }),
      ),
    }),
    returnsKeySecret: true,
    success: { status: 200, data: ApiKeyWithSecret },
    exists: ({ caller, params }, { db, keys }) => findManageable(db, keys.tiers, caller, params.key),
    handler: ({ caller, params, body, write }, { keys }) =>
      write(async (tx) => ({
        data: await rotateKey(tx, keys, caller, { key: params.key, overlapSeconds: body.overlap_seconds ?? 0 }),
      })),
  }),
  route({
    method: "POST",
    path: "/api-keys/{key}/revoke-old-secret",
    summary: "End the overlap of a rotation now",
    description:
      "The secret before the last rotation is refused from now on; the current one stays valid. Without an overlap nothing changes.",
    access,
    success: { status: 200, data: ApiKeyRecord },
    handler: ({ caller, params, write }, { keys }) =>
      write(async (tx) => ({ data: await revokeOldSecret(tx, keys, caller, params.key) })),
  }),
];

function expiryOf(text: string | undefined): Date | null | undefined | "invalid" {
  if (text === undefined) return undefined;
  return text === "" ? null : (parseTimestamp(text) ?? "invalid");
}

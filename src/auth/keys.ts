import { auditOf, changesBetween } from "../audit/audit.ts";
import type { Caller } from "../core/caller.ts";
import { conflict, found, invalid } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { formatTimestamp } from "../core/timestamps.ts";
import { readCell } from "../db/cell.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { requireQuota } from "../db/quota.ts";
import type { Outbox } from "../events/outbox.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { toCidrs } from "./allowed-ips.ts";
import { findKey } from "./key-record.ts";
import { defaultAbilities, keyProblems, requireWithin, TIER_DEFAULT, type TierTable } from "./key-rules.ts";
import { digestOf, newKeySecret, shownParts } from "./key-secret.ts";
import type { KeyType } from "./scopes.ts";

export interface KeyOptions {
  outbox: Outbox;
  tiers: TierTable;
  /** Keys of one workspace that are not revoked. */
  keysMax: number;
  /** Removes a key from this node's cache at once. */
  onChanged: (workspaceId: number, apiKeyId: number) => void;
}

export interface NewKey {
  name: string;
  description?: string | undefined;
  type?: KeyType | undefined;
  abilities?: string[] | undefined;
  rate_limit_tier?: string | undefined;
  expires_at?: Date | undefined;
  allowed_ips?: string[] | undefined;
}

export interface KeyPatch extends Partial<Omit<NewKey, "type" | "expires_at">> {
  /** Null: never. */
  expires_at?: Date | null | undefined;
  is_active?: boolean | undefined;
}

export type KeyWithSecret = ApiKeyRecord & { key: string };

const lockKey = sql(
  "key_lock",
  `select id, paused
   from api_keys
   where workspace_id = $1 and (id = $2 or uuid = $3)
   for update`,
);
const insertKey = sql(
  "key_insert",
  `insert into api_keys (
     workspace_id, uuid, name, description, type, abilities, rate_limit_tier, expires_at, allowed_ips, bootstrap,
     secret_prefix, last_four, creator_type, creator_id, creator_name
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
   returning id`,
);
const insertDigest = sql(
  "key_digest_insert",
  "insert into api_key_digests (digest, workspace_id, api_key_id) values ($1, $2, $3)",
);
const updateStatement = sql(
  "key_update",
  `update api_keys
   set name = $3, description = $4, abilities = $5, rate_limit_tier = $6, paused = $7, expires_at = $8,
       allowed_ips = $9, updated_at = now()
   where workspace_id = $1 and id = $2`,
);
const markRevoked = sql(
  "key_revoke",
  `update api_keys
   set revoked_at = now(), updated_at = now()
   where workspace_id = $1 and id = $2`,
);
const markRotated = sql(
  "key_rotate",
  `update api_keys
   set rotated_at = now(), updated_at = now(), secret_prefix = $3, last_four = $4
   where workspace_id = $1 and id = $2`,
);
// Only the current secret gets the overlap; one that is already on its way out keeps its own end, or an earlier one.
const retireDigests = sql(
  "key_digests_retire",
  `update api_key_digests
   set valid_until = least(valid_until, now() + make_interval(secs => $3))
   where workspace_id = $1 and api_key_id = $2`,
);
const dropExpiredDigests = sql(
  "key_digests_drop",
  "delete from api_key_digests where workspace_id = $1 and api_key_id = $2 and valid_until <= now()",
);
const dropOldDigests = sql(
  "key_digests_drop_old",
  `delete from api_key_digests
   where workspace_id = $1 and api_key_id = $2 and valid_until is not null
   returning valid_until > now() as was_valid`,
);
// The row lock on auth_revision is held to the commit: revisions become visible in their order.
const bumpRevision = sql(
  "key_revision",
  `with next as (update auth_revision set value = value + 1 returning value)

   update api_keys
   set revision = next.value
   from next
   where workspace_id = $1 and id = $2`,
);

const audit = auditOf("api_key");

/** A key that this caller may change or rotate: one that exists and can do no more than the caller. */
export async function findManageable(db: Queryable, tiers: TierTable, caller: Caller, ref: Ref): Promise<ApiKeyRecord> {
  const key = await findKey(db, caller.workspaceId, ref);
  requireWithin(caller, tiers, key);
  return key;
}

export async function createKey(
  tx: Tx,
  options: KeyOptions,
  caller: Caller,
  /** Only the bootstrap key brings its own secret. */
  input: NewKey & { bootstrapSecret?: string },
): Promise<KeyWithSecret> {
  const { workspaceId, actor } = caller;
  const type = input.type ?? "full";
  const abilities = [...new Set(input.abilities ?? defaultAbilities(type))];
  const tier = input.rate_limit_tier ?? TIER_DEFAULT;
  requireValid(options, { type, abilities, rate_limit_tier: tier, allowed_ips: input.allowed_ips });
  const allowedIps = toCidrs(input.allowed_ips) ?? [];
  const expiresAt = input.expires_at ?? null;
  requireWithin(caller, options.tiers, {
    type,
    abilities,
    rate_limit_tier: tier,
    expires_at: expiresAt,
    allowed_ips: allowedIps,
  });
  await requireQuota(tx, {
    workspaceId,
    collection: "api_keys",
    counting: "revoked_at is null",
    max: options.keysMax,
  });
  const secret = input.bootstrapSecret ?? newKeySecret(type, await readCell(tx));
  const [row] = await tx.query<{ id: number }>(insertKey, [
    ...[workspaceId, newUuid(), input.name, input.description ?? "", type, abilities, tier],
    ...[expiresAt, allowedIps.length > 0 ? allowedIps : null, input.bootstrapSecret !== undefined],
    ...shownParts(secret),
    ...[actor.type, actor.id, actor.name],
  ]);
  const { id } = row as { id: number };
  await tx.query(insertDigest, [digestOf(secret), workspaceId, id]);
  const key = await findKey(tx, workspaceId, { id });
  await audit(tx, caller, { id, action: "api_key.created" });
  await options.outbox.append(tx, { workspaceId, type: "api_key.created", data: key, actor });
  return { ...key, key: secret };
}

/** A patch that changes nothing leaves no trace: no new `updated_at`, no audit entry. */
export async function updateKey(
  tx: Tx,
  options: KeyOptions,
  caller: Caller,
  { key: ref, patch }: { key: Ref; patch: KeyPatch },
): Promise<ApiKeyRecord> {
  const { workspaceId } = caller;
  const { key: before, paused: wasPaused } = await lock(tx, workspaceId, ref);
  requireWithin(caller, options.tiers, before);
  if (before.revoked_at) throw conflict("The API key is revoked; a revoked key cannot be changed.");
  const expiresAt = patch.expires_at === undefined ? before.expires_at : patch.expires_at;
  const next = {
    name: patch.name ?? before.name,
    description: patch.description ?? before.description,
    abilities: patch.abilities ? [...new Set(patch.abilities)] : before.abilities,
    rate_limit_tier: patch.rate_limit_tier ?? before.rate_limit_tier,
    // Records have no fraction of a second, so a time within the same second is the same.
    expires_at: expiresAt instanceof Date ? formatTimestamp(expiresAt) : expiresAt,
    allowed_ips: toCidrs(patch.allowed_ips) ?? before.allowed_ips,
  };
  // A tier that the operator has since removed may stay; it cannot be chosen again.
  requireValid(options, { ...patch, type: before.type, abilities: next.abilities });
  requireWithin(caller, options.tiers, { ...before, ...next });
  if (patch.is_active && expiresAt !== null && new Date(expiresAt) <= new Date())
    throw conflict("The API key has expired; move `expires_at` to resume it.");
  const paused = patch.is_active === undefined ? wasPaused : !patch.is_active;
  if (paused === wasPaused && Object.keys(changesBetween(before, next)).length === 0) return before;
  await tx.query(updateStatement, [
    ...[workspaceId, before.id, next.name, next.description, next.abilities, next.rate_limit_tier, paused],
    ...[expiresAt, next.allowed_ips.length > 0 ? next.allowed_ips : null],
  ]);
  await announceChange(tx, options, workspaceId, before.id);
  const key = await findKey(tx, workspaceId, { id: before.id });
  await audit(tx, caller, {
    id: key.id,
    action: paused === wasPaused ? "api_key.updated" : paused ? "api_key.paused" : "api_key.resumed",
    changes: changesBetween(before, { ...next, is_active: key.is_active }),
  });
  return key;
}

/** Revokes permanently: the key stays in the list, inactive, with `revoked_at`. Revoking twice changes nothing. */
export async function revokeKey(tx: Tx, options: KeyOptions, caller: Caller, ref: Ref): Promise<ApiKeyRecord> {
  const { workspaceId, actor } = caller;
  const { key: before } = await lock(tx, workspaceId, ref);
  if (before.revoked_at) return before;
  await tx.query(markRevoked, [workspaceId, before.id]);
  await announceChange(tx, options, workspaceId, before.id);
  const key = await findKey(tx, workspaceId, { id: before.id });
  await audit(tx, caller, { id: key.id, action: "api_key.revoked" });
  await options.outbox.append(tx, { workspaceId, type: "api_key.revoked", data: key, actor });
  return key;
}

/** Same id, new secret; the old one stays valid until the overlap ends. */
export async function rotateKey(
  tx: Tx,
  options: KeyOptions,
  caller: Caller,
  { key: ref, overlapSeconds }: { key: Ref; overlapSeconds: number },
): Promise<KeyWithSecret> {
  const { workspaceId, actor } = caller;
  const { key: before } = await lock(tx, workspaceId, ref);
  requireWithin(caller, options.tiers, before);
  if (before.revoked_at) throw conflict("The API key is revoked; a revoked key cannot be rotated.");
  const secret = newKeySecret(before.type, await readCell(tx));
  await tx.query(retireDigests, [workspaceId, before.id, overlapSeconds]);
  await tx.query(dropExpiredDigests, [workspaceId, before.id]);
  await tx.query(insertDigest, [digestOf(secret), workspaceId, before.id]);
  await tx.query(markRotated, [workspaceId, before.id, ...shownParts(secret)]);
  await announceChange(tx, options, workspaceId, before.id);
  const key = await findKey(tx, workspaceId, { id: before.id });
  await audit(tx, caller, { id: key.id, action: "api_key.rotated", changes: { overlap_seconds: overlapSeconds } });
  await options.outbox.append(tx, { workspaceId, type: "api_key.rotated", data: key, actor });
  return { ...key, key: secret };
}

/** Ends the overlap of a rotation before its time. Without an old secret nothing changes. */
export async function revokeOldSecret(tx: Tx, options: KeyOptions, caller: Caller, ref: Ref): Promise<ApiKeyRecord> {
  const { workspaceId } = caller;
  const { key: before } = await lock(tx, workspaceId, ref);
  const dropped = await tx.query<{ was_valid: boolean }>(dropOldDigests, [workspaceId, before.id]);
  if (!dropped.some((digest) => digest.was_valid)) return before;
  await announceChange(tx, options, workspaceId, before.id);
  await audit(tx, caller, {
    id: before.id,
    action: "api_key.old_secret_revoked",
    changes: { old_secret_expires_at: { from: before.old_secret_expires_at, to: null } },
  });
  return findKey(tx, workspaceId, { id: before.id });
}

async function lock(tx: Tx, workspaceId: number, ref: Ref): Promise<{ key: ApiKeyRecord; paused: boolean }> {
  const rows = await tx.query<{ id: number; paused: boolean }>(lockKey, [workspaceId, ...refValues(ref)]);
  const { id, paused } = found("API key", rows);
  return { key: await findKey(tx, workspaceId, { id }), paused };
}

/** Other nodes find the new revision with their next poll; this one drops the key from its cache at once. */
export async function announceChange(
  tx: Tx,
  options: Pick<KeyOptions, "onChanged">,
  workspaceId: number,
  apiKeyId: number,
): Promise<void> {
  await tx.query(bumpRevision, [workspaceId, apiKeyId]);
  tx.afterCommit(() => options.onChanged(workspaceId, apiKeyId));
}

function requireValid({ tiers }: KeyOptions, input: Parameters<typeof keyProblems>[1]): void {
  const wrong = keyProblems(tiers, input);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

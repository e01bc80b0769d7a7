import { recordAudit } from "../audit/audit.ts";
import type { Origin } from "../core/actor.ts";
import { conflict, type FieldErrors, forbidden, invalid, notFound, problems } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { cidrProblems, toCidrs } from "./allowed-ips.ts";
import { digestOf, newKeySecret } from "./key-secret.ts";
import { abilityProblems, effectiveScopes, isWiderThan, type KeyType, type Scope } from "./scopes.ts";

/** The bounds within which a maker may act: nobody hands out more than they hold. Null: an operator, without bounds. */
export type Authority = ReadonlySet<Scope> | null;

export interface KeyDeps {
  outbox: Outbox;
  /** The tiers an operator has configured. */
  tiers: readonly string[];
  /** Forget what is known of a key, on this node, at once. */
  onChanged: (workspaceId: number, keyId: number) => void;
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

export const ACTIVE = "(not k.paused and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))";

export const KEY_COLUMNS = `k.id, k.uuid, k.name, k.description, k.type, k.abilities, k.rate_limit_tier, ${ACTIVE} as is_active,
  u.last_used_at, k.created_at, k.rotated_at, k.expires_at, coalesce(k.allowed_ips, '{}') as allowed_ips, k.revoked_at`;

export const KEY_FROM =
  "api_keys k left join api_key_last_used u on u.workspace_id = k.workspace_id and u.api_key_id = k.id";

const findKeyStatement = sql(
  "key_find",
  `select ${KEY_COLUMNS} from ${KEY_FROM} where k.workspace_id = $1 and (k.id = $2 or k.uuid = $3)`,
);
const lockKey = sql(
  "key_lock",
  "select id from api_keys where workspace_id = $1 and (id = $2 or uuid = $3) for update",
);
const insertKey = sql(
  "key_insert",
  `insert into api_keys (workspace_id, uuid, name, description, type, abilities, rate_limit_tier, expires_at, allowed_ips, bootstrap)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
);
const insertDigest = sql(
  "key_digest_insert",
  "insert into api_key_digests (digest, workspace_id, api_key_id) values ($1, $2, $3)",
);
const updateKey = sql(
  "key_update",
  `update api_keys set name = $3, description = $4, abilities = $5, rate_limit_tier = $6, paused = $7, expires_at = $8,
     allowed_ips = $9, updated_at = now() where workspace_id = $1 and id = $2`,
);
const markRevoked = sql(
  "key_revoke",
  "update api_keys set revoked_at = now(), updated_at = now() where workspace_id = $1 and id = $2",
);
const markRotated = sql(
  "key_rotate",
  "update api_keys set rotated_at = now(), updated_at = now() where workspace_id = $1 and id = $2",
);
// Only the current secret gets the overlap; one that is already on its way out keeps its own end, or an earlier one.
const retireDigests = sql(
  "key_digests_retire",
  `update api_key_digests set valid_until = least(valid_until, now() + make_interval(secs => $3))
   where workspace_id = $1 and api_key_id = $2`,
);
const dropDeadDigests = sql(
  "key_digests_drop",
  "delete from api_key_digests where workspace_id = $1 and api_key_id = $2 and valid_until <= now()",
);
// The row lock on auth_revision is held to the commit: revisions become visible in their order.
const bumpRevision = sql(
  "key_revision",
  `with next as (update auth_revision set value = value + 1 returning value)
   update api_keys set revision = next.value from next where workspace_id = $1 and id = $2`,
);

export async function findKey(db: Queryable, workspaceId: number, ref: Ref): Promise<ApiKeyRecord> {
  const [key] = await db.query<ApiKeyRecord>(findKeyStatement, [workspaceId, ...refValues(ref)]);
  if (!key) throw notFound("API key");
  return key;
}

/** A key that this authority may change or rotate: one that exists and is no wider than itself. */
export async function findManageable(
  db: Queryable,
  workspaceId: number,
  authority: Authority,
  ref: Ref,
): Promise<ApiKeyRecord> {
  const key = await findKey(db, workspaceId, ref);
  requireWithin(authority, key.type, key.abilities);
  return key;
}

export async function createKey(
  tx: Tx,
  deps: KeyDeps,
  origin: Origin,
  workspaceId: number,
  authority: Authority,
  input: NewKey,
  /** Only the bootstrap key brings its own secret. */
  bootstrapSecret?: string,
): Promise<ApiKeyRecord & { key: string }> {
  const type = input.type ?? "full";
  const abilities = [...new Set(input.abilities ?? (type === "limited" ? [] : ["*"]))];
  const tier = input.rate_limit_tier ?? "standard";
  requireValid(deps, type, abilities, tier, input.allowed_ips);
  requireWithin(authority, type, abilities);
  const allowedIps = toCidrs(input.allowed_ips);
  const secret = bootstrapSecret ?? newKeySecret(type);
  const [row] = await tx.query<{ id: number }>(insertKey, [
    workspaceId,
    newUuid(),
    input.name,
    input.description ?? "",
    type,
    abilities,
    tier,
    input.expires_at ?? null,
    allowedIps?.length ? allowedIps : null,
    bootstrapSecret !== undefined,
  ]);
  const { id } = row as { id: number };
  await tx.query(insertDigest, [digestOf(secret), workspaceId, id]);
  const key = await findKey(tx, workspaceId, { id });
  await recordAudit(tx, origin, { workspaceId, action: "api_key.created", resource: { type: "api_key", id } });
  await deps.outbox.append(tx, { workspaceId, type: "api_key.created", data: key, actor: origin.actor });
  return { ...key, key: secret };
}

export async function patchKey(
  tx: Tx,
  deps: KeyDeps,
  origin: Origin,
  workspaceId: number,
  authority: Authority,
  ref: Ref,
  patch: KeyPatch,
): Promise<ApiKeyRecord> {
  const before = await lock(tx, workspaceId, ref);
  requireWithin(authority, before.type, before.abilities);
  if (before.revoked_at) throw conflict("The API key is revoked; a revoked key cannot be changed.");
  const abilities = patch.abilities ? [...new Set(patch.abilities)] : before.abilities;
  const tier = patch.rate_limit_tier ?? before.rate_limit_tier;
  // A tier that the operator has since removed may stay; it only cannot be chosen anew.
  requireValid(deps, before.type, abilities, patch.rate_limit_tier, patch.allowed_ips);
  requireWithin(authority, before.type, abilities);
  const [state] = await tx.query<{ paused: boolean }>(readPaused, [workspaceId, before.id]);
  const paused = patch.is_active === undefined ? (state?.paused ?? false) : !patch.is_active;
  const expiresAt = patch.expires_at === undefined ? before.expires_at : patch.expires_at;
  if (patch.is_active && expiresAt !== null && new Date(expiresAt) <= new Date())
    throw conflict("The API key has expired; move `expires_at` to resume it.");
  const allowedIps = toCidrs(patch.allowed_ips) ?? before.allowed_ips;
  await tx.query(updateKey, [
    workspaceId,
    before.id,
    patch.name ?? before.name,
    patch.description ?? before.description,
    abilities,
    tier,
    paused,
    expiresAt,
    allowedIps.length ? allowedIps : null,
  ]);
  await announceChange(tx, deps, workspaceId, before.id);
  const after = await findKey(tx, workspaceId, { id: before.id });
  const action = paused === state?.paused ? "api_key.updated" : paused ? "api_key.paused" : "api_key.resumed";
  await recordAudit(tx, origin, {
    workspaceId,
    action,
    resource: { type: "api_key", id: before.id },
    changes: differences(before, after),
  });
  return after;
}

/** For good: the key stays in the list, inactive, with `revoked_at`. Revoking twice changes nothing. */
export async function revokeKey(
  tx: Tx,
  deps: KeyDeps,
  origin: Origin,
  workspaceId: number,
  ref: Ref,
): Promise<ApiKeyRecord> {
  const before = await lock(tx, workspaceId, ref);
  if (before.revoked_at) return before;
  await tx.query(markRevoked, [workspaceId, before.id]);
  await announceChange(tx, deps, workspaceId, before.id);
  const key = await findKey(tx, workspaceId, { id: before.id });
  await recordAudit(tx, origin, { workspaceId, action: "api_key.revoked", resource: { type: "api_key", id: key.id } });
  await deps.outbox.append(tx, { workspaceId, type: "api_key.revoked", data: key, actor: origin.actor });
  return key;
}

/** Same id, new secret; the old one stays valid until the overlap ends. */
export async function rotateKey(
  tx: Tx,
  deps: KeyDeps,
  origin: Origin,
  workspaceId: number,
  authority: Authority,
  ref: Ref,
  overlapSeconds: number,
): Promise<ApiKeyRecord & { key: string }> {
  const before = await lock(tx, workspaceId, ref);
  requireWithin(authority, before.type, before.abilities);
  if (before.revoked_at) throw conflict("The API key is revoked; a revoked key cannot be rotated.");
  const secret = newKeySecret(before.type);
  await tx.query(retireDigests, [workspaceId, before.id, overlapSeconds]);
  await tx.query(dropDeadDigests, [workspaceId, before.id]);
  await tx.query(insertDigest, [digestOf(secret), workspaceId, before.id]);
  await tx.query(markRotated, [workspaceId, before.id]);
  await announceChange(tx, deps, workspaceId, before.id);
  const key = await findKey(tx, workspaceId, { id: before.id });
  await recordAudit(tx, origin, {
    workspaceId,
    action: "api_key.rotated",
    resource: { type: "api_key", id: key.id },
    changes: { overlap_seconds: overlapSeconds },
  });
  await deps.outbox.append(tx, { workspaceId, type: "api_key.rotated", data: key, actor: origin.actor });
  return { ...key, key: secret };
}

const readPaused = sql("key_paused", "select paused from api_keys where workspace_id = $1 and id = $2");

async function lock(tx: Tx, workspaceId: number, ref: Ref): Promise<ApiKeyRecord> {
  const [row] = await tx.query<{ id: number }>(lockKey, [workspaceId, ...refValues(ref)]);
  if (!row) throw notFound("API key");
  return findKey(tx, workspaceId, { id: row.id });
}

/** Tells every node: those elsewhere find the new revision within their next poll, this one forgets at once. */
export async function announceChange(
  tx: Tx,
  deps: Pick<KeyDeps, "onChanged">,
  workspaceId: number,
  keyId: number,
): Promise<void> {
  await tx.query(bumpRevision, [workspaceId, keyId]);
  tx.afterCommit(() => deps.onChanged(workspaceId, keyId));
}

/** What is wrong with a key's abilities, tier and addresses; nothing when all is well. */
export function keyProblems(
  deps: KeyDeps,
  type: KeyType,
  abilities: string[] | undefined,
  tier: string | undefined,
  allowedIps: string[] | undefined,
): FieldErrors {
  const given = abilities ?? (type === "limited" ? [] : ["*"]);
  return problems({
    abilities:
      given.length === 0
        ? [`abilities must name at least one scope for a key of type ${type}.`]
        : abilityProblems(type, given),
    rate_limit_tier:
      tier !== undefined && !deps.tiers.includes(tier)
        ? [`rate_limit_tier must be one of: ${deps.tiers.join(", ")}.`]
        : [],
    allowed_ips: cidrProblems("allowed_ips", allowedIps),
  });
}

function requireValid(
  deps: KeyDeps,
  type: KeyType,
  abilities: string[],
  tier: string | undefined,
  allowedIps: string[] | undefined,
): void {
  const found = keyProblems(deps, type, abilities, tier, allowedIps);
  if (Object.keys(found).length > 0) throw invalid(found);
}

export function requireWithin(authority: Authority, type: KeyType, abilities: readonly string[]): void {
  if (authority && isWiderThan(effectiveScopes(type, abilities), authority))
    throw forbidden("The API key would be wider than the key that makes this request.");
}

function differences(before: ApiKeyRecord, after: ApiKeyRecord): Record<string, unknown> {
  const fields = [
    "name",
    "description",
    "abilities",
    "rate_limit_tier",
    "is_active",
    "expires_at",
    "allowed_ips",
  ] as const;
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

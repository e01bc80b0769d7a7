import { type Database, sql, type Tx } from "../db/database.ts";
import { digestOf, shownParts } from "./key-secret.ts";
import { announceChange, createKey, type KeyOptions } from "./keys.ts";
import { operatorCaller } from "./operator.ts";

const lockBootstrap = sql("bootstrap_lock", "select 1 from installation for update");
const findBootstrap = sql("bootstrap_find", "select workspace_id, id from api_keys where bootstrap");
const findOwner = sql("bootstrap_digest", "select workspace_id, api_key_id from api_key_digests where digest = $1");
const findMove = sql("bootstrap_move", "select move_state from workspaces where id = $1 and move_state is not null");
const adopt = sql("bootstrap_adopt", "update api_keys set bootstrap = true where workspace_id = $1 and id = $2");
// Its digests go with it: what was replaced must not open anything.
const retire = sql(
  "bootstrap_retire",
  `update api_keys
   set bootstrap = false, revoked_at = coalesce(revoked_at, now()), updated_at = now()
   where workspace_id = $1 and id = $2`,
);
const restore = sql(
  "bootstrap_restore",
  `update api_keys
   set type = 'full', abilities = '{*}', rate_limit_tier = 'unlimited', paused = false, revoked_at = null,
       expires_at = null, allowed_ips = null, secret_prefix = $3, last_four = $4, updated_at = now()
   where workspace_id = $1 and id = $2`,
);
const dropDigests = sql(
  "bootstrap_digests_drop",
  "delete from api_key_digests where workspace_id = $1 and api_key_id = $2 and digest <> $3",
);
const putDigest = sql(
  "bootstrap_digest_put",
  `insert into api_key_digests (digest, workspace_id, api_key_id) values ($1, $2, $3)
   on conflict (digest) do update set valid_until = null`,
);

/**
 * After this an active `full` key with abilities `*`, tier `unlimited` and exactly this secret exists. A changed value
 * replaces the secret of the same key; a key that was paused or revoked since comes back, since the operator says so.
 * A key whose workspace is moving or has moved to another cell is left alone. Returns whether the key is in this cell.
 */
export async function ensureBootstrapKey(
  db: Database,
  options: KeyOptions,
  workspaceId: number,
  secret: string,
): Promise<boolean> {
  return db.transaction(async (tx: Tx) => {
    await tx.query(lockBootstrap);
    const digest = digestOf(secret);
    const [owner] = await tx.query<{ workspace_id: number; api_key_id: number }>(findOwner, [digest]);
    const [existing] = await tx.query<{ workspace_id: number; id: number }>(findBootstrap);
    const id = owner?.api_key_id ?? existing?.id;
    const home = owner?.workspace_id ?? existing?.workspace_id ?? workspaceId;
    if (id === undefined) {
      await createKey(tx, options, operatorCaller(workspaceId), {
        name: "Bootstrap",
        description: "Created from PARLEY_BOOTSTRAP_API_KEY.",
        rate_limit_tier: "unlimited",
        bootstrapSecret: secret,
      });
      return true;
    }
    if ((await tx.query(findMove, [home])).length > 0) return false;
    if (owner && existing && existing.id !== owner.api_key_id) {
      await tx.query(retire, [existing.workspace_id, existing.id]);
      await tx.query(dropDigests, [existing.workspace_id, existing.id, digest]);
      await announceChange(tx, options, existing.workspace_id, existing.id);
    }
    await tx.query(adopt, [home, id]);
    await tx.query(restore, [home, id, ...shownParts(secret)]);
    await tx.query(dropDigests, [home, id, digest]);
    await tx.query(putDigest, [digest, home, id]);
    await announceChange(tx, options, home, id);
    return true;
  });
}

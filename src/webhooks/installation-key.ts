import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { sealContext } from "./settings.ts";

const read = sql("secret_key_id", "select secret_key_id from installation");
const write = sql(
  "secret_key_id_set",
  "update installation set secret_key_id = $1 where secret_key_id is distinct from $1",
);

const BATCH = 200;
const findOthers = sql(
  "reseal_find",
  `select workspace_id, id, uuid, headers_sealed, secret_sealed, previous_secrets from webhooks
   where not starts_with(secret_sealed, $1) or not starts_with(headers_sealed, $1)
     or exists (select from jsonb_array_elements(previous_secrets) old where not starts_with(old ->> 'sealed', $1))
   order by workspace_id, id limit ${BATCH} for update`,
);
const reseal = sql(
  "reseal",
  `update webhooks set headers_sealed = $3, secret_sealed = $4, previous_secrets = $5, version = version + 1
   where workspace_id = $1 and id = $2`,
);

/**
 * Refuses to start with a key that cannot open what is already sealed: better than deliveries that nobody can sign. Where
 * a new key stands before the old one, everything is sealed again with the new one, so the old one may then be removed.
 */
export async function settleSecretKey(db: Database, box: SecretBox): Promise<void> {
  const [row] = await db.query<{ secret_key_id: string | null }>(read);
  const known = row?.secret_key_id;
  if (known && !box.keyIds.includes(known))
    throw new Error(
      "The secrets in this database were sealed with another key. Set PARLEY_SECRET_KEY to the key it was set up with " +
        "(or copy secret.key from that data directory); to change the key, give both, the new one first.",
    );
  if (box.keyIds.length > 1) while ((await db.transaction((tx) => resealSome(tx, box))) === BATCH);
  await db.query(write, [box.keyId]);
}

interface SealedRow {
  workspace_id: number;
  id: number;
  uuid: string;
  headers_sealed: string;
  secret_sealed: string;
  previous_secrets: { sealed: string; ends_at: string }[];
}

async function resealSome(tx: Tx, box: SecretBox): Promise<number> {
  const rows = await tx.query<SealedRow>(findOthers, [`${box.keyId}.`]);
  for (const row of rows) {
    const again = (sealed: string, part: "secret" | "headers") =>
      box.seal(box.open(sealed, sealContext(part, row.uuid)), sealContext(part, row.uuid));
    await tx.query(reseal, [
      row.workspace_id,
      row.id,
      again(row.headers_sealed, "headers"),
      again(row.secret_sealed, "secret"),
      JSON.stringify(row.previous_secrets.map((old) => ({ ...old, sealed: again(old.sealed, "secret") }))),
    ]);
  }
  return rows.length;
}

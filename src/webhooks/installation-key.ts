import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql } from "../db/database.ts";

const read = sql("secret_key_id", "select secret_key_id from installation");
const write = sql(
  "secret_key_id_set",
  "update installation set secret_key_id = $1 where secret_key_id is distinct from $1",
);

/**
 * Notes which key seals secrets here, and refuses to start with one that cannot open what is already sealed: better
 * than deliveries that nobody can sign.
 */
export async function rememberSecretKey(db: Database, box: SecretBox): Promise<void> {
  const [row] = await db.query<{ secret_key_id: string | null }>(read);
  const known = row?.secret_key_id;
  if (known && !box.keyIds.includes(known))
    throw new Error(
      "The secrets in this database were sealed with another key. Set PARLEY_SECRET_KEY to the key it was set up with " +
        "(or copy secret.key from that data directory); to change the key, give both, the new one first.",
    );
  await db.query(write, [box.keyId]);
}

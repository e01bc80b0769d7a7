import { createSecretBox, type SecretBox } from "../core/secret-box.ts";
import { readOrCreateSecretKey, readSecretKey } from "../core/secret-key-file.ts";
import { type Database, type Queryable, sql } from "../db/database.ts";
import { BATCH, RESEALS } from "./sealed-values.ts";

const read = sql("secret_key_id", "select secret_key_id from installation");
const write = sql(
  "secret_key_id_set",
  "update installation set secret_key_id = $1 where secret_key_id is distinct from $1",
);

/** Where the key comes from: PARLEY_SECRET_KEY, or a file in the data directory. */
interface KeySource {
  /** Null: the file. */
  keys: readonly string[] | null;
  dataDir: string;
}

/**
 * Refuses a key that cannot open what is already sealed: better than deliveries that nobody can sign. Where a new key
 * stands before the old one, everything is sealed again with the new one, so that the old one may then be removed.
 */
export async function openSecretBox(db: Database, source: KeySource): Promise<SecretBox> {
  const problem = await findKeyProblem(db, source);
  if (problem !== null) throw new Error(problem);
  const box = createSecretBox(source.keys ?? [readOrCreateSecretKey(source.dataDir)]);
  if (box.keyIds.length > 1)
    for (const reseal of RESEALS) while ((await db.transaction((tx) => reseal(tx, box))) === BATCH);
  await writeKeyId(db, box);
  return box;
}

const IF_LOST = "If it is lost: docs/running-for-years.md#the-secret-key-is-lost.";

/**
 * Why the key cannot open what is sealed; null: it can. A missing file is a reason too, and none is generated then: next to
 * a database that has a key it would look like that one.
 */
export async function findKeyProblem(db: Queryable, { keys, dataDir }: KeySource): Promise<string | null> {
  const known = await readKeyId(db);
  if (known === null) return null;
  const inFile = keys ? null : readSecretKey(dataDir);
  const held = keys ?? (inFile === null ? null : [inFile]);
  if (held === null)
    return (
      `There is no secret.key in ${dataDir}, and the secrets in this database were sealed with one. Copy that file back, ` +
      `or set PARLEY_SECRET_KEY to its content. ${IF_LOST}`
    );
  if (createSecretBox(held).keyIds.includes(known)) return null;
  return (
    "The secrets in this database were sealed with another key. Set PARLEY_SECRET_KEY to the key it was set up with " +
    `(or copy secret.key from that data directory); to change the key, give both, the new one first. ${IF_LOST}`
  );
}

export async function readKeyId(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ secret_key_id: string | null }>(read);
  return row?.secret_key_id ?? null;
}

export const writeKeyId = (db: Queryable, box: SecretBox): Promise<unknown> => db.query(write, [box.keyId]);

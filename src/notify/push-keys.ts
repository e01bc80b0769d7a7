import { createECDH } from "node:crypto";
import { type CryptoKey, importJWK, SignJWT } from "jose";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";

/** How push services know this installation (RFC 8292). */
export interface PushKeys {
  /** What a browser subscribes with: 65 bytes, base64url. */
  publicKey: string;
  /** The `Authorization` of a push to this origin. */
  authorization(origin: string): Promise<string>;
}

interface StoredKeys {
  push_public_key: string;
  push_private_key_sealed: string;
}

const HOURS_VALID = 12;

// Of nodes that start at the same moment the first one stores its keys.
const storeStatement = sql(
  "push_keys_store",
  "update installation set push_public_key = $1, push_private_key_sealed = $2 where push_public_key is null",
);
const readStatement = sql(
  "push_keys",
  "select push_public_key, push_private_key_sealed from installation where push_public_key is not null",
);

export const pushKeyContext = (): string => "installation:push-key";

/** Made at the first start, and kept: a subscription belongs to the key that it was made with. */
export async function openPushKeys(db: Queryable, box: SecretBox, subject: string): Promise<PushKeys> {
  const [known] = await db.query<StoredKeys>(readStatement);
  const stored = known ?? (await storeNew(db, box));
  const key = await signingKey(stored.push_public_key, box.open(stored.push_private_key_sealed, pushKeyContext()));
  return {
    publicKey: stored.push_public_key,
    async authorization(origin) {
      const token = await new SignJWT()
        .setProtectedHeader({ typ: "JWT", alg: "ES256" })
        .setAudience(origin)
        .setSubject(subject)
        .setExpirationTime(`${HOURS_VALID}h`)
        .sign(key);
      return `vapid t=${token}, k=${stored.push_public_key}`;
    },
  };
}

async function storeNew(db: Queryable, box: SecretBox): Promise<StoredKeys> {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // Without its leading zeros, which a JWK has to have.
  const privateKey = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
  await db.query(storeStatement, [publicKey, box.seal(privateKey, pushKeyContext())]);
  const [stored] = await db.query<StoredKeys>(readStatement);
  return stored as StoredKeys;
}

async function signingKey(publicKey: string, privateKey: string): Promise<CryptoKey> {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  return (await importJWK({ kty: "EC", crv: "P-256", x, y, d: privateKey }, "ES256")) as CryptoKey;
}

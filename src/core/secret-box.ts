import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Seals secrets that must be read back (webhook secrets, custom header values) with AES-256-GCM.
 * Form: `<key id>.<base64url of nonce, tag and ciphertext>`. `context` is bound in: a sealed value moved to another
 * row does not open. The first key seals; the others still open what they sealed, which is how a key is changed.
 */
export interface SecretBox {
  readonly keyId: string;
  readonly keyIds: readonly string[];
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Signs a text that leaves the installation and comes back. A signature for one purpose is not valid for another. */
  sign(text: string, purpose: string): string;
  /** The same, short enough for an address: 80 bits. */
  signShort(text: string, purpose: string): Buffer;
  isSignedShort(text: string, signature: Buffer, purpose: string): boolean;
  /** Whether one of the keys made the signature. */
  isSigned(text: string, signature: string, purpose: string): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SHORT_BYTES = 10;

export function createSecretBox(secretKeys: readonly string[]): SecretBox {
  const keys = new Map(secretKeys.map((secret) => [keyIdOf(secret), derive(secret)]));
  const [first] = keys;
  if (!first) throw new Error("A secret key is needed.");
  const [keyId, sealingKey] = first;
  const signers = secretKeys.map(createSigner);
  const [sign] = signers as [Signer];
  return {
    keyId,
    keyIds: [...keys.keys()],
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [id = "", data = ""] = sealed.split(".");
      const key = keys.get(id);
      if (!key) throw new Error(`Sealed with key ${id}, which PARLEY_SECRET_KEY does not hold.`);
      const bytes = Buffer.from(data, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
    sign: (text, purpose) => sign(text, purpose).toString("base64url"),
    signShort: (text, purpose) => sign(text, purpose).subarray(0, SHORT_BYTES),
    isSignedShort: (text, signature, purpose) =>
      signers.some((signer) => isSame(signer(text, purpose).subarray(0, SHORT_BYTES), signature)),
    isSigned(text, signature, purpose) {
      const given = Buffer.from(signature, "base64url");
      return signers.some((signer) => isSame(signer(text, purpose), given));
    },
  };
}

type Signer = (text: string, purpose: string) => Buffer;

function createSigner(secret: string): Signer {
  const keys = new Map<string, Buffer>();
  return (text, purpose) => {
    const key = keys.get(purpose) ?? derive(secret, purpose);
    keys.set(purpose, key);
    return createHmac("sha256", key).update(text).digest();
  };
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

const derive = (secret: string, purpose = "secret-box.v1"): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "parley", purpose, 32));

const keyIdOf = (secret: string): string =>
  createHash("sha256").update("parley.key-id").update(secret).digest("hex").slice(0, 8);

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { BackupRefusal } from "./format.ts";

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 64 MB of memory and about a quarter of a second for each guess. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };

export function sealWithPassphrase(text: string, passphrase: string): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", scryptSync(passphrase, salt, 32, SCRYPT), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

export function openWithPassphrase(sealed: string, passphrase: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const textAt = tagAt + TAG_BYTES;
  const key = scryptSync(passphrase, bytes.subarray(0, nonceAt), 32, SCRYPT);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(nonceAt, tagAt));
    decipher.setAuthTag(bytes.subarray(tagAt, textAt));
    return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new BackupRefusal("The passphrase does not open the secret key in this backup. Nothing was restored.");
  }
}

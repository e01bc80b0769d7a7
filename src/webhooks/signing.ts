import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** `whsec_` and the base64 of 32 random bytes, as the Standard Webhooks specification has it. */
export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The bytes that sign; decoded once for a webhook, used for each of its deliveries. */
export const signingKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

/** Standard Webhooks: one `v1,…` for each valid secret, space separated. */
export function signatureHeader(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`)
    .join(" ");
}

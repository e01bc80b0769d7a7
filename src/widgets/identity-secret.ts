import { randomBytes } from "node:crypto";

const PREFIX = "wis_";
const SECRET_BYTES = 32;

/** `wis_` and the base64 of 32 random bytes. */
export const newIdentitySecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The bytes that sign identity tokens. */
export const identityKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

export const identitySealContext = (uuid: string): string => `widget:secret:${uuid}`;

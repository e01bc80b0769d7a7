import { createHash, randomBytes } from "node:crypto";

/** 256 random bits: for cookies and links. Only the digest is stored, so a copy of the database opens nothing. */
export const newToken = (): string => randomBytes(32).toString("base64url");

export const tokenDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

import { createHash } from "node:crypto";

/**
 * The uuid of a log row is computed from its id, both ways: a version 8 uuid whose last 14 digits are the id and whose
 * others are a digest of it. The busiest table is thus spared a column and its widest index.
 */
export function logUuid(id: number): string {
  const digest = createHash("sha256").update(`parley.log.${id}`).digest("hex");
  const number = id.toString(16).padStart(14, "0");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-a${digest[15]}${number.slice(0, 2)}-${number.slice(2)}`;
}

/** Null when no log row can have this uuid. */
export function logIdOf(uuid: string): number | null {
  const id = Number.parseInt(uuid.replaceAll("-", "").slice(18), 16);
  return Number.isSafeInteger(id) && id > 0 && logUuid(id) === uuid ? id : null;
}

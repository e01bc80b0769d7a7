/**
 * The embedded database cannot serve, and the message says why and what to do.
 * Nothing was damaged or left incomplete: starting again after following the advice is safe.
 */
export class EmbeddedRefusal extends Error {
  override readonly name = "EmbeddedRefusal";
}

/** The way out that always exists, said in the same words everywhere. */
export const OR_DATABASE_URL = "or set DATABASE_URL to a PostgreSQL 15 or newer that you run yourself";

export const FREE_SPACE =
  "Free space or enlarge the volume, and delete nothing in the data directory: a running server then continues by itself. " +
  "See docs/running-for-years.md#the-disk-is-full.";

export const explainFullDisk = (directory: string, reason: string): string =>
  `The disk of ${directory} is full (${reason}). ${FREE_SPACE}`;

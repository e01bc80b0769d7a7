import type { PartitionShape, SequenceValue } from "./tables.ts";

/**
 * A backup is a gzip stream of lines: a head, then for each table its head, its rows in PostgreSQL's COPY text format and
 * a line `\.`, and finally a tail with the number of rows, the sequences and the SHA-256 of everything before it and of
 * these. A backup without its tail is truncated; one with another digest, or with anything after its tail, was altered.
 */
export const FORMAT = "parley-backup";
export const FORMAT_VERSION = 1;
export const END_OF_ROWS = "\\.";

export interface BackupHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly created_at: string;
  readonly postgres: string;
  /** The migrations of the schema that the rows have. */
  readonly migrations: readonly { readonly version: number; readonly name: string; readonly checksum: string }[];
  readonly partitions: readonly PartitionShape[];
  /** Which key sealed the secrets in it; not the key. */
  readonly secret_key_id: string | null;
  /** The secret keys, sealed by a passphrase; null unless they were asked for. */
  readonly sealed_secret_keys: string | null;
}

export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface BackupTail {
  readonly end: true;
  readonly rows: number;
  readonly sequences: readonly SequenceValue[];
  readonly sha256: string;
}

/** The backup cannot be used, and the message says why. Nothing was changed. */
export class BackupRefusal extends Error {
  override readonly name = "BackupRefusal";
}

export const TRUNCATED = "The backup is truncated: its end is missing. Nothing was restored.";
export const ALTERED = "The backup was altered or damaged: its checksum does not match. Nothing was restored.";

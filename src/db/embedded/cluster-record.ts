import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binaries, BinarySource } from "./binaries.ts";
import { EmbeddedRefusal } from "./refusal.ts";

/** Lies inside the cluster, so that it appears and moves together with it. */
export const RECORD_FILE = "parley-cluster.json";

export interface ClusterRecord {
  readonly major: number;
  /** the exact version that made it */
  readonly version: string;
  readonly source: BinarySource;
  /** the data directory it was made for */
  readonly requested: string;
  readonly createdAt: string;
}

export function recordOf(binaries: Binaries, requested: string): ClusterRecord {
  const { major, version, source } = binaries;
  return { major, version, source, requested, createdAt: new Date().toISOString() };
}

/** A directory counts as a cluster once it has PG_VERSION: initdb works under another name, so there is no half way. */
export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, "PG_VERSION"));
}

/** PG_VERSION is what PostgreSQL itself goes by; the record adds where the binaries came from. */
export function readRecord(cluster: string): ClusterRecord {
  const major = Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10);
  if (!Number.isInteger(major)) {
    throw new EmbeddedRefusal(
      `${join(cluster, "PG_VERSION")} does not hold a version number, so the database there is damaged. ` +
        "Restore the data directory from a backup, or set PARLEY_DATA_DIR to a new directory.",
    );
  }
  const unknown = { version: String(major), source: "package" as const, requested: "", createdAt: "" };
  try {
    const stored = JSON.parse(readFileSync(join(cluster, RECORD_FILE), "utf8")) as Partial<ClusterRecord>;
    return { ...unknown, ...stored, major };
  } catch {
    return { ...unknown, major };
  }
}

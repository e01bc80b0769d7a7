import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedRefusal } from "../refusal.ts";

/** Stored inside the cluster, so that it appears and moves together with it. */
export const RECORD_FILE = "parley-cluster.json";

/** 2: the application's role is not a superuser. Parley 0.1 wrote no format. */
const FORMAT = 2;

export interface ClusterRecord {
  readonly format: number;
  readonly major: number;
  /** the exact version that created it */
  readonly version: string;
  readonly source: "package" | "system";
  /** the data directory it was created for */
  readonly requested: string;
  readonly createdAt: string;
}

export function recordOf(
  { major, version, source }: Pick<ClusterRecord, "major" | "version" | "source">,
  requested: string,
): ClusterRecord {
  return { format: FORMAT, major, version, source, requested, createdAt: new Date().toISOString() };
}

/** A directory counts as a cluster once it has PG_VERSION: initdb works under another name, so none is half done. */
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
  const record = readFile(cluster);
  if (record.format !== FORMAT) {
    throw new EmbeddedRefusal(
      `The database in ${cluster} was created by Parley 0.1, whose data this version cannot read. ` +
        "Set PARLEY_DATA_DIR to a new directory.",
    );
  }
  return { ...record, major } as ClusterRecord;
}

function readFile(cluster: string): Partial<ClusterRecord> {
  try {
    return JSON.parse(readFileSync(join(cluster, RECORD_FILE), "utf8")) as Partial<ClusterRecord>;
  } catch {
    return {};
  }
}

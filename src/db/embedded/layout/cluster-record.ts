import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binaries, BinarySource } from "../binaries/binaries.ts";
import type { Account } from "../host/accounts.ts";
import { writePrivateFile } from "../host/paths.ts";
import { EmbeddedRefusal } from "../host/refusal.ts";

/** Stored inside the cluster, so that it appears and moves together with it. */
const RECORD_FILE = "parley-cluster.json";

/** 2: the application's role is not a superuser. Parley 0.1 wrote no format. */
const FORMAT = 2;

/** `major` is of PostgreSQL. The other fields that are stored are for a person who reads the file. */
interface ClusterRecord {
  readonly format: number;
  readonly major: number;
  readonly source: BinarySource;
}

/** Of a layout: the data directory that was asked for, and whose the cluster is. */
interface Owned {
  readonly requested: string;
  readonly account: Account;
}

export function writeRecord(cluster: string, { requested, account }: Owned, binaries: Binaries): void {
  const { major, version, source } = binaries;
  const record = { format: FORMAT, major, version, source, requested, createdAt: new Date().toISOString() };
  writePrivateFile(join(cluster, RECORD_FILE), `${JSON.stringify(record, null, 2)}\n`, account);
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

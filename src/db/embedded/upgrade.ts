import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { moveDurably, writeDurable } from "../../core/durable-file.ts";
import { withClient } from "../client.ts";
import { explainNone } from "./binaries/choose.ts";
import { findPackage } from "./binaries/package.ts";
import { findSystemBinaries } from "./binaries/system.ts";
import { EmbeddedRefusal } from "./host/refusal.ts";
import { until } from "./host/wait.ts";
import { clusterExists, readRecord } from "./layout/cluster-record.ts";
import { findLayout, type Layout } from "./layout/layout.ts";
import { adminConnection } from "./server/connect.ts";
import { ownerPid } from "./server/ownership.ts";
import { runningPostmaster } from "./server/pid-file.ts";
import { stopPostmaster } from "./server/postmaster.ts";

/** A cluster that a newer major version of PostgreSQL is to take over. */
interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** The data directory in which the new cluster is prepared. */
  readonly staging: string;
  /** Puts the new cluster in the place of the old one. Returns where the old one is kept. */
  swap(): string;
}

const OWNED_MS = 3_000;

async function isOwned(cluster: string): Promise<boolean> {
  const running = await runningPostmaster(cluster);
  if (!running) return false;
  const connection = adminConnection(running.socketDir, `parley-upgrade pid=${process.pid}`);
  // Where it cannot be connected to, it is starting or stopping: another process needs it.
  return withClient(connection, ownerPid).then(
    (pid) => pid !== null,
    () => true,
  );
}

/**
 * What an interrupted upgrade left; the old cluster is still the true one. After a kill -9 its new server is still
 * running, or an initdb writes there for a moment more.
 */
async function removeStaging(staging: string): Promise<void> {
  await stopPostmaster(join(staging, "postgres"));
  await rm(staging, { recursive: true, maxRetries: 20, retryDelay: 100 });
}

/** Null: the cluster is of the newest major version there is. */
export async function planUpgrade(dataDir: string): Promise<Upgrade | null> {
  const layout = await findLayout(dataDir);
  finishSwap(layout);
  const staging = stagingOf(layout);
  const prepared = join(staging, "postgres");
  if (!clusterExists(layout.cluster))
    throw new EmbeddedRefusal(`There is no embedded database in ${layout.requested}: there is nothing to upgrade.`);
  if (existsSync(staging)) {
    // An upgrade in progress owns the old cluster. The locks of one that was killed end within a second.
    if (!(await until(async () => !(await isOwned(layout.cluster)), OWNED_MS)))
      throw new EmbeddedRefusal(
        `${layout.requested} is in use by Parley or by another upgrade. Stop Parley, or wait for the end of the upgrade.`,
      );
    await removeStaging(staging);
  }
  const from = readRecord(layout.cluster).major;
  const to = await newestMajor();
  if (to <= from) return null;
  return {
    from,
    to,
    staging,
    swap() {
      const kept = `${layout.cluster}-${from}`;
      if (existsSync(kept))
        throw new EmbeddedRefusal(`${kept} exists already, from an earlier upgrade. Delete or rename it first.`);
      writeDurable(join(staging, COMPLETE), "");
      moveDurably(layout.cluster, kept);
      moveDurably(prepared, layout.cluster);
      return kept;
    },
  };
}

/** Between the two renames of a swap there is no cluster, and a start must not create an empty one in its place. */
export function finishSwap(layout: Layout): void {
  const prepared = join(stagingOf(layout), "postgres");
  const isComplete = clusterExists(prepared) && existsSync(join(stagingOf(layout), COMPLETE));
  if (isComplete && !clusterExists(layout.cluster)) moveDurably(prepared, layout.cluster);
}

/** In the staging directory once it holds everything. */
const COMPLETE = "complete";

const stagingOf = ({ base }: Layout): string => join(base, "upgrade");

/** Of what a new cluster would be created with. */
async function newestMajor(): Promise<number> {
  const newest = findPackage() ?? (await findSystemBinaries())[0];
  if (!newest) throw new EmbeddedRefusal(explainNone());
  return newest.major;
}

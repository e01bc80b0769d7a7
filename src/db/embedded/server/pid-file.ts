import { readFileSync } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { socketFile } from "../layout/socket-dir.ts";
import { belongsToCluster, signal } from "./processes.ts";

/** What PostgreSQL writes into postmaster.pid, line by line (src/include/utils/pidfile.h). */
interface PidFile {
  readonly pid: number;
  readonly socketDir: string;
  /** "starting", "ready", "stopping", "standby", or empty while it is being written */
  readonly status: string;
}

const PID_FILE = "postmaster.pid";

/** The postmaster that really runs on this cluster, or null when there is none or the file is stale. */
export async function runningPostmaster(cluster: string): Promise<PidFile | null> {
  const file = readLockFile(join(cluster, PID_FILE));
  return file && (await belongsToCluster(file.pid, cluster)) ? file : null;
}

/**
 * PostgreSQL clears its two stale lock files (in the cluster and next to the socket) away by itself, unless some process
 * of the same user has the number by now or the killed server was not reaped yet. Then we do: the file is moved aside
 * and looked at again before it is thrown away, because another start may have replaced it in between.
 */
export async function removeMisleadingLockFiles(cluster: string, socketDir: string): Promise<void> {
  for (const path of [join(cluster, PID_FILE), `${socketFile(socketDir)}.lock`]) {
    const seen = readLockFile(path);
    if (!seen || !signal(seen.pid, 0) || (await belongsToCluster(seen.pid, cluster))) continue;
    const aside = `${path}.stale-${process.pid}`;
    try {
      await rename(path, aside);
    } catch {
      continue;
    }
    const moved = readLockFile(aside);
    if (moved && (await belongsToCluster(moved.pid, cluster))) await link(aside, path).catch(() => {});
    await rm(aside, { force: true });
  }
}

function readLockFile(path: string): PidFile | null {
  try {
    const [pid = "", , , , socketDir = "", , , status = ""] = readFileSync(path, "utf8").split("\n");
    return { pid: Number.parseInt(pid, 10), socketDir, status: status.trim() };
  } catch {
    return null;
  }
}

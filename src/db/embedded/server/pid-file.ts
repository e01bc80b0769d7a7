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

function pidFilePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

export function readPidFile(cluster: string): PidFile | null {
  return readLockFile(pidFilePath(cluster));
}

/** The postmaster that really runs on this cluster, or null when there is none or the file is stale. */
export async function runningPostmaster(cluster: string): Promise<PidFile | null> {
  const file = readPidFile(cluster);
  return file && (await belongsToCluster(file.pid, cluster)) ? file : null;
}

/**
 * PostgreSQL clears its two stale lock files (in the cluster and next to the socket) away by itself, unless some process
 * of the same user has the number by now or the killed server was not reaped yet. Then we do: the file is moved aside
 * and looked at again before it is thrown away, because another start may have replaced it in between.
 */
export async function removeMisleadingLockFiles(cluster: string, socketDir: string): Promise<void> {
  for (const path of [pidFilePath(cluster), `${socketFile(socketDir)}.lock`]) {
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
    return parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function parse(text: string): PidFile {
  const lines = text.split("\n");
  return { pid: Number.parseInt(lines[0] ?? "", 10), socketDir: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { run } from "../host/run.ts";
import { clusterTag } from "./settings.ts";

/**
 * Is `pid` the postmaster of this cluster? A number in a stale file may belong to anybody by now, and a killed server
 * that was not reaped yet (a container without an init) is still a number, so the command line decides: a zombie has
 * none. The working directory would say it better, but root in a container may not read it (no CAP_SYS_PTRACE); it
 * only helps with a server that a person started by hand.
 */
export async function belongsToCluster(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return false;
  if (process.platform === "linux") {
    const [program, ...args] = commandLine(pid);
    return isPostgres(program) && (args.includes(cluster) || worksIn(pid, cluster));
  }
  const wide = ["-ww", "-o", "stat=,command=", "-p", String(pid)];
  const result = await run("ps", wide, { timeoutMs: 3_000 }).catch(() => null);
  return result?.code === 0 && !result.output.startsWith("Z") && result.output.includes(cluster);
}

/**
 * Ends backends that outlived their postmaster. They hold the shared memory, and no new server can start until they end;
 * an idle one ends by itself at once, a busy one when it next waits. Linux only; elsewhere we wait for them.
 */
export function endOrphans(cluster: string, name: "SIGQUIT" | "SIGKILL"): void {
  if (process.platform !== "linux") return;
  const owner = statSync(cluster).uid;
  const title = `postgres: ${clusterTag(cluster)}:`;
  for (const pid of readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)) {
    if (commandLine(pid)[0]?.startsWith(title) && ownerOf(pid) === owner) signal(pid, name);
  }
}

/** False when the process is gone or not ours to signal. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** A process that was not reaped yet, as in a container without an init, has ended too. */
export function hasEnded(pid: number): boolean {
  if (!signal(pid, 0)) return true;
  try {
    return process.platform === "linux" && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function isPostgres(program: string | undefined): boolean {
  return program !== undefined && /(^|\/)post(gres|master)$/.test(program);
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Binaries } from "../binaries/binaries.ts";
import { CLEAN_ENVIRONMENT, identity } from "../host/run.ts";
import { until } from "../host/wait.ts";
import type { Layout } from "../layout/layout.ts";
import { createSocketDir } from "../layout/socket-dir.ts";
import { writeAuthentication } from "./authentication.ts";
import { removeMisleadingLockFiles, runningPostmaster } from "./pid-file.ts";
import { hasEnded, signal } from "./processes.ts";
import { logSize, logTail, openLog } from "./server-log.ts";
import { settingArguments } from "./settings.ts";

/** One start of the server program. */
export interface Launch {
  readonly pid: number | undefined;
  /** null while it runs; afterwards how it ended */
  ended(): string | null;
  /** what it has written since it was launched */
  output(): Promise<string>;
}

/**
 * Starts the postmaster in a process group of its own, so that Ctrl+C in a terminal reaches only Node, which drains
 * first and stops the database last. Does not wait until it is ready.
 */
export async function launch(layout: Layout, binaries: Binaries, preferred: string | null): Promise<Launch> {
  const socketDir = await createSocketDir(layout, preferred);
  await removeMisleadingLockFiles(layout.cluster, socketDir);
  const program = join(binaries.binDir, "postgres");
  const settings = settingArguments(layout.cluster, socketDir, writeAuthentication(layout));
  const log = await openLog(layout.logFile, layout.account);
  const from = await logSize(layout.logFile);
  let end: string | null = null;
  try {
    const child = spawn(program, ["-D", layout.cluster, ...settings], {
      ...identity(layout.account),
      cwd: layout.cluster,
      env: CLEAN_ENVIRONMENT,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.once("error", (error) => {
      end = error.message;
    });
    child.once("exit", (code, by) => {
      end = by ? `it was ended by ${by}` : `it ended with code ${code}`;
    });
    child.unref();
    return { pid: child.pid, ended: () => end, output: () => logTail(layout.logFile, from) };
  } finally {
    await log.close();
  }
}

const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 5_000;

/** Fast shutdown; past the deadline an immediate one, then SIGKILL. Both are safe: the next start replays the WAL. */
export async function stopPostmaster(cluster: string): Promise<void> {
  const running = await runningPostmaster(cluster);
  if (!running) return;
  for (const [name, ms] of [
    ["SIGINT", FAST_STOP_MS],
    ["SIGQUIT", IMMEDIATE_STOP_MS],
    ["SIGKILL", IMMEDIATE_STOP_MS],
  ] as const) {
    signal(running.pid, name);
    if (await until(() => hasEnded(running.pid), ms)) return;
  }
}

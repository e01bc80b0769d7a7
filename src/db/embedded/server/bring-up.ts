import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Binaries } from "../binaries/binaries.ts";
import { CHECK_THE_DISK, explainDiskError } from "../host/disk.ts";
import { EmbeddedRefusal, explainFullDisk, OR_DATABASE_URL } from "../host/refusal.ts";
import { Deadline, until } from "../host/wait.ts";
import type { Layout } from "../layout/layout.ts";
import { tryConnect } from "./connect.ts";
import { runningPostmaster } from "./pid-file.ts";
import { type Launch, launch } from "./postmaster.ts";
import { endOrphans, signal } from "./processes.ts";
import { logTail } from "./server-log.ts";

export interface BringUp {
  readonly layout: Layout;
  readonly binaries: Binaries;
  readonly applicationName: string;
  /** where the pools of this process expect the socket; null at the first start */
  readonly socketDir: string | null;
  readonly report: (line: string) => void;
  /** stop trying: we are closing */
  readonly cancelled?: () => boolean;
}

export interface Connected {
  readonly client: Client;
  readonly socketDir: string;
  readonly launched: boolean;
}

/** Replaying the WAL after a crash takes as long as it takes (1 GB at worst), but not forever. */
const RECOVERY_MS = 10 * 60_000;
/** A process that neither listens nor ends is stuck. */
const SILENT_MS = 60_000;
/** Backends of a crashed server, or another process's start at the same moment, pass within this. */
const TRANSIENT_MS = 15_000;
const REPORT_MS = 3_000;
const POLL_MS = 10;

/**
 * Connects to this cluster's server, whichever process started it; where none runs, starts one. The pid file says where
 * its socket is and whether it accepts connections yet; trying earlier would log a FATAL line.
 */
export async function bringUp(options: BringUp): Promise<Connected> {
  const { layout } = options;
  const deadline = new Deadline(RECOVERY_MS);
  const transient = new Deadline(TRANSIENT_MS);
  let silent = new Deadline(SILENT_MS);
  let quiet = new Deadline(REPORT_MS);
  let launched: Launch | null = null;
  while (options.cancelled?.() !== true) {
    const running = await runningPostmaster(layout.cluster);
    if (running) {
      const accepts = running.status === "ready" || running.status === "standby";
      const attempt = accepts
        ? await tryConnect(running.socketDir, layout.account, options.applicationName)
        : ({ kind: "busy", reason: running.status || "starting" } as const);
      if (attempt.kind === "ready")
        return { client: attempt.client, socketDir: running.socketDir, launched: launched !== null };
      if (attempt.kind === "full") throw new EmbeddedRefusal(explainFullDisk(layout.base, attempt.reason));
      if (attempt.kind === "busy") silent = new Deadline(SILENT_MS);
      if (silent.passed || deadline.passed) throw await stuck(layout, running.pid, attempt.reason);
      if (quiet.passed) {
        options.report(`Waiting for the database (${attempt.reason}) …`);
        quiet = new Deadline(REPORT_MS);
      }
    } else if (launched === null) {
      launched = await launch(layout, options.binaries, options.socketDir).catch((error) => {
        throw refusalOf(layout, error) ?? error;
      });
    } else if (launched.ended() !== null) {
      await afterFailure(layout, launched, transient);
      launched = null;
    } else if (silent.passed) {
      throw await stuck(layout, launched.pid ?? 0, "it wrote no pid file");
    }
    await sleep(POLL_MS);
  }
  if (launched) await stopLaunched(launched);
  throw new Error("closing");
}

/** What a start writes first fails with the error of a system call, which tells a person nothing. */
function refusalOf({ base }: Layout, error: unknown): EmbeddedRefusal | null {
  if ((error as NodeJS.ErrnoException | null)?.code === "ENOSPC")
    return new EmbeddedRefusal(explainFullDisk(base, (error as Error).message));
  const problem = explainDiskError(error);
  return problem === null
    ? null
    : new EmbeddedRefusal(`The disk of ${base} has a problem. ${problem} ${CHECK_THE_DISK}`);
}

/** It may not have written its pid file yet, so that a close right after could not find it. */
async function stopLaunched(launched: Launch): Promise<void> {
  if (launched.pid === undefined) return;
  signal(launched.pid, "SIGINT");
  await until(() => launched.ended() !== null, TRANSIENT_MS);
}

/** What passes by itself is waited for; anything else is reported at once. */
async function afterFailure(layout: Layout, failed: Launch, transient: Deadline): Promise<void> {
  const output = await failed.output();
  const memoryHeld = /pre-existing shared memory block/.test(output);
  const lostRace = /lock file ".*" already exists/.test(output);
  if ((!memoryHeld && !lostRace) || transient.passed) {
    throw new EmbeddedRefusal(
      `PostgreSQL did not start on ${layout.cluster}: ${failed.ended()}. It said:\n${output}\n` +
        `Fix what it reports and start again (the whole log is ${layout.logFile}), ${OR_DATABASE_URL}.`,
    );
  }
  if (memoryHeld && !(await runningPostmaster(layout.cluster))) {
    endOrphans(layout.cluster, transient.leftMs > TRANSIENT_MS - 2_000 ? "SIGQUIT" : "SIGKILL");
  }
  await sleep(50);
}

async function stuck(layout: Layout, pid: number, reason: string): Promise<EmbeddedRefusal> {
  return new EmbeddedRefusal(
    `PostgreSQL (process ${pid}) runs on ${layout.cluster} but cannot be used: ${reason}. ` +
      `Its log ${layout.logFile} ends with:\n${await logTail(layout.logFile)}\n` +
      `Wait until it has finished and start again, or stop it with: kill -QUIT ${pid}`,
  );
}

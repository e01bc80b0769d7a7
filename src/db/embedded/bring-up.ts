import type { Client } from "pg";
import type { Binaries } from "./binaries.ts";
import { type Attempt, tryConnect } from "./connect.ts";
import { type PidFile, runningPostmaster } from "./pid-file.ts";
import type { Place } from "./place.ts";
import { endOrphans, type Launch, launch } from "./postmaster.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";
import { logTail } from "./server-log.ts";
import { Deadline, sleep } from "./wait.ts";

export interface BringUp {
  readonly place: Place;
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

/** Replaying the WAL after a crash takes as long as it takes (1 GB at worst), but not for ever. */
const RECOVERY_MS = 10 * 60_000;
/** A process that neither listens nor ends is stuck. */
const SILENT_MS = 60_000;
/** Backends of a dead server, or another process's start at the same moment, pass within this. */
const TRANSIENT_MS = 15_000;
const POLL_MS = 10;

/**
 * A connection to this cluster's server: to the one that runs, whoever started it, or to one that is started now.
 * The socket is the truth, the pid file only a hint about where it lies and whether waiting is worth while.
 */
export async function bringUp(options: BringUp): Promise<Connected> {
  const { place } = options;
  const deadline = new Deadline(RECOVERY_MS);
  const transient = new Deadline(TRANSIENT_MS);
  let silent = new Deadline(SILENT_MS);
  let launched: Launch | null = null;
  let patience = new Patience(options.report);
  while (options.cancelled?.() !== true) {
    const running = await runningPostmaster(place.cluster);
    if (running) {
      const attempt = await approach(running, options, patience);
      if (attempt.kind === "ready") {
        return { client: attempt.client, socketDir: running.socketDir, launched: launched !== null };
      }
      if (attempt.kind === "busy") silent = new Deadline(SILENT_MS);
      if (silent.passed || deadline.passed) throw await stuck(place, running, attempt.reason);
      patience.waiting(attempt.reason);
    } else if (launched === null) {
      launched = await launch(place, options.binaries, options.socketDir);
      patience = new Patience(options.report);
    } else if (launched.ended() !== null) {
      await afterFailure(place, launched, transient);
      launched = null;
    } else if (silent.passed) {
      throw await stuck(place, { pid: launched.pid ?? 0, socketDir: "", status: "" }, "it wrote no pid file");
    }
    await sleep(POLL_MS);
  }
  throw new Error("closing");
}

/** Does not knock while the server says that it is starting or stopping: it would log a FATAL line for every knock. */
async function approach(running: PidFile, options: BringUp, patience: Patience): Promise<Attempt> {
  const open = running.status === "ready" || running.status === "standby";
  if (!open && !patience.mayKnock()) return { kind: "busy", reason: running.status || "starting" };
  return tryConnect(running.socketDir, options.place.account, options.applicationName);
}

/** What passes by itself is waited for; anything else is told to the person at once. */
async function afterFailure(place: Place, failed: Launch, transient: Deadline): Promise<void> {
  const said = await failed.said();
  const memoryHeld = /pre-existing shared memory block/.test(said);
  const lostRace = /lock file ".*" already exists/.test(said);
  if ((!memoryHeld && !lostRace) || transient.passed) {
    throw new EmbeddedRefusal(
      `PostgreSQL did not start on ${place.cluster}: ${failed.ended()}. It said:\n${said}\n` +
        `Put right what it complains of and start again (the whole log is ${place.logFile}), ${OR_DATABASE_URL}.`,
    );
  }
  if (memoryHeld && !(await runningPostmaster(place.cluster))) {
    endOrphans(place.cluster, transient.leftMs > TRANSIENT_MS - 2_000 ? "SIGQUIT" : "SIGKILL");
  }
  await sleep(50);
}

async function stuck(place: Place, running: PidFile, reason: string): Promise<EmbeddedRefusal> {
  return new EmbeddedRefusal(
    `PostgreSQL (process ${running.pid}) runs on ${place.cluster} but cannot be used: ${reason}. ` +
      `Its log ${place.logFile} ends with:\n${await logTail(place.logFile)}\n` +
      `Wait until it has finished and start again, or stop it with: kill -QUIT ${running.pid}`,
  );
}

/** Tells a waiting person why, and knocks now and then although the status says no, in case the status is stale. */
class Patience {
  readonly #report: (line: string) => void;
  #toldAt = performance.now();
  #knockAt = performance.now() + 3_000;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  mayKnock(): boolean {
    if (performance.now() < this.#knockAt) return false;
    this.#knockAt = performance.now() + 1_000;
    return true;
  }

  waiting(reason: string): void {
    if (performance.now() - this.#toldAt < 3_000) return;
    this.#toldAt = performance.now();
    this.#report(`Waiting for the database (${reason}) …`);
  }
}

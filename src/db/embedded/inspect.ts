import { statSync } from "node:fs";
import { withClient } from "../client.ts";
import { type Binaries, MAJOR_MIN } from "./binaries/binaries.ts";
import { explainMismatch, explainNone } from "./binaries/choose.ts";
import { findPackage } from "./binaries/package.ts";
import { findSystemBinaries } from "./binaries/system.ts";
import { isRoot, nameOfUid } from "./host/accounts.ts";
import { EmbeddedRefusal, FREE_SPACE } from "./host/refusal.ts";
import { clusterExists, readRecord } from "./layout/cluster-record.ts";
import { findLayout, type Layout } from "./layout/layout.ts";
import { socketDirCandidates, socketFile } from "./layout/socket-dir.ts";
import { adminConnection, isDiskFull } from "./server/connect.ts";
import { ownerPid } from "./server/ownership.ts";
import { runningPostmaster } from "./server/pid-file.ts";
import { logTail } from "./server/server-log.ts";

interface EmbeddedProblem {
  readonly what: string;
  readonly toDo: string;
}

interface EmbeddedInspection {
  /** every server found: the npm package's first, then the system's */
  readonly binaries: readonly Binaries[];
  /** null where the layout cannot be determined; `problems` says why */
  readonly cluster: {
    readonly path: string;
    readonly exists: boolean;
    readonly owner: string | null;
    /** where the socket is, or would be */
    readonly socket: string | null;
  } | null;
  readonly postmaster: {
    readonly running: boolean;
    readonly pid: number | null;
    readonly responds: boolean;
    /** the Parley process that owns it */
    readonly ownerPid: number | null;
  };
  readonly problems: readonly EmbeddedProblem[];
}

const STOPPED = { running: false, pid: null, responds: false, ownerPid: null };

/** What `parley doctor` reports. Connects if a server listens, and changes nothing. */
export async function inspectEmbedded(dataDir: string): Promise<EmbeddedInspection> {
  const found = findPackage();
  const binaries = [...(found ? [found] : []), ...(await findSystemBinaries())];
  const problems: EmbeddedProblem[] = [];
  try {
    const layout = await findLayout(dataDir);
    const exists = clusterExists(layout.cluster);
    const major = exists ? readRecord(layout.cluster).major : null;
    if (!binaries.some((one) => (major === null ? one.major >= MAJOR_MIN : one.major === major)))
      problems.push(problem(major === null ? explainNone() : explainMismatch(layout.cluster, major)));
    const cluster = { path: layout.cluster, exists, owner: await ownerOf(layout), socket: await socketOf(layout) };
    const postmaster = exists ? await inspectPostmaster(layout, problems) : STOPPED;
    return { binaries, cluster, postmaster, problems };
  } catch (error) {
    if (!(error instanceof EmbeddedRefusal)) throw error;
    problems.push(problem(error.message));
    return { binaries, cluster: null, postmaster: STOPPED, problems };
  }
}

async function ownerOf({ cluster }: Layout): Promise<string | null> {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  return uid === undefined ? null : nameOfUid(uid);
}

async function socketOf(layout: Layout): Promise<string | null> {
  const directory = (await runningPostmaster(layout.cluster))?.socketDir ?? socketDirCandidates(layout)[0];
  return directory === undefined ? null : socketFile(directory);
}

async function inspectPostmaster(
  layout: Layout,
  problems: EmbeddedProblem[],
): Promise<EmbeddedInspection["postmaster"]> {
  const running = await runningPostmaster(layout.cluster);
  if (!running) return STOPPED;
  const seen = { running: true, pid: running.pid, responds: false, ownerPid: null };
  try {
    const connection = adminConnection(running.socketDir, `parley-doctor pid=${process.pid}`);
    return { ...seen, responds: true, ownerPid: await withClient(connection, ownerPid) };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (isDiskFull(code, message)) {
      problems.push({ what: `The disk of ${layout.base} is full (${message}).`, toDo: FREE_SPACE });
      return seen;
    }
    const tail = await logTail(layout.logFile);
    problems.push({
      what: `PostgreSQL (process ${running.pid}) runs but does not serve: ${message}. Its log ends with:\n${tail}`,
      toDo: `Wait for it, or stop it with kill -QUIT ${running.pid}${isRoot() ? "" : ` (as ${layout.account.name})`} and start Parley again.`,
    });
    return seen;
  }
}

/** A refusal's message says first what is wrong, then what to do. */
function problem(message: string): EmbeddedProblem {
  const end = message.indexOf(". ");
  return end < 0 ? { what: message, toDo: "" } : { what: message.slice(0, end + 1), toDo: message.slice(end + 2) };
}

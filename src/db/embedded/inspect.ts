import { statSync } from "node:fs";
import { type Binaries, explainMismatch, explainNone, MAJOR_MIN } from "./binaries/binaries.ts";
import { describePackage, findPackage } from "./binaries/package.ts";
import { findSystemBinaries } from "./binaries/system.ts";
import { isRoot, nameOfUid } from "./layout/accounts.ts";
import { type ClusterRecord, clusterExists, readRecord } from "./layout/cluster-record.ts";
import { findLayout, type Layout } from "./layout/layout.ts";
import { socketDirCandidates, socketFile } from "./layout/socket-dir.ts";
import { EmbeddedRefusal, FREE_SPACE } from "./refusal.ts";
import { isDiskFull, openAdmin } from "./server/connect.ts";
import { type Owner, ownerOf } from "./server/ownership.ts";
import { readPidFile, runningPostmaster } from "./server/pid-file.ts";
import { logTail } from "./server/server-log.ts";

interface EmbeddedProblem {
  readonly what: string;
  readonly toDo: string;
}

interface EmbeddedInspection {
  /** every server found: the npm package's first, then the system's */
  readonly binaries: readonly Binaries[];
  readonly requestedDir: string;
  /** null where the layout cannot be determined; `problems` says why */
  readonly cluster: {
    readonly path: string;
    readonly exists: boolean;
    readonly ownerUid: number | null;
    readonly ownerName: string | null;
    /** the user the server runs, or would run, under */
    readonly runsAs: string;
    readonly record: ClusterRecord | null;
    readonly logFile: string;
    /** where the socket is, or would be */
    readonly socket: string | null;
  } | null;
  readonly postmaster: {
    readonly running: boolean;
    readonly pid: number | null;
    readonly stalePidFile: boolean;
    readonly answers: boolean;
    /** the Parley process that owns it */
    readonly owner: Owner | null;
  };
  readonly problems: readonly EmbeddedProblem[];
}

const STOPPED = { running: false, pid: null, stalePidFile: false, answers: false, owner: null };

/** What `parley doctor` reports. Connects if a server listens, and changes nothing. */
export async function inspectEmbedded(dataDir: string): Promise<EmbeddedInspection> {
  const tree = findPackage();
  const binaries = [...(tree ? [describePackage(tree)] : []), ...(await findSystemBinaries())];
  const problems: EmbeddedProblem[] = [];
  try {
    const layout = await findLayout(dataDir);
    const cluster = await inspectCluster(layout);
    const major = cluster.record?.major;
    if (major !== undefined && !binaries.some((found) => found.major === major)) {
      problems.push(problem(explainMismatch(layout.cluster, major)));
    }
    if (!cluster.exists && !binaries.some((found) => found.major >= MAJOR_MIN)) problems.push(problem(explainNone()));
    const postmaster = cluster.exists ? await inspectPostmaster(layout, problems) : STOPPED;
    const requestedDir = layout.requested;
    return { binaries, requestedDir, cluster, postmaster, problems };
  } catch (error) {
    if (!(error instanceof EmbeddedRefusal)) throw error;
    problems.push(problem(error.message));
    return { binaries, requestedDir: dataDir, cluster: null, postmaster: STOPPED, problems };
  }
}

async function inspectCluster(layout: Layout): Promise<NonNullable<EmbeddedInspection["cluster"]>> {
  const exists = clusterExists(layout.cluster);
  const ownerUid = statSync(layout.cluster, { throwIfNoEntry: false })?.uid ?? null;
  const socketDir = (await runningPostmaster(layout.cluster))?.socketDir ?? socketDirCandidates(layout)[0];
  return {
    path: layout.cluster,
    exists,
    ownerUid,
    ownerName: ownerUid === null ? null : await nameOfUid(ownerUid),
    runsAs: layout.account.name,
    record: exists ? readRecord(layout.cluster) : null,
    logFile: layout.logFile,
    socket: socketDir === undefined ? null : socketFile(socketDir),
  };
}

async function inspectPostmaster(
  layout: Layout,
  problems: EmbeddedProblem[],
): Promise<EmbeddedInspection["postmaster"]> {
  const running = await runningPostmaster(layout.cluster);
  if (!running) return { ...STOPPED, stalePidFile: readPidFile(layout.cluster) !== null };
  const seen = { running: true, pid: running.pid, stalePidFile: false };
  try {
    const client = await openAdmin(running.socketDir, `parley-doctor pid=${process.pid}`);
    try {
      return { ...seen, answers: true, owner: await ownerOf(client) };
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (isDiskFull(code, message)) {
      problems.push({ what: `The disk of ${layout.base} is full (${message}).`, toDo: FREE_SPACE });
      return { ...seen, answers: false, owner: null };
    }
    const tail = await logTail(layout.logFile);
    problems.push({
      what: `PostgreSQL (process ${running.pid}) runs but does not serve: ${message}. Its log ends with:\n${tail}`,
      toDo: `Wait for it, or stop it with kill -QUIT ${running.pid}${isRoot() ? "" : ` (as ${layout.account.name})`} and start Parley again.`,
    });
    return { ...seen, answers: false, owner: null };
  }
}

/** A refusal's message says first what is wrong, then what to do. */
function problem(message: string): EmbeddedProblem {
  const end = message.indexOf(". ");
  return end < 0 ? { what: message, toDo: "" } : { what: message.slice(0, end + 1), toDo: message.slice(end + 2) };
}

import { statSync } from "node:fs";
import { isRoot, nameOfUid } from "./accounts.ts";
import { type Binaries, explainMismatch, explainNone, MAJOR_MIN } from "./binaries.ts";
import { describePackage, findPackage } from "./binaries-package.ts";
import { findSystemBinaries } from "./binaries-system.ts";
import { type ClusterRecord, clusterExists, readRecord } from "./cluster-record.ts";
import { connectionTo, open } from "./connect.ts";
import { type Holder, lockHolder } from "./owner-lock.ts";
import { readPidFile, runningPostmaster } from "./pid-file.ts";
import { findPlace, type Place } from "./place.ts";
import { EmbeddedRefusal } from "./refusal.ts";
import { logTail } from "./server-log.ts";
import { socketDirCandidates, socketFile } from "./socket-dir.ts";

export interface EmbeddedProblem {
  readonly what: string;
  readonly toDo: string;
}

export interface EmbeddedInspection {
  /** every server found: the npm package's first, then the system's */
  readonly binaries: readonly Binaries[];
  readonly requestedDir: string;
  /** null where the place cannot even be determined; `problems` says why */
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
    readonly owner: Holder | null;
  };
  readonly problems: readonly EmbeddedProblem[];
}

const AT_REST = { running: false, pid: null, stalePidFile: false, answers: false, owner: null };

/** What `parley doctor` tells. Looks, connects if something listens, and changes nothing. */
export async function inspectEmbedded(dataDir: string): Promise<EmbeddedInspection> {
  const tree = findPackage();
  const binaries = [...(tree ? [describePackage(tree)] : []), ...(await findSystemBinaries())];
  const problems: EmbeddedProblem[] = [];
  try {
    const place = await findPlace(dataDir);
    const cluster = await inspectCluster(place);
    const major = cluster.record?.major;
    if (major !== undefined && !binaries.some((found) => found.major === major)) {
      problems.push(problem(explainMismatch(place.cluster, major)));
    }
    if (!cluster.exists && !binaries.some((found) => found.major >= MAJOR_MIN)) problems.push(problem(explainNone()));
    const postmaster = cluster.exists ? await inspectPostmaster(place, problems) : AT_REST;
    const requestedDir = place.requested;
    return { binaries, requestedDir, cluster, postmaster, problems };
  } catch (error) {
    if (!(error instanceof EmbeddedRefusal)) throw error;
    problems.push(problem(error.message));
    return { binaries, requestedDir: dataDir, cluster: null, postmaster: AT_REST, problems };
  }
}

async function inspectCluster(place: Place): Promise<NonNullable<EmbeddedInspection["cluster"]>> {
  const exists = clusterExists(place.cluster);
  const ownerUid = statSync(place.cluster, { throwIfNoEntry: false })?.uid ?? null;
  const socketDir = (await runningPostmaster(place.cluster))?.socketDir ?? socketDirCandidates(place)[0];
  return {
    path: place.cluster,
    exists,
    ownerUid,
    ownerName: ownerUid === null ? null : await nameOfUid(ownerUid),
    runsAs: place.account.name,
    record: exists ? readRecord(place.cluster) : null,
    logFile: place.logFile,
    socket: socketDir === undefined ? null : socketFile(socketDir),
  };
}

async function inspectPostmaster(place: Place, problems: EmbeddedProblem[]): Promise<EmbeddedInspection["postmaster"]> {
  const running = await runningPostmaster(place.cluster);
  if (!running) return { ...AT_REST, stalePidFile: readPidFile(place.cluster) !== null };
  const seen = { running: true, pid: running.pid, stalePidFile: false };
  try {
    const settings = { ...connectionTo(running.socketDir), application_name: `parley-doctor pid=${process.pid}` };
    const client = await open(settings);
    try {
      return { ...seen, answers: true, owner: await lockHolder(client) };
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    const tail = await logTail(place.logFile);
    problems.push({
      what: `PostgreSQL (process ${running.pid}) runs but does not serve: ${(error as Error).message}. Its log ends with:\n${tail}`,
      toDo: `Wait for it, or stop it with kill -QUIT ${running.pid}${isRoot() ? "" : ` (as ${place.account.name})`} and start Parley again.`,
    });
    return { ...seen, answers: false, owner: null };
  }
}

/** A refusal's message tells first what is, then what to do. */
function problem(message: string): EmbeddedProblem {
  const end = message.indexOf(". ");
  return end < 0 ? { what: message, toDo: "" } : { what: message.slice(0, end + 1), toDo: message.slice(end + 2) };
}

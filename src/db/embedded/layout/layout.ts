import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Account, accountForRoot, isRoot, nameOfUid, ownAccount } from "../host/accounts.ts";
import { closedOnTheWay, createDirectory, fileOnTheWay, realPath } from "../host/paths.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "../host/refusal.ts";
import { clusterExists } from "./cluster-record.ts";
import { claimElsewhere, freeElsewhere, noteFile, readNote, requireStartingOver } from "./location-note.ts";

/** Where everything is, and which account runs the server. */
export interface Layout {
  /** the data directory that was asked for, as a real path */
  readonly requested: string;
  /** holds the cluster, the log and usually the socket; `requested` unless the server's account cannot get there */
  readonly base: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account;
  /** the directory that is closed to the server's account, when that moved the base */
  readonly closed: string | null;
  /** an earlier cluster that was created for this directory and is left alone */
  readonly kept: string | null;
}

const CLUSTER = "postgres";

/** Decides the layout without creating anything; `createLayout` does that. */
export async function findLayout(dataDir: string): Promise<Layout> {
  if (process.platform !== "linux" && process.platform !== "darwin") {
    throw new EmbeddedRefusal(
      `Parley brings its own PostgreSQL on Linux and macOS only, and this is ${process.platform}. ` +
        "Set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  }
  const requested = realPath(dataDir);
  const file = fileOnTheWay(requested);
  if (file !== null) throw new EmbeddedRefusal(`${file} is a file. Set PARLEY_DATA_DIR to a directory.`);
  return isRoot() ? findForRoot(requested) : findForUser(requested);
}

/** Creates the base directory and, where the cluster is elsewhere, the note that says so. */
export async function createLayout(layout: Layout): Promise<Layout> {
  try {
    // Root uses 0711: the server's account must pass through, and nobody needs to list it.
    await createDirectory(layout.requested, isRoot() ? 0o711 : 0o700);
    if (layout.base === layout.requested) return layout;
    const base = claimElsewhere(layout.requested, layout.base);
    await createDirectory(base, 0o755);
    return at(layout, base);
  } catch (error) {
    throw new EmbeddedRefusal(
      `The data directory ${layout.base} cannot be created: ${(error as Error).message}. ` +
        `Change ${dirname(layout.base)} to be writable, set PARLEY_DATA_DIR to another directory, ${OR_DATABASE_URL}.`,
    );
  }
}

/** Before a cluster is created there: a system call that fails in the middle of it tells a person nothing. */
export function requireWritable(layout: Layout): Layout {
  if (clusterExists(layout.cluster)) return layout;
  try {
    accessSync(layout.base, constants.W_OK | constants.X_OK);
    return layout;
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === "EROFS";
    throw new EmbeddedRefusal(
      `The data directory ${layout.base} is not writable: ` +
        `${isReadOnly ? "its file system is read-only" : "this user may not write to it"}. ` +
        `${isReadOnly ? "Mount it writable" : "Change its owner or mode"}, ` +
        `set PARLEY_DATA_DIR to a directory that you can write to, ${OR_DATABASE_URL}.`,
    );
  }
}

async function findForUser(requested: string): Promise<Layout> {
  const layout = at({ requested, account: ownAccount(), closed: null, kept: null }, requested);
  const owner = ownerOf(layout.cluster);
  if (owner !== undefined && owner !== layout.account.uid) {
    const name = await nameOfUid(owner);
    throw new EmbeddedRefusal(
      `The database in ${layout.cluster} belongs to ${name}, and Parley runs as ${layout.account.name}. ` +
        `Run it as root or as ${name}, or set PARLEY_DATA_DIR to another directory.`,
    );
  }
  const note = readNote(requested);
  if (note && owner === undefined) {
    throw new EmbeddedRefusal(
      `The database of ${requested} is in ${note.base}, because root started it first, and only root can run it there. ` +
        `Run Parley as root, set PARLEY_DATA_DIR to another directory, or delete ${noteFile(requested)} to start with an empty database here.`,
    );
  }
  return layout;
}

/** Undefined: there is nothing yet. */
function ownerOf(cluster: string): number | undefined {
  try {
    return statSync(cluster, { throwIfNoEntry: false })?.uid;
  } catch (error) {
    throw new EmbeddedRefusal(
      `This user may not enter the data directory ${dirname(cluster)}, or a directory on the way to it: ` +
        `${(error as Error).message}. Change its owner or mode, set PARLEY_DATA_DIR to another directory, ${OR_DATABASE_URL}.`,
    );
  }
}

async function findForRoot(requested: string): Promise<Layout> {
  const inDataDir = join(requested, CLUSTER);
  if (clusterExists(inDataDir)) {
    const account = await accountForRoot([inDataDir]);
    const closed = closedOnTheWay(requested, account);
    if (closed !== null) {
      throw new EmbeddedRefusal(
        `The database in ${inDataDir} runs as ${account.name}, who may not enter ${closed}. ` +
          `Open it (chmod o+x ${closed}), or move ${requested} to a directory such as /var/lib and point PARLEY_DATA_DIR there.`,
      );
    }
    return at({ requested, account, closed: null, kept: null }, requested);
  }
  const note = readNote(requested);
  if (note) {
    const account = await accountForRoot([join(note.base, CLUSTER), requested]);
    return at({ requested, account, closed: closedOnTheWay(requested, account), kept: null }, note.base);
  }
  const account = await accountForRoot([requested]);
  const closed = closedOnTheWay(requested, account);
  if (closed === null) return at({ requested, account, closed, kept: null }, requested);
  const { base, kept } = freeElsewhere(requested);
  requireStartingOver(requested, kept);
  return at({ requested, account, closed, kept }, base);
}

function at(rest: Pick<Layout, "requested" | "account" | "closed" | "kept">, base: string): Layout {
  const { requested, account, closed, kept } = rest;
  return { requested, account, closed, kept, base, cluster: join(base, CLUSTER), logFile: join(base, "postgres.log") };
}

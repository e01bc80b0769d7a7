import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Account, accountForRoot, isRoot, nameOfUid, ownAccount } from "./accounts.ts";
import { clusterExists } from "./cluster-record.ts";
import { claimElsewhere, freeElsewhere, noteFile, readNote } from "./location-note.ts";
import { closedOnTheWay, makeDirectory, realPath } from "./reach.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";

/** Where everything lies, and who runs the server. */
export interface Place {
  /** the data directory that was asked for, as a real path */
  readonly requested: string;
  /** holds the cluster, the log and usually the socket; `requested` unless the server's user cannot get there */
  readonly base: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account;
  /** the directory that is closed to the server's user, when that moved the base */
  readonly closed: string | null;
  /** an earlier cluster that was made for this directory and is left alone */
  readonly kept: string | null;
}

export const CLUSTER = "postgres";

/** Finds the place without making anything; `settlePlace` makes it. */
export async function findPlace(dataDir: string): Promise<Place> {
  if (process.platform !== "linux" && process.platform !== "darwin") {
    throw new EmbeddedRefusal(
      `Parley brings its own PostgreSQL on Linux and macOS only, and this is ${process.platform}. ` +
        "Set DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  }
  const requested = realPath(dataDir);
  const stats = statSync(requested, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) {
    throw new EmbeddedRefusal(`${requested} is a file. Set PARLEY_DATA_DIR to a directory.`);
  }
  return isRoot() ? findForRoot(requested) : findForUser(requested);
}

/** Makes the base directory and, where the cluster lies elsewhere, the note that says so. */
export async function settlePlace(place: Place): Promise<Place> {
  try {
    // Root makes 0711: the server's user must pass through, and nobody needs to look around.
    await makeDirectory(place.requested, isRoot() ? 0o711 : 0o700);
    if (place.base === place.requested) return place;
    const base = await claimElsewhere(place.requested, place.base);
    await makeDirectory(base, 0o755);
    return at(place, base);
  } catch (error) {
    throw new EmbeddedRefusal(
      `The data directory ${place.base} cannot be made: ${(error as Error).message}. ` +
        `Make ${dirname(place.base)} writable, set PARLEY_DATA_DIR to another directory, ${OR_DATABASE_URL}.`,
    );
  }
}

async function findForUser(requested: string): Promise<Place> {
  const place = at({ requested, account: ownAccount(), closed: null, kept: null }, requested);
  const owner = statSync(place.cluster, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && owner !== place.account.uid) {
    const name = await nameOfUid(owner);
    throw new EmbeddedRefusal(
      `The database in ${place.cluster} belongs to ${name}, and Parley runs as ${place.account.name}. ` +
        `Run it as root or as ${name}, or set PARLEY_DATA_DIR to another directory.`,
    );
  }
  const note = readNote(requested);
  if (note && owner === undefined) {
    throw new EmbeddedRefusal(
      `The database of ${requested} lies in ${note.base}, because root started it first, and only root can run it there. ` +
        `Run Parley as root, set PARLEY_DATA_DIR to another directory, or delete ${noteFile(requested)} to begin an empty database here.`,
    );
  }
  return place;
}

async function findForRoot(requested: string): Promise<Place> {
  const inPlace = join(requested, CLUSTER);
  if (clusterExists(inPlace)) {
    const account = await accountForRoot([inPlace]);
    const closed = closedOnTheWay(requested, account);
    if (closed !== null) {
      throw new EmbeddedRefusal(
        `The database in ${inPlace} runs as ${account.name}, who may not enter ${closed}. ` +
          `Open the way (chmod o+x ${closed}), or move ${requested} to a place such as /var/lib and point PARLEY_DATA_DIR there.`,
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
  return at({ requested, account, closed, kept }, base);
}

function at(rest: Pick<Place, "requested" | "account" | "closed" | "kept">, base: string): Place {
  const { requested, account, closed, kept } = rest;
  return { requested, account, closed, kept, base, cluster: join(base, CLUSTER), logFile: join(base, "postgres.log") };
}

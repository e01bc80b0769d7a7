import { createHash, randomBytes } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { chmod, lchown, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./accounts.ts";
import type { Place } from "./place.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";
import { SOCKET_PORT } from "./settings.ts";

/** sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero. */
const SOCKET_PATH_BYTES_MAX = process.platform === "darwin" ? 102 : 106;

export function socketFile(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

/** The directories to try, best first: beside the cluster, else a short one that is derived from the cluster's path. */
export function socketDirCandidates(place: Place): string[] {
  const hash = createHash("sha256").update(place.cluster).digest("hex").slice(0, 16);
  const short = [tmpdir(), "/tmp"].map((parent) => join(parent, `parley-${hash}`));
  // Somebody else's directory under the expected name in /tmp must not keep us from starting.
  const evasive = join("/tmp", `parley-${hash}-${randomBytes(4).toString("hex")}`);
  return [join(place.base, "postgres-run"), ...short, evasive].filter(fits);
}

/** Makes the socket's directory: mode 0700 and the server's own, or it is not used. */
export async function makeSocketDir(place: Place, preferred: string | null): Promise<string> {
  const problems: string[] = [];
  for (const directory of [...(preferred === null ? [] : [preferred]), ...socketDirCandidates(place)]) {
    try {
      await mkdir(directory, { mode: 0o700 });
      if (place.account.switchTo) await lchown(directory, place.account.uid, place.account.gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        problems.push((error as Error).message);
        continue;
      }
    }
    const problem = await adjust(directory, place.account);
    if (problem === null) return directory;
    problems.push(problem);
  }
  throw new EmbeddedRefusal(
    `PostgreSQL needs a directory for its socket and none can be used: ${problems.join("; ")}. ` +
      `Remove what is in the way, or choose a shorter PARLEY_DATA_DIR, ${OR_DATABASE_URL}.`,
  );
}

/** Is this directory the account's alone? Whoever owns it could answer in the server's place. */
export function socketDirProblem(directory: string, account: Account): string | null {
  const stats = lstat(directory);
  if (!stats) return `${directory} does not exist`;
  if (!stats.isDirectory()) return `${directory} is not a directory`;
  if (stats.uid !== account.uid) return `${directory} belongs to uid ${stats.uid}, not to ${account.name}`;
  if ((stats.mode & 0o077) !== 0) return `${directory} is open to others`;
  return null;
}

/** What an interrupted start, or a change of the server's user, has left is put right where it is ours to change. */
async function adjust(directory: string, account: Account): Promise<string | null> {
  const stats = lstat(directory);
  const ours = process.geteuid?.();
  if (stats?.isDirectory() && (stats.uid === ours || stats.uid === account.uid)) {
    if (stats.uid !== account.uid) await lchown(directory, account.uid, account.gid).catch(() => {});
    if ((stats.mode & 0o077) !== 0) await chmod(directory, 0o700).catch(() => {});
  }
  return socketDirProblem(directory, account);
}

function fits(directory: string): boolean {
  return Buffer.byteLength(socketFile(directory)) <= SOCKET_PATH_BYTES_MAX;
}

function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

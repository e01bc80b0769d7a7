import { createHash, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { chmod, lchown, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "../host/accounts.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "../host/refusal.ts";
import type { Layout } from "./layout.ts";

/** No TCP port is opened; PostgreSQL puts the number into the socket's file name. */
export const SOCKET_PORT = 5432;
/** sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero. */
const SOCKET_PATH_BYTES_MAX = process.platform === "darwin" ? 102 : 106;

export function socketFile(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

/** The directories to try, best first: next to the cluster, else a short one that is derived from the cluster's path. */
export function socketDirCandidates(layout: Layout): string[] {
  const hash = createHash("sha256").update(layout.cluster).digest("hex").slice(0, 16);
  const short = [tmpdir(), "/tmp"].map((parent) => join(parent, `parley-${hash}`));
  // A directory of another user under the expected name in /tmp must not keep us from starting.
  const unused = join("/tmp", `parley-${hash}-${randomBytes(4).toString("hex")}`);
  const fits = (directory: string): boolean => Buffer.byteLength(socketFile(directory)) <= SOCKET_PATH_BYTES_MAX;
  return [join(layout.base, "postgres-run"), ...short, unused].filter(fits);
}

/** Creates the socket's directory: mode 0700 and owned by the server's account, or it is not used. */
export async function createSocketDir(layout: Layout, preferred: string | null): Promise<string> {
  const problems: string[] = [];
  for (const directory of [...(preferred === null ? [] : [preferred]), ...socketDirCandidates(layout)]) {
    const failure = await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => error);
    if (failure instanceof Error && failure.code !== "EEXIST") {
      problems.push(failure.message);
      continue;
    }
    await repair(directory, layout.account);
    const problem = socketDirProblem(directory, layout.account);
    if (problem === null) return directory;
    problems.push(problem);
  }
  throw new EmbeddedRefusal(
    `PostgreSQL needs a directory for its socket and none can be used: ${problems.join("; ")}. ` +
      `Remove what is in the way, or choose a shorter PARLEY_DATA_DIR, ${OR_DATABASE_URL}.`,
  );
}

/** Is this directory the account's alone? Its owner could run another server in it. */
export function socketDirProblem(directory: string, account: Account): string | null {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (!stats) return `${directory} does not exist`;
  if (!stats.isDirectory()) return `${directory} is not a directory`;
  if (stats.uid !== account.uid) return `${directory} belongs to uid ${stats.uid}, not to ${account.name}`;
  if ((stats.mode & 0o077) !== 0) return `${directory} is open to others`;
  return null;
}

/** Corrects owner and mode after an interrupted start or a change of the account, where the directory is ours. */
async function repair(directory: string, account: Account): Promise<void> {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || ![process.geteuid?.(), account.uid].includes(stats.uid)) return;
  if (stats.uid !== account.uid) await lchown(directory, account.uid, account.gid).catch(() => {});
  if ((stats.mode & 0o077) !== 0) await chmod(directory, 0o700).catch(() => {});
}

import { randomBytes } from "node:crypto";
import { lchown, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Account } from "./accounts.ts";
import type { Binaries } from "./binaries.ts";
import { clusterExists, RECORD_FILE, recordOf } from "./cluster-record.ts";
import { isTaken, syncDirectory } from "./copy-tree.ts";
import type { Place } from "./place.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";
import { type RunResult, run } from "./run.ts";
import { SUPERUSER } from "./settings.ts";

const INITDB_MS = 120_000;

/**
 * Makes the cluster under a passing name and renames it, so that a kill at any moment leaves either nothing or a
 * complete cluster. When two processes do this at once, the first rename wins and both go on with that one.
 */
export async function initCluster(place: Place, binaries: Binaries): Promise<void> {
  await removeLeftovers(place);
  const passing = join(place.base, `${passingPrefix(place)}${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(passing, { mode: 0o700 });
    if (place.account.switchTo) await lchown(passing, place.account.uid, place.account.gid);
    await initdb(passing, place.account, binaries);
    await writeRecord(passing, place, binaries);
    await rename(passing, place.cluster);
    await syncDirectory(place.base);
  } catch (error) {
    await rm(passing, { recursive: true, force: true, maxRetries: 5 });
    if (!isTaken(error)) throw error;
    if (clusterExists(place.cluster)) return;
    throw new EmbeddedRefusal(
      `${place.cluster} is not empty and holds no PostgreSQL database. Move it away, or set PARLEY_DATA_DIR to another directory.`,
    );
  }
}

async function initdb(directory: string, account: Account, binaries: Binaries): Promise<void> {
  let result = await runInitdb(directory, account, binaries, localeArguments(binaries.major));
  if (result.code !== 0 && /invalid locale name/.test(result.output)) {
    // 15 and 16 depend on the C library for C.UTF-8, and not every one has it.
    result = await runInitdb(directory, account, binaries, ["--locale=C"]);
  }
  if (result.code === 0) return;
  const end = result.signal ? `was ended by ${result.signal}` : `ended with code ${result.code}`;
  throw new EmbeddedRefusal(
    `The database could not be made: initdb ${end} and said:\n${lastLines(result)}\n` +
      `Put right what it complains of and start again (nothing was left behind in ${dirname(directory)}), ${OR_DATABASE_URL}.`,
  );
}

async function runInitdb(
  directory: string,
  account: Account,
  binaries: Binaries,
  locale: readonly string[],
): Promise<RunResult> {
  const fixed = ["-D", directory, "-U", SUPERUSER, "--encoding=UTF8", "--data-checksums", "--no-instructions"];
  const trust = ["--auth-local=trust", "--auth-host=reject"];
  const program = join(binaries.binDir, "initdb");
  try {
    // cwd: initdb stops when it cannot read the directory it was started in.
    return await run(program, [...fixed, ...trust, ...locale], { account, cwd: directory, timeoutMs: INITDB_MS });
  } catch (error) {
    throw new EmbeddedRefusal(
      `${program} cannot be started: ${(error as Error).message}. Reinstall the dependencies (npm ci), ${OR_DATABASE_URL}.`,
    );
  }
}

/** The builtin provider (17 and newer) sorts alike on every machine and after every upgrade of the C library. */
function localeArguments(major: number): string[] {
  return major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : ["--locale=C.UTF-8"];
}

async function writeRecord(directory: string, place: Place, binaries: Binaries): Promise<void> {
  // wx: the directory belongs to the server's user; root must not follow a link that was put there.
  const handle = await open(join(directory, RECORD_FILE), "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(recordOf(binaries, place.requested), null, 2)}\n`);
    if (place.account.switchTo) await handle.chown(place.account.uid, place.account.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function passingPrefix(place: Place): string {
  return `${basename(place.cluster)}.new-`;
}

/** What a start that was killed during initdb has left: its process is gone, or it is older than initdb may take. */
async function removeLeftovers(place: Place): Promise<void> {
  for (const name of await readdir(place.base)) {
    if (!name.startsWith(passingPrefix(place))) continue;
    const path = join(place.base, name);
    const pid = Number.parseInt(name.slice(passingPrefix(place).length), 10);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    if (processExists(pid) && Date.now() - mtimeMs < 2 * INITDB_MS) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function lastLines(result: RunResult): string {
  return result.output.trim().split("\n").slice(-15).join("\n");
}

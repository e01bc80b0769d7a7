import { randomBytes } from "node:crypto";
import { lchown, mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { moveDurably } from "../../../core/durable-file.ts";
import type { Binaries } from "../binaries/binaries.ts";
import type { Account } from "../host/accounts.ts";
import { isTaken } from "../host/paths.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "../host/refusal.ts";
import { type RunResult, run } from "../host/run.ts";
import { clusterExists, writeRecord } from "../layout/cluster-record.ts";
import type { Layout } from "../layout/layout.ts";
import { signal } from "./processes.ts";
import { ADMIN_ROLE } from "./settings.ts";

const INITDB_MS = 120_000;

/**
 * Creates the cluster under a temporary name and renames it, so that a kill at any moment leaves either nothing or a
 * complete cluster. When two processes do this at once, the first rename wins and both continue with that one.
 */
export async function initCluster(layout: Layout, binaries: Binaries): Promise<void> {
  await removeLeftovers(layout);
  const draft = join(layout.base, `${draftPrefix(layout)}${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    if (layout.account.switchTo) await lchown(draft, layout.account.uid, layout.account.gid);
    await initdb(draft, layout.account, binaries);
    writeRecord(draft, layout, binaries);
    moveDurably(draft, layout.cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
    if (!isTaken(error)) throw error;
    if (clusterExists(layout.cluster)) return;
    throw new EmbeddedRefusal(
      `${layout.cluster} is not empty and holds no PostgreSQL database. Move it away, or set PARLEY_DATA_DIR to another directory.`,
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
    `The database could not be created: initdb ${end} and said:\n${result.output.trim().split("\n").slice(-15).join("\n")}\n` +
      `Fix what it reports and start again (nothing was left behind in ${dirname(directory)}), ${OR_DATABASE_URL}.`,
  );
}

async function runInitdb(
  directory: string,
  account: Account,
  binaries: Binaries,
  locale: readonly string[],
): Promise<RunResult> {
  const fixed = ["-D", directory, "-U", ADMIN_ROLE, "--encoding=UTF8", "--data-checksums", "--no-instructions"];
  // The server reads other files than initdb's (see authentication.ts).
  const auth = ["--auth=reject"];
  const program = join(binaries.binDir, "initdb");
  try {
    // cwd: initdb stops when it cannot read the directory it was started in.
    return await run(program, [...fixed, ...auth, ...locale], { account, cwd: directory, timeoutMs: INITDB_MS });
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

function draftPrefix(layout: Layout): string {
  return `${basename(layout.cluster)}.new-`;
}

/** What a start that was killed during initdb has left: its process is gone, or it is older than initdb may take. */
async function removeLeftovers(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.base)) {
    if (!name.startsWith(draftPrefix(layout))) continue;
    const path = join(layout.base, name);
    const pid = Number.parseInt(name.slice(draftPrefix(layout).length), 10);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    if (signal(pid, 0) && Date.now() - mtimeMs < 2 * INITDB_MS) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

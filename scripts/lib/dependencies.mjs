import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { runNpm } from "./npm.mjs";
import { readIfPresent, root, SetupError, say, secondsSince } from "./root.mjs";

const stampFile = join("node_modules", ".parley-stamp");

/**
 * The state of node_modules: "current", "runtime" (current but for the development packages, as in a production image)
 * or "stale". The stamp is one read; without it npm's own record of what it installed is compared with the lock file, so that
 * a hand-run `npm ci` or `npm install` is accepted and nothing is fetched again.
 */
export function inspectDependencies({ justInstalled = false } = {}) {
  if (readIfPresent(stampFile) === wantedStamp()) return "current";
  const installed = JSON.parse(readIfPresent(join("node_modules", ".package-lock.json")) ?? "null")?.packages;
  if (!installed) return "stale";
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return compareInstalled({ wanted, installed, justInstalled, exists: (path) => existsSync(join(root, path)) });
}

/**
 * Compares the packages of the lock file with those of npm's record. npm passes over an optional package that it cannot
 * get, such as one that a mirror lacks, and installing again would not help. Of the optional packages only those
 * that our own package.json files name, PostgreSQL among them, are therefore worth another installation, once.
 *
 * @param {{ wanted: Record<string, any>, installed: Record<string, any>, justInstalled: boolean, exists: (path: string) => boolean }} found
 * @returns {"current" | "runtime" | "stale"}
 */
export function compareInstalled({ wanted, installed, justInstalled, exists }) {
  const ownOptional = Object.entries(wanted).flatMap(([path, { optionalDependencies = {} }]) =>
    path.includes("node_modules/") ? [] : Object.keys(optionalDependencies).map((name) => `node_modules/${name}`),
  );
  let state = "current";
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes("node_modules/")) continue;
    // A package of this repository: npm links it, and the server imports the client that way.
    if (entry.link && !exists(path)) return "stale";
    if (entry.link) continue;
    const have = installed[path];
    const isWorthInstalling = !justInstalled && ownOptional.includes(path) && runsHere(entry);
    if (entry.optional && !have && !isWorthInstalling) continue;
    if (isSame(have, entry) && exists(path)) continue;
    if (!entry.dev) return "stale";
    state = "runtime";
  }
  return state;
}

function runsHere({ os = [process.platform], cpu = [process.arch] }) {
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function isSame(have, wanted) {
  return have?.version === wanted.version && (!wanted.integrity || have.integrity === wanted.integrity);
}

export async function installDependencies() {
  await withLock(root, async (hold) => {
    // The process that held the lock before us has probably done it.
    if (inspectDependencies() !== "current") await install(hold);
    writeFileSync(join(root, stampFile), wantedStamp());
  });
}

/** Records that node_modules is current. A tree we may not write to is used as it is: the next start just looks again. */
export function rememberDependencies() {
  if (readIfPresent(stampFile) === wantedStamp()) return;
  try {
    writeFileSync(join(root, stampFile), wantedStamp());
  } catch {
    // Read-only checkout.
  }
}

async function install(hold) {
  const startedAt = performance.now();
  // An installation that was interrupted leaves packages and no stamp.
  const first = !existsSync(join(root, stampFile));
  say(`Installing dependencies (${first ? "first run" : "they changed"}) …`);
  const parts = ["--include=dev", "--include=optional"];
  let result = await npm(["ci", ...parts], hold);
  if (result.code !== 0 && result.output.includes("EUSAGE")) {
    // `npm ci` reports a lock file that lacks packages of other platforms as out of sync, and a real mismatch likewise.
    // `npm install` accepts the first; the comparison below finds the second.
    result = await npm(["install", "--no-save", ...parts], hold);
  }
  if (result.code !== 0) {
    say(result.output.trim());
    throw new SetupError(
      `Could not install the dependencies (npm ended with ${result.code}; its output is above). It needs the npm registry ` +
        "or a filled npm cache. Once that is there, the same command continues from here.",
    );
  }
  if (inspectDependencies({ justInstalled: true }) !== "current") {
    throw new SetupError(
      "What npm installed is not what package-lock.json says. If you changed package.json: `npm install`.",
    );
  }
  say(`Installed dependencies in ${secondsSince(startedAt)}.`);
}

async function npm(args, hold) {
  try {
    return await runNpm(args, hold);
  } catch (error) {
    throw new SetupError(`Could not run npm (${error.message}). Parley's set-up needs the npm that comes with Node.`);
  }
}

/**
 * Node's version is left out on purpose: nothing we install is built against one, and the smoke run uses this very
 * node_modules under other versions of Node.
 */
function wantedStamp() {
  const lockFile = readIfPresent("package-lock.json");
  if (lockFile === undefined)
    throw new SetupError("package-lock.json is missing: this is not a whole checkout of Parley.");
  const digest = createHash("sha256").update(lockFile).digest("hex");
  return `${digest} ${process.platform} ${process.arch}\n`;
}

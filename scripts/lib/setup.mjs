import { buildStale, staleTargets } from "./build.mjs";
import { inspectDependencies, installDependencies, rememberDependencies } from "./dependencies.mjs";
import { SetupError } from "./root.mjs";

const NODE_OLDEST = [20, 19];

/**
 * Everything a checkout needs before its code can run. Silent, and only a few milliseconds, when there is nothing to do.
 * A tree whose build is current runs without the development packages; otherwise all packages are installed.
 */
export async function ensureReady() {
  requireNode();
  if (inspectDependencies() === "runtime" && staleTargets().length === 0) return;
  await ensureDependencies();
  await ensureBuild();
}

export async function ensureDependencies() {
  requireNode();
  if (inspectDependencies() === "current") rememberDependencies();
  else await installDependencies();
}

export async function ensureBuild() {
  if (staleTargets().length > 0) await buildStale();
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = NODE_OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(
    `Parley needs Node ${NODE_OLDEST.join(".")} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  );
}

import { buildStale, COMMAND_TARGETS, staleTargets } from "./build.mjs";
import { inspectDependencies, installDependencies, rememberDependencies } from "./dependencies.mjs";
import { SetupError } from "./root.mjs";

const NODE_OLDEST = [20, 19];

/**
 * Everything a checkout needs before its code can run. Silent, and only a few milliseconds, when there is nothing to do.
 * A tree whose build is current runs without the development packages; otherwise all packages are installed.
 *
 * @param {{ pages: boolean }} needs whether the command serves the dashboard, the widget and the documentation
 */
export async function ensureReady({ pages }) {
  requireNode();
  const targets = pages ? undefined : COMMAND_TARGETS;
  if (inspectDependencies() === "runtime" && staleTargets(targets).length === 0) return;
  await ensureDependencies();
  if (staleTargets(targets).length > 0) await buildStale();
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

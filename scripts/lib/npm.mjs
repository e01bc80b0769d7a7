import { accessSync, constants, existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { run } from "./run.mjs";

/**
 * npm hands its own settings down as `npm_config_*`, so a nested npm would inherit `--omit=dev`, `--prefix`, `--json` and
 * the like from whatever ran us. Only what says where and how to fetch is kept.
 */
const KEPT_SETTINGS =
  /^npm_config_(\/\/.*|@.*|registry|cache|userconfig|globalconfig|proxy|https?[-_]proxy|noproxy|no_proxy|ca|cafile|cert|key|strict[-_]ssl|offline|prefer[-_](offline|online)|fetch[-_].*|maxsockets)$/i;

/** An interrupted npm puts back what it has moved, up to half a minute in silence; what it leaves is installed again. */
const KILL_AFTER_MS = 2_000;

/**
 * Runs npm quietly, without prompts, audit or install scripts (we need none, and newer npm refuses them).
 *
 * @param {string[]} args
 * @param {{ cwd?: string, onSpawn?: (pid: number) => void }} options
 */
export async function runNpm(args, options = {}) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--yes"];
  const env = npmEnvironment();
  const ownCache = cacheIsWritable(env) ? undefined : mkdtempSync(join(tmpdir(), "parley-npm-cache-"));
  if (ownCache) env.npm_config_cache = ownCache;
  try {
    const [command, ...before] = npmCommand();
    const shell = process.platform === "win32";
    return await run(command, [...before, ...args, ...quiet], { ...options, env, shell, killAfterMs: KILL_AFTER_MS });
  } finally {
    if (ownCache) rmSync(ownCache, { recursive: true, force: true });
  }
}

/** The npm that runs us, when one does; else the one on the PATH. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && basename(running) === "npm-cli.js" && existsSync(running) && process.platform !== "win32") {
    return [process.execPath, running];
  }
  return ["npm"];
}

function npmEnvironment() {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    const isSetting = /^npm_config_/i.test(name);
    if (isSetting ? KEPT_SETTINGS.test(name) : name !== "NODE_ENV") env[name] = value;
  }
  return env;
}

/** An ordinary user may have no home it can write (nobody, a container's uid): npm would stop at its cache. */
function cacheIsWritable(env) {
  const setting = Object.keys(env).find((name) => /^npm_config_cache$/i.test(name));
  const cache = (setting && env[setting]) || join(homedir(), ".npm");
  let nearest = cache;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return [nearest, join(cache, "_cacache"), join(cache, "_cacache", "tmp")].filter(existsSync).every(isWritable);
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

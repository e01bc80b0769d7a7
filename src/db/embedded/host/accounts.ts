import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { readIfPresent } from "../../../core/read-if-present.ts";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";
import { type RunAs, run } from "./run.ts";

/** The account PostgreSQL runs under. */
export interface Account extends RunAs {
  readonly name: string;
}

/** The accounts that root tries when the data directory belongs to no ordinary user. */
const UNPRIVILEGED = ["parley", "postgres", "nobody"];

/** Accounts that other programs run under too. */
const SHARED = new Set(["postgres", "nobody"]);

/** What to say where root chose an account that Parley does not have to itself; null where it has. */
export function sharedAccountWarning({ name, switchTo }: Account, cluster: string): string | null {
  if (!switchTo || !SHARED.has(name)) return null;
  return (
    `Warning: the database runs as ${name}, an account that other programs use too (a PostgreSQL of the system, for example): ` +
    `they can read it. Create one for Parley, stop Parley and hand the database over: ` +
    `useradd --system --no-create-home parley && chown -R parley: ${cluster}`
  );
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** initdb asks the system for its own name and fails without one; say so before it does. */
export function ownAccount(): Account {
  const uid = process.geteuid?.() ?? -1;
  try {
    const { username, gid } = userInfo();
    return { uid, gid, name: username, switchTo: false };
  } catch {
    throw new EmbeddedRefusal(
      `Parley runs as uid ${uid}, which has no entry in /etc/passwd, and PostgreSQL does not start without one. ` +
        `Run Parley as root (it drops its privileges by itself) or as a listed user, add an entry for uid ${uid}, ${OR_DATABASE_URL}.`,
    );
  }
}

/** The owner of the first of these directories that belongs to a listed, ordinary user; else one of the usual names. */
export async function accountForRoot(ownersOf: readonly string[]): Promise<Account> {
  const owners = ownersOf.map((path) => statSync(path, { throwIfNoEntry: false })?.uid ?? 0);
  for (const candidate of [...owners.filter((uid) => uid !== 0), ...UNPRIVILEGED]) {
    const account = await findAccount(candidate);
    if (account) return account;
  }
  throw new EmbeddedRefusal(
    `PostgreSQL refuses to run as root, and none of the users ${UNPRIVILEGED.join(", ")} exists here. ` +
      `Create one (useradd --system parley), start Parley as an ordinary user, ${OR_DATABASE_URL}.`,
  );
}

export async function nameOfUid(uid: number): Promise<string> {
  if (uid === 0) return "root";
  return (await findAccount(uid))?.name ?? `uid ${uid}`;
}

/** /etc/passwd first, because it costs nothing; getent knows directories such as LDAP and is missing on macOS. */
async function findAccount(nameOrUid: string | number): Promise<Account | null> {
  const local = parse(readIfPresent("/etc/passwd") ?? "", nameOrUid);
  if (local) return local;
  const result = await run("getent", ["passwd", String(nameOrUid)], { timeoutMs: 3_000 }).catch(() => null);
  return result?.code === 0 ? parse(result.output, nameOrUid) : null;
}

function parse(passwd: string, nameOrUid: string | number): Account | null {
  for (const line of passwd.split("\n")) {
    const [name, , uidText, gidText] = line.split(":");
    if (!name || !uidText || !gidText || name.startsWith("#")) continue;
    // macOS lists nobody as -2, the kernel as 4294967294.
    const uid = Number(uidText) >>> 0;
    const gid = Number(gidText) >>> 0;
    if (uid !== 0 && (nameOrUid === name || nameOrUid === uid)) return { uid, gid, name, switchTo: true };
  }
  return null;
}

import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { EmbeddedRefusal, OR_DATABASE_URL } from "./refusal.ts";
import { run } from "./run.ts";

/** The account PostgreSQL runs under. `switchTo` is set only where we are root and have to step down. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  readonly switchTo: boolean;
}

/** Who runs the server when root starts it in a directory that belongs to nobody in particular. */
const STEP_DOWN_TO = ["parley", "postgres", "nobody"];

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
        `Run Parley as root (it steps down by itself) or as a listed user, add an entry for uid ${uid}, ${OR_DATABASE_URL}.`,
    );
  }
}

/** The first of the given directories that exists and belongs to a listed, ordinary user decides; then the usual names. */
export async function accountForRoot(ownersOf: readonly string[]): Promise<Account> {
  for (const path of ownersOf) {
    const uid = statSync(path, { throwIfNoEntry: false })?.uid;
    const account = uid ? await lookUp(uid) : null;
    if (account) return account;
  }
  for (const name of STEP_DOWN_TO) {
    const account = await lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedRefusal(
    `PostgreSQL refuses to run as root, and none of the users ${STEP_DOWN_TO.join(", ")} exists here. ` +
      `Create one (useradd --system parley), start Parley as an ordinary user, ${OR_DATABASE_URL}.`,
  );
}

export async function nameOfUid(uid: number): Promise<string> {
  if (uid === 0) return "root";
  return (await lookUp(uid))?.name ?? `uid ${uid}`;
}

/** /etc/passwd first, because it costs nothing; getent knows directories such as LDAP and is missing on macOS. */
async function lookUp(who: string | number): Promise<Account | null> {
  const local = parse(readPasswd(), who);
  if (local) return local;
  const answer = await run("getent", ["passwd", String(who)], { timeoutMs: 3_000 }).catch(() => null);
  return answer?.code === 0 ? parse(answer.output, who) : null;
}

function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

function parse(passwd: string, who: string | number): Account | null {
  for (const line of passwd.split("\n")) {
    const [name, , uidText, gidText] = line.split(":");
    if (!name || !uidText || !gidText || name.startsWith("#")) continue;
    // macOS lists nobody as -2, the kernel as 4294967294.
    const uid = Number(uidText) >>> 0;
    const gid = Number(gidText) >>> 0;
    if (uid !== 0 && (who === name || who === uid)) return { uid, gid, name, switchTo: true };
  }
  return null;
}

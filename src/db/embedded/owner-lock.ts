import type { Client } from "pg";
import { type Deadline, sleep } from "./wait.ts";

/**
 * Who may stop the server: the holder of this session lock. It goes with its connection, so a killed owner leaves
 * nothing behind. The two numbers are "parl" and "own" in ASCII; locks of the application use other first numbers.
 */
const OWNER_LOCK = [1885434476, 7305070] as const;
/** Held in shared mode by every command that is merely attached ("use"). */
const USERS_LOCK = [1885434476, 7697253] as const;

export const OWNER_NAME = `parley-owner pid=${process.pid}`;
export const ATTACHED_NAME = `parley-attached pid=${process.pid}`;

/** True once the lock is ours, false when its holder keeps it past the deadline. Rejects when the connection is lost. */
export async function takeOwnership(client: Client, deadline: Deadline): Promise<boolean> {
  return take(client, OWNER_LOCK, deadline);
}

/** Blocks while a command is about to stop the server, and rejects when it did. */
export async function joinUsers(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock_shared($1, $2)", [...USERS_LOCK]);
}

/** True once nobody is attached, and nobody can attach any more; false when somebody stays past the deadline. */
export async function shutOutUsers(client: Client, deadline: Deadline): Promise<boolean> {
  return take(client, USERS_LOCK, deadline);
}

export interface Holder {
  readonly applicationName: string;
  /** of the Parley process, null when the name does not tell */
  readonly pid: number | null;
}

export async function lockHolder(client: Client): Promise<Holder | null> {
  const { rows } = await client.query<{ application_name: string }>(
    `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1::bigint::oid AND l.objid = $2::bigint::oid
       AND l.objsubid = 2 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [...OWNER_LOCK],
  );
  const name = rows[0]?.application_name;
  if (name === undefined) return null;
  const pid = /pid=(\d+)/.exec(name)?.[1];
  return { applicationName: name, pid: pid === undefined ? null : Number(pid) };
}

async function take(client: Client, keys: readonly [number, number], deadline: Deadline): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS taken", [...keys]);
    if (rows[0]?.taken) return true;
    if (deadline.passed) return false;
    await sleep(25);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { EmbeddedRefusal } from "../host/refusal.ts";
import { Deadline } from "../host/wait.ts";
import type { Layout } from "../layout/layout.ts";
import { type BringUp, bringUp, type Connected } from "./bring-up.ts";

/**
 * Who may stop the server: the holder of this session lock. It goes with its connection, so a killed owner leaves
 * nothing behind. The two numbers are "parl" and "own" in ASCII; locks of the application use other first numbers.
 */
const OWNER_LOCK = [1885434476, 7305070] as const;
/** Held in shared mode by every command that is merely attached ("use"). */
const USERS_LOCK = [1885434476, 7697253] as const;

export const OWNER_NAME = `parley-owner pid=${process.pid}`;
const ATTACHED_NAME = `parley-attached pid=${process.pid}`;

/** Long enough for a command that just finishes, and for PostgreSQL to notice that a killed owner's connection is gone. */
const OWNER_WAIT_MS = 4_000;
/** How often the server may be stopped while we connect before that is an error. */
const STOPS_MAX = 20;

export type ConnectOptions = Omit<BringUp, "applicationName">;

/** A server that is ours to stop: started now, or taken over from a process that is gone. */
export async function connectAsOwner(options: ConnectOptions): Promise<Connected> {
  return retryStopped(options, OWNER_NAME, async (connected) => {
    if (await takeOwnership(connected.client, new Deadline(OWNER_WAIT_MS))) return connected;
    throw new EmbeddedRefusal(explainOwner(options.layout, await ownerPid(connected.client)));
  });
}

/** A server to use: as its owner when we had to start it, else next to its owner. */
export async function connectAsOwnerOrUser(options: ConnectOptions): Promise<Connected & { owner: boolean }> {
  return retryStopped(options, ATTACHED_NAME, async (connected) => {
    const { client, launched } = connected;
    if (launched && (await takeOwnership(client, new Deadline(0)))) {
      await client.query("SELECT set_config('application_name', $1, false)", [OWNER_NAME]);
      return { ...connected, owner: true };
    }
    // Blocks while a command is about to stop the server, and rejects when it did.
    await client.query("SELECT pg_advisory_lock_shared($1, $2)", [...USERS_LOCK]);
    return { ...connected, owner: false };
  });
}

/** True once the lock is ours, false when its holder keeps it past the deadline. Rejects when the connection is lost. */
export function takeOwnership(client: Client, deadline: Deadline): Promise<boolean> {
  return tryLock(client, OWNER_LOCK, deadline);
}

/** True once no command is attached, and none can attach any more; false when one stays past the deadline. */
export function shutOutUsers(client: Client, deadline: Deadline): Promise<boolean> {
  return tryLock(client, USERS_LOCK, deadline);
}

/** The Parley process that owns the server; null where there is none. */
export async function ownerPid(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT substring(activity.application_name FROM 'pid=(\\d+)')::int AS pid
     FROM pg_locks AS lock
     JOIN pg_stat_activity AS activity USING (pid)
     WHERE lock.locktype = 'advisory'
       AND lock.granted
       AND lock.classid = $1::bigint::oid
       AND lock.objid = $2::bigint::oid
       AND lock.objsubid = 2
       AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [...OWNER_LOCK],
  );
  return rows[0]?.pid ?? null;
}

async function tryLock(client: Client, keys: readonly [number, number], deadline: Deadline): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS taken", [...keys]);
    if (rows[0]?.taken) return true;
    if (deadline.passed) return false;
    await sleep(25);
  }
}

/** A command that finishes stops the server it had started, perhaps while we are being connected: then start over. */
async function retryStopped<T>(
  options: ConnectOptions,
  applicationName: string,
  use: (connected: Connected) => Promise<T>,
): Promise<T> {
  for (let stops = 0; ; stops++) {
    const connected = await bringUp({ ...options, applicationName });
    try {
      return await use(connected);
    } catch (error) {
      await connected.client.end().catch(() => {});
      if (error instanceof EmbeddedRefusal || stops >= STOPS_MAX) throw error;
    }
  }
}

function explainOwner(layout: Layout, pid: number | null): string {
  const owner = pid === null ? "Another Parley process" : `Another Parley process (pid ${pid})`;
  return (
    `${owner} is using the data directory ${layout.requested}, and only one server may. ` +
    `Stop it${pid === null ? "" : ` (kill ${pid})`} and start again, or set PARLEY_DATA_DIR to another directory for this one.`
  );
}

import { type BringUp, bringUp, type Connected } from "./bring-up.ts";
import { ATTACHED_NAME, joinUsers, lockHolder, OWNER_NAME, takeOwnership } from "./owner-lock.ts";
import type { Place } from "./place.ts";
import { EmbeddedRefusal } from "./refusal.ts";
import { Deadline } from "./wait.ts";

/** Long enough for a command that just finishes, and for PostgreSQL to notice that a killed owner's connection is gone. */
const OWNER_WAIT_MS = 4_000;
/** How often the server may be stopped under us before we say so. */
const CUTS_MAX = 20;

export type Seeking = Omit<BringUp, "applicationName">;

/** A server that is ours to stop: started now, or taken over from a process that is gone. */
export async function seekOwnership(options: Seeking): Promise<Connected> {
  return surviveCuts(options, OWNER_NAME, async (connected) => {
    if (await takeOwnership(connected.client, new Deadline(OWNER_WAIT_MS))) return connected;
    const holder = await lockHolder(connected.client);
    throw new EmbeddedRefusal(explainHolder(options.place, holder?.pid ?? null));
  });
}

/** A server to use: as its owner when we had to start it, else beside whoever owns it. */
export async function seekAny(options: Seeking): Promise<Connected & { owner: boolean }> {
  return surviveCuts(options, ATTACHED_NAME, async (connected) => {
    const { client, launched } = connected;
    if (launched && (await takeOwnership(client, new Deadline(0)))) {
      await client.query("SELECT set_config('application_name', $1, false)", [OWNER_NAME]);
      return { ...connected, owner: true };
    }
    await joinUsers(client);
    return { ...connected, owner: false };
  });
}

/** A command that finishes stops the server it had started, perhaps while we are being connected: then begin again. */
async function surviveCuts<T>(
  options: Seeking,
  applicationName: string,
  use: (connected: Connected) => Promise<T>,
): Promise<T> {
  for (let cuts = 0; ; cuts++) {
    const connected = await bringUp({ ...options, applicationName });
    try {
      return await use(connected);
    } catch (error) {
      await connected.client.end().catch(() => {});
      if (error instanceof EmbeddedRefusal || cuts >= CUTS_MAX) throw error;
    }
  }
}

function explainHolder(place: Place, pid: number | null): string {
  const who = pid === null ? "Another Parley process" : `Another Parley process (pid ${pid})`;
  return (
    `${who} is using the data directory ${place.requested}, and only one server may. ` +
    `Stop it${pid === null ? "" : ` (kill ${pid})`} and start again, or set PARLEY_DATA_DIR to another directory for this one.`
  );
}

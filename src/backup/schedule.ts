import { access, chown, constants, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { createDirectories } from "../core/create-directory.ts";
import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { writeBackupFile } from "./backup-file.ts";

interface ScheduleOptions {
  readonly directory: string;
  readonly everyHours: number;
  /** How many are kept, the newest ones. */
  readonly keep: number;
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
}

const CHECK_MS = 60_000;
/** A backup whose time is further ahead was written before the clock was set back. */
const AHEAD_MS_MAX = 5 * 60_000;
const NAME = /^parley-\d{8}T\d{6}Z\.backup$/;
const PARTIAL = /^parley-\d{8}T\d{6}Z\.backup\.partial$/;

/**
 * Creates the directory. Where root is about to drop its privileges to `owner`, that account gets the directories that were
 * created, and one that holds nothing but backups. Any other, such as /var/backups, keeps its owner.
 */
export async function prepareBackupDirectory(directory: string, owner?: { uid: number; gid: number }): Promise<void> {
  try {
    const created = createDirectories(directory, 0o700);
    if (!owner) return;
    const isOurs = (await readdir(directory)).every((name) => NAME.test(name) || PARTIAL.test(name));
    for (const path of new Set([...created, ...(isOurs ? [directory] : [])])) await chown(path, owner.uid, owner.gid);
  } catch (error) {
    throw unusable(error);
  }
}

/** Called as the account that will write there. */
export async function requireWritable(directory: string): Promise<void> {
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).catch((error) => {
    throw unusable(error, " Give it to the account that Parley runs as, or set another one.");
  });
}

const unusable = (error: unknown, advice = ""): Error =>
  new Error(`PARLEY_BACKUP_DIR cannot be used: ${(error as Error).message}.${advice}`);

/** Writes a backup whenever the newest one is older than `everyHours`, also after the server was stopped in between. */
export function startBackupSchedule(options: ScheduleOptions): Loop {
  const { logger, directory } = options;
  const stopping = new AbortController();
  const loop = startLoop({
    work: () => backUpIfDue(options, stopping.signal),
    pauseMs: CHECK_MS,
    onError: (error) => {
      if (!stopping.signal.aborted)
        logger.error({ err: error.message, directory }, "the scheduled backup failed, retrying");
    },
  });
  return {
    now: loop.now,
    async close() {
      // A server has 30 s to stop; a backup of a large database takes longer. The next start writes it.
      stopping.abort();
      await loop.close();
    },
  };
}

async function backUpIfDue(options: ScheduleOptions, signal: AbortSignal): Promise<void> {
  const { directory, everyHours, keep, connection, logger } = options;
  const newest = await newestBackupAt(directory);
  const ageMs = newest ? Date.now() - newest.getTime() : Number.POSITIVE_INFINITY;
  if (ageMs < everyHours * 3_600_000) return;
  await removePartials(directory);
  const name = `parley-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}.backup`;
  const file = join(directory, name);
  const { rows } = await writeBackupFile({ connection, file, signal });
  logger.info({ file, rows }, "wrote the scheduled backup");
  for (const old of (await backupsIn(directory)).slice(0, -keep)) await rm(join(directory, old.name), { force: true });
}

/** Left by a server that was killed in the middle of a backup: each is as large as a backup. */
async function removePartials(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (PARTIAL.test(name)) await rm(join(directory, name), { force: true });
}

/** When the newest scheduled backup was written; null: there is none, or only such as have a time in the future. */
export async function newestBackupAt(directory: string): Promise<Date | null> {
  const newest = (await backupsIn(directory)).at(-1);
  return newest === undefined || newest.isAhead ? null : newest.writtenAt;
}

interface ScheduledBackup {
  readonly name: string;
  readonly writtenAt: Date;
  readonly isAhead: boolean;
}

/**
 * Oldest first; other files in the directory are left alone. Those with a time in the future come before the others:
 * they would be kept in place of every backup that is written until the clock has caught up.
 */
async function backupsIn(directory: string): Promise<ScheduledBackup[]> {
  const names = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  const aheadFrom = Date.now() + AHEAD_MS_MAX;
  const backups = await Promise.all(
    names.map(async (name) => {
      const writtenAt = (await stat(join(directory, name))).mtime;
      return { name, writtenAt, isAhead: writtenAt.getTime() > aheadFrom };
    }),
  );
  return backups.sort((a, b) => Number(b.isAhead) - Number(a.isAhead));
}

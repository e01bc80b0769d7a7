import type { Readable } from "node:stream";
import type { PoolConfig } from "pg";
import { type BackupHead, BackupRefusal } from "../backup/format.ts";
import { restoreBackup } from "../backup/restore.ts";
import type { Logger } from "../core/logger.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { emptySchema, isSchemaEmpty } from "../db/own-objects.ts";
import { migrateWith } from "../store.ts";
import { note } from "./output.ts";

/** Loads a backup into an empty database, with the schema it was written with, and migrates it from there. */
export async function restoreFrom(
  input: Readable,
  connection: PoolConfig,
  logger: Logger,
  /** Called before anything is changed. */
  inspect: (head: BackupHead) => void = () => {},
) {
  const settings = { connection, logger, applicationName: "parley-restore" };
  let isOurs = false;
  const restored = await restoreBackup({
    input,
    prepare: async (head) => {
      requireKnownSchema(head);
      inspect(head);
      isOurs = await isSchemaEmpty(connection);
      await migrateWith(settings, (db) => migrate(db, () => {}, head.migrations.at(-1)?.version));
      return connection;
    },
  }).catch(async (error: unknown) => {
    // Otherwise a refused restore would leave an installation without anything in it, which the next start takes for a new one.
    if (isOurs) await emptySchema(connection).catch(() => {});
    throw error;
  });
  await migrateWith(settings, (db) => migrate(db, (name) => note(`Migrating: ${name}`)));
  const { pausedMailboxes } = restored;
  if (pausedMailboxes > 0)
    note(
      `Paused ${pausedMailboxes} mailboxes, so that no mail is sent twice. Resume them once the original installation has stopped.`,
    );
  return restored;
}

function requireKnownSchema({ migrations }: BackupHead): void {
  const ours = readMigrations();
  const known = migrations.every((theirs) =>
    ours.some(({ version, checksum }) => version === theirs.version && checksum === theirs.checksum),
  );
  if (!known)
    throw new BackupRefusal(
      "The schema of this backup is not known to this version of Parley. Restore it with the version that wrote it, then upgrade.",
    );
}

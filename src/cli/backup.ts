import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import type { PoolConfig } from "pg";
import { writeBackup } from "../backup/backup.ts";
import { writeBackupFile } from "../backup/backup-file.ts";
import { type BackupHead, BackupRefusal } from "../backup/format.ts";
import { openWithPassphrase } from "../backup/passphrase.ts";
import type { Config } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { readOrCreateSecretKey, readSecretKey, writeSecretKey } from "../core/secret-key-file.ts";
import { note, outputHasFailed, print, printJson } from "./output.ts";
import { restoreFrom } from "./restore-from.ts";
import { withServer, withStore } from "./with-store.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .description("Write a backup while Parley runs: consistent, compressed and checksummed.")
    .argument("<file>", "where to write it; - is standard output")
    .option("--with-secret-key", "include the secret key, sealed by PARLEY_BACKUP_PASSPHRASE")
    .option("--json", "print JSON")
    .action((file: string, options: BackupFlags) =>
      // Only the key itself has to be checked. An operator who has lost it, or is about to upgrade, needs a backup as it is.
      options.withSecretKey
        ? withStore(({ connection }, config) => backUp(connection, file, options, secretOf(config)))
        : withServer(({ connection }) => backUp(connection, file, options)),
    );
}

interface BackupFlags {
  withSecretKey?: true;
  json?: true;
}

async function backUp(
  connection: PoolConfig,
  file: string,
  options: BackupFlags,
  secret?: { keys: string[]; passphrase: string },
): Promise<void> {
  if (file === "-") {
    await writeBackup({ connection, output: process.stdout, secret }).catch((error: unknown) => {
      if (!outputHasFailed()) throw error;
    });
    return;
  }
  const result = await writeBackupFile({ connection, file, secret });
  if (options.json) return printJson({ file, ...result });
  print(`Wrote ${result.rows} rows of ${result.tables} tables to ${file}.`);
  if (!secret) print("It does not hold the secret key. Keep secret.key (or PARLEY_SECRET_KEY) separately.");
}

export function restoreCommand(): Command {
  return new Command("restore")
    .description("Restore a backup into an empty database: a new PARLEY_DATA_DIR, or DATABASE_URL.")
    .argument("<file>", "the backup; - is standard input")
    .option("--json", "print JSON")
    .action(async (file: string, options: { json?: true }) => {
      if (file !== "-" && !existsSync(file)) throw new BackupRefusal(`There is no file ${file}.`);
      await withServer(({ connection }, config) => restore(connection, file, options, config), { ifMissing: "create" });
    });
}

async function restore(connection: PoolConfig, file: string, options: { json?: true }, config: Config): Promise<void> {
  let keys: string[] | null = null;
  const input = file === "-" ? process.stdin : createReadStream(file);
  const logger = createLogger("warn", process.stderr);
  const { head, ...result } = await restoreFrom(input, connection, logger, (found) => {
    keys = readSealedKeys(found, config);
    if (keys === null && found.sealed_secret_keys !== null && lacksKeyOf(found, config)) note(SEALED_KEY_STAYS);
  });
  const keyNote = keepSecretKey(head, keys, config);
  if (options.json)
    return printJson({ file, created_at: head.created_at, ...result, secret_key_note: keyNote || null });
  print(`Restored ${result.rows} rows of ${result.tables} tables, as of ${head.created_at}. ${keyNote}`.trimEnd());
}

function secretOf(config: Config): { keys: string[]; passphrase: string } {
  const keys = config.PARLEY_SECRET_KEY ?? [readOrCreateSecretKey(config.PARLEY_DATA_DIR)];
  return { keys, passphrase: passphraseOf(config) };
}

function passphraseOf(config: Config): string {
  if (config.PARLEY_BACKUP_PASSPHRASE) return config.PARLEY_BACKUP_PASSPHRASE;
  throw new BackupRefusal("Set PARLEY_BACKUP_PASSPHRASE to the passphrase that seals the secret key in the backup.");
}

/** Checked before anything is restored: a wrong passphrase or another key must not be found at the end only. */
function readSealedKeys({ sealed_secret_keys: sealed }: BackupHead, config: Config): string[] | null {
  if (sealed === null || config.PARLEY_SECRET_KEY || !config.PARLEY_BACKUP_PASSPHRASE) return null;
  const keys = openWithPassphrase(sealed, config.PARLEY_BACKUP_PASSPHRASE).split(",");
  const { PARLEY_DATA_DIR: dataDir } = config;
  const found = readSecretKey(dataDir);
  if (found !== null && found !== keys[0])
    throw new BackupRefusal(
      `${join(dataDir, "secret.key")} holds another key than the backup. Nothing was restored. ` +
        "Move that file away, or set PARLEY_SECRET_KEY to the key of the backup, and restore again.",
    );
  return keys;
}

const SEALED_KEY_STAYS =
  "The backup holds its secret key, sealed; PARLEY_BACKUP_PASSPHRASE, which opens it, is not set. Restoring without the key.";

const OPEN_SEALED_KEY =
  "The secret key in the backup was not restored: restore again, into an empty database, with PARLEY_BACKUP_PASSPHRASE set.";
const BRING_KEY =
  "Set PARLEY_SECRET_KEY to the key of the original installation, or copy its secret.key, before you start the server.";

function keepSecretKey(head: BackupHead, keys: string[] | null, config: Config): string {
  if (keys?.[0]) {
    writeSecretKey(config.PARLEY_DATA_DIR, keys[0]);
    return "Its secret key was written to secret.key in the data directory.";
  }
  if (!lacksKeyOf(head, config)) return "";
  return head.sealed_secret_keys === null ? BRING_KEY : `${OPEN_SEALED_KEY} Otherwise: ${BRING_KEY}`;
}

/** What is sealed in the backup could not be opened with the keys that this installation has. */
function lacksKeyOf({ secret_key_id: keyId }: BackupHead, config: Config): boolean {
  const inFile = readSecretKey(config.PARLEY_DATA_DIR);
  const given = config.PARLEY_SECRET_KEY ?? (inFile === null ? null : [inFile]);
  const held = given === null ? [] : createSecretBox(given).keyIds;
  return keyId !== null && !held.includes(keyId);
}

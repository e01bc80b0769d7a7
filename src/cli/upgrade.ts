import { rm } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { writeBackup } from "../backup/backup.ts";
import { readConfig } from "../config/index.ts";
import { createLogger, type Logger } from "../core/logger.ts";
import { EmbeddedRefusal, planUpgrade, startEmbedded } from "../db/embedded/index.ts";
import { note, report } from "./output.ts";
import { restoreFrom } from "./restore-from.ts";

export function upgradeCommand(): Command {
  return new Command("upgrade")
    .description("Upgrade the embedded database to the PostgreSQL of this version of Parley. Stop Parley first.")
    .option("--json", "print JSON")
    .action(async (options: { json?: true }) => {
      const { DATABASE_URL, PARLEY_DATA_DIR: dataDir } = readConfig();
      if (DATABASE_URL)
        throw new EmbeddedRefusal(
          "DATABASE_URL names your own PostgreSQL, which Parley does not upgrade. Follow the manual of PostgreSQL.",
        );
      const upgrade = await planUpgrade(dataDir);
      if (!upgrade) return report(options, { upgraded: false }, ALREADY_NEWEST);
      const { from, to, staging } = upgrade;
      const logger = createLogger("warn", process.stderr);
      note(`Upgrading the database from PostgreSQL ${from} to ${to}.`);
      const rows = await copyDatabase(dataDir, staging, logger);
      const kept = upgrade.swap();
      await rm(staging, { recursive: true, force: true });
      report(
        options,
        { upgraded: true, from, to, rows, kept },
        `The database is PostgreSQL ${to} now, with ${rows} rows. The old one is in ${kept}: delete it when you no longer need it.`,
      );
    });
}

const ALREADY_NEWEST =
  "The embedded database already has the newest PostgreSQL that is installed here. Nothing was changed.";

/** From one server straight into the other: a backup that is restored while it is written. */
async function copyDatabase(dataDir: string, staging: string, logger: Logger): Promise<number> {
  const old = await startEmbedded({ dataDir, mode: "own", logger, report: note });
  try {
    const next = await startEmbedded({ dataDir: staging, mode: "own", logger, report: note });
    try {
      const between = new PassThrough();
      const [, restored] = await Promise.all([
        writeBackup({ connection: { ...old.connection, ssl: false }, output: between }),
        restoreFrom(between, { ...next.connection, ssl: false }, logger).catch((error: unknown) => {
          between.destroy(error as Error);
          throw error;
        }),
      ]);
      return restored.rows;
    } finally {
      await next.close();
    }
  } finally {
    await old.close();
  }
}

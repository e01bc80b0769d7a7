import { Command } from "commander";
import { schemaVersion } from "../db/migrate.ts";
import { report } from "./output.ts";
import { withStore } from "./with-store.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Bring the database's schema up to date. `serve` does it too.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withStore(
        async ({ db }) => {
          const version = await schemaVersion(db);
          report(options, { schema_version: version }, `The schema is up to date (version ${version}).`);
        },
        { ifMissing: "create" },
      ),
    );
}

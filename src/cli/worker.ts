import { Command } from "commander";
import { readConfig } from "../config/index.ts";
import { createServerLogger } from "../core/logger.ts";
import { dropRoot } from "./drop-root.ts";
import { loadApp } from "./load-app.ts";
import { note } from "./output.ts";
import { drain, untilStopSignal } from "./serve.ts";

export function workerCommand(): Command {
  return new Command("worker")
    .description("Deliver webhooks only. Run any number of these on one database, next to `serve`.")
    .action(async () => {
      const config = readConfig();
      const logger = createServerLogger(config.PARLEY_LOG_LEVEL);
      const stopSignal = untilStopSignal(logger);
      const { startWorker } = await loadApp();
      const worker = await startWorker({ config, logger, report: note });
      await dropRoot(config, null);
      note("Delivering. Stop with Ctrl+C.");
      await stopSignal;
      await drain(worker, logger);
    });
}

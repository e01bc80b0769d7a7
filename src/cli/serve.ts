import { Command } from "commander";
import type { App } from "../app.ts";
import { readConfig } from "../config/index.ts";
import { createServerLogger, type Logger } from "../core/logger.ts";
import { loadApp } from "./load-app.ts";
import { note } from "./output.ts";

const DRAIN_MS_MAX = 28_000;

export function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the API and deliver webhooks, in one process.")
    .option("--host <address>", "address to listen on (HOST)")
    .option("--port <number>", "port to listen on (PORT)")
    .action(async (options: { host?: string; port?: string }) => {
      const overrides = {
        ...(options.host === undefined ? {} : { HOST: options.host }),
        ...(options.port === undefined ? {} : { PORT: options.port }),
      };
      const config = readConfig(overrides);
      const logger = createServerLogger(config.PARLEY_LOG_LEVEL);
      const { startApp } = await loadApp();
      const app = await startApp({ config, logger, report: note });
      greet(app);
      await untilAsked(logger);
      await drain(app, logger);
    });
}

function greet(app: App): void {
  const { embedded } = app.store;
  const lines = [
    "",
    `  Parley is ready at ${app.url}`,
    "",
    `  Dashboard  ${app.url}/`,
    `  API        ${app.url}/api/v1`,
    `  Reference  ${app.url}/docs`,
    `  Database   ${embedded ? `PostgreSQL ${embedded.version}, ${embedded.dataDir}` : "as DATABASE_URL says"}`,
    ...(embedded?.moved ? [`             ${embedded.moved}`] : []),
    ...(app.setupUrl
      ? ["", "  First run. Make the owner of the dashboard with this link; it works once:", `    ${app.setupUrl}`]
      : []),
    ...(app.firstRun
      ? [
          "",
          "  Make your first key and call the API with it:",
          `    curl -H "Authorization: Bearer $(npx parley keys create --name first --quiet)" ${app.url}/api/v1/me`,
        ]
      : []),
    "",
  ];
  for (const line of lines) note(line);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilAsked(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals) => {
      if (asked) process.exit(1);
      asked = true;
      logger.info({ signal }, "stopping: finishing what is in progress");
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}

export async function drain(part: { close(): Promise<void> }, logger: Logger): Promise<void> {
  const deadline = setTimeout(() => {
    logger.error("stopping took too long; leaving now");
    process.exit(1);
  }, DRAIN_MS_MAX);
  await part.close();
  // Whatever might keep the process running after that is cut short too.
  deadline.unref();
  logger.info("stopped");
}

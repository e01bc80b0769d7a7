import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import type { App } from "../app/app.ts";
import { prepareBackupDirectory, requireWritable, startBackupSchedule } from "../backup/schedule.ts";
import { type Config, explainUnknown, readConfig, unknownSettings } from "../config/index.ts";
import { createServerLogger, type Logger } from "../core/logger.ts";
import type { Loop } from "../core/loop.ts";
import { PACKAGE_ROOT } from "../core/package-files.ts";
import { isRoot } from "../db/embedded/host/accounts.ts";
import { dropRoot } from "./drop-root.ts";
import { loadApp } from "./load-app.ts";
import { note } from "./output.ts";
import { writeServerAddress } from "./server-address.ts";

const DRAIN_MS_MAX = 28_000;

interface ServeOptions {
  host?: string;
  port?: string;
  deliver: boolean;
  dashboard: boolean;
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the API and the dashboard and deliver webhooks, in one process.")
    .option("--host <address>", "address to listen on (HOST)")
    .option("--port <number>", "port to listen on (PORT)")
    .option("--no-deliver", "leave the delivery of webhooks to other nodes and to `worker`")
    .option("--no-dashboard", "serve the API without the dashboard and its sign-in")
    .action(async (options: ServeOptions) => {
      const overrides = {
        ...(options.host === undefined ? {} : { HOST: options.host }),
        ...(options.port === undefined ? {} : { PORT: options.port }),
      };
      const config = readConfig(overrides);
      const logger = createServerLogger(config.PARLEY_LOG_LEVEL);
      warnOfUnknownSettings();
      // From here on: a signal during the start must not leave a PostgreSQL running.
      const stopSignal = untilStopSignal(logger);
      const { startApp } = await loadApp();
      const dashboard = options.dashboard ? "serve" : "off";
      const app = await startApp({ config, logger, report: note, deliver: options.deliver, dashboard });
      writeServerAddress(config, Number(new URL(app.url).port || 80));
      const backups = await startBackups(app, config, logger).catch(async (error: unknown) => {
        // Otherwise it would keep serving, and with the privileges it started with.
        await app.close();
        throw error;
      });
      printReady(app, config, options);
      // Ctrl+C is pressed by a person at a terminal, where no balancer is.
      if ((await stopSignal) === "SIGTERM") await waitForBalancers(app, config.PARLEY_LAME_DUCK_SECONDS, logger);
      await backups?.close();
      await drain(app, logger);
    });
}

/** Before the privileges are dropped, the directory is given to the account that will write to it. */
async function startBackups(app: App, config: Config, logger: Logger): Promise<Loop | null> {
  const { embedded, connection } = app.store;
  const directory = embedded && config.PARLEY_BACKUP_DIR ? resolve(config.PARLEY_BACKUP_DIR) : null;
  if (!embedded && config.PARLEY_BACKUP_DIR)
    logger.warn(
      "PARLEY_BACKUP_DIR has no effect with DATABASE_URL: back up that PostgreSQL, or run the backup command",
    );
  const account = embedded && isRoot() && !config.PARLEY_KEEP_ROOT ? statSync(embedded.dataDir) : undefined;
  if (directory !== null) await prepareBackupDirectory(directory, account);
  await dropRoot(config, embedded?.dataDir ?? null);
  if (directory === null) return null;
  await requireWritable(directory);
  const { PARLEY_BACKUP_HOURS: everyHours, PARLEY_BACKUP_KEEP: keep } = config;
  return startBackupSchedule({ directory, everyHours, keep, connection, logger });
}

function warnOfUnknownSettings(): void {
  for (const unknown of unknownSettings()) note(`Warning: ${explainUnknown(unknown)}`);
}

function printReady(app: App, config: Config, { deliver, dashboard }: ServeOptions): void {
  const { embedded } = app.store;
  const lines = [
    "",
    `  Parley is ready at ${app.url}`,
    "",
    `  Dashboard  ${dashboard ? `${app.url}/` : "not served (--no-dashboard)"}`,
    `  API        ${app.url}/api/v1`,
    `  Reference  ${app.url}/docs`,
    `  Database   ${embedded ? `PostgreSQL ${embedded.version}, ${embedded.dataDir}` : "as in DATABASE_URL"}`,
    ...(embedded?.moved ? [`             ${embedded.moved}`] : []),
    ...(deliver ? [] : ["  Webhooks   left to other nodes (--no-deliver)"]),
    ...(app.setupUrl
      ? ["", "  The dashboard has no owner yet. Create one with this link; it works once:", `    ${app.setupUrl}`]
      : []),
    ...(app.firstRun
      ? [
          "",
          `  Create your first key${sameSettings(config)} and call the API with it:`,
          `    curl -H "Authorization: Bearer $(${commandFor(config)} keys create --name first --quiet)" ${app.url}/api/v1/me`,
        ]
      : []),
    "",
  ];
  // In one piece: no line of the log gets between them.
  note(lines.join("\n"));
}

/** Runs from any directory and finds the same database and key: a relative path would lead to others. */
function commandFor(config: Config): string {
  const program = `node ${quote(join(PACKAGE_ROOT, "bin", "parley.mjs"))}`;
  const needsDirectory = !config.DATABASE_URL || !config.PARLEY_SECRET_KEY;
  return needsDirectory ? `PARLEY_DATA_DIR=${quote(resolve(config.PARLEY_DATA_DIR))} ${program}` : program;
}

/** Secrets are named and not printed. */
function sameSettings(config: Config): string {
  const names = (["DATABASE_URL", "PARLEY_SECRET_KEY"] as const).filter((name) => config[name]);
  return names.length === 0 ? "" : ` (with the same ${names.join(" and ")})`;
}

const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilStopSignal(logger: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(1);
      isStopping = true;
      logger.info({ signal }, "stopping: finishing what is in progress");
      resolve(signal);
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}

/** Load balancers check readiness about once per second: until they have noticed, requests keep arriving. */
async function waitForBalancers({ server }: App, seconds: number, logger: Logger): Promise<void> {
  if (seconds === 0) return;
  server.announceStop();
  logger.info({ seconds }, "reporting not ready, still serving requests");
  await sleep(seconds * 1_000);
}

export async function drain(part: { close(): Promise<void> }, logger: Logger): Promise<void> {
  const deadline = setTimeout(() => {
    logger.error("stopping took too long, ending now");
    process.exit(1);
  }, DRAIN_MS_MAX);
  await part.close();
  // The deadline still applies if something keeps the process running after that.
  deadline.unref();
  logger.info("stopped");
}

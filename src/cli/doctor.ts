import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { Command } from "commander";
import { type Config, ConfigError, explainUnknown, readConfig, SETTINGS, unknownSettings } from "../config/index.ts";
import { mailConfigOf } from "../config/mail.ts";
import { createLogger } from "../core/logger.ts";
import { readSecretKey } from "../core/secret-key-file.ts";
import { createDatabase, sql } from "../db/database.ts";
import { CHECK_THE_DISK, diskFailure, diskProblem } from "../db/embedded/host/disk.ts";
import { FREE_SPACE, inspectEmbedded } from "../db/embedded/index.ts";
import { findSchemaProblem, readMigrations, schemaVersion } from "../db/migrate.ts";
import { createMailer } from "../mail/mailer.ts";
import { inspectInstallation, inspectPooling } from "./doctor-installation.ts";
import { inspectMailboxes } from "./doctor-mailboxes.ts";
import { COMMAND, print, printJson } from "./output.ts";

interface Finding {
  what: string;
  /** Absent: nothing is wrong. */
  toDo?: string;
}

const HEALTH_MS_MAX = 10_000;
/** A few segments of the write-ahead log, which are 16 MiB each. */
const FREE_MIB_MIN = 128;

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("Check the set-up and say what to do. Changes nothing.")
    .option("--json", "print JSON")
    .action(async (options: { json?: true }) => {
      const findings = await inspectAll();
      const problems = findings.filter((finding) => finding.toDo);
      if (options.json) printJson({ ok: problems.length === 0, findings });
      else {
        for (const { what, toDo } of findings) print(toDo ? `✗ ${what}\n  → ${toDo}` : `✓ ${what}`);
        print(problems.length === 0 ? "\nNo problems found." : `\nProblems found: ${problems.length}.`);
      }
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}

/** A check that fails itself is a finding: doctor is run where something is broken. */
async function inspectAll(): Promise<Finding[]> {
  const findings = [...inspectNode(), ...inspectUser()];
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [...findings, ...inspectNames(), ...wrongSettings(error)];
  }
  const checks: [string, (config: Config) => Finding[] | Promise<Finding[]>][] = [
    ["the settings", inspectSettings],
    ["the port", inspectPort],
    ["the data directory", inspectDataDir],
    ["the database", inspectDatabase],
    ["the mail server", inspectMail],
    // The HTTP client is a third of the code that a command would load.
    ["the egress proxy", async (...args) => (await import("./doctor-proxy.ts")).inspectEgressProxy(...args)],
  ];
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check(config)));
    } catch (error) {
      findings.push({ what: `Checking ${name} failed: ${(error as Error).message}`, toDo: "See the message." });
    }
  }
  return findings;
}

function inspectNode(): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fine = major > 20 || (major === 20 && minor >= 19);
  const what = `Node.js ${process.versions.node} on ${process.platform}-${process.arch}`;
  return [fine ? { what } : { what, toDo: "Install Node.js 20.19 or newer." }];
}

function inspectUser(): Finding[] {
  if (process.geteuid?.() !== 0) return [];
  const what =
    "Running as root: the server drops its privileges once it listens, where another account can read this checkout. " +
    "An account of its own is safer.";
  return [{ what }];
}

function inspectNames(): Finding[] {
  return unknownSettings().map((unknown) => ({
    what: explainUnknown(unknown),
    toDo: unknown.nearest
      ? `Rename it to ${unknown.nearest}, or remove it.`
      : "Remove it, or see docs/configuration.md.",
  }));
}

function inspectSettings(config: Config): Finding[] {
  const given = Object.keys(SETTINGS).filter((name) => isGiven(name, config));
  const findings: Finding[] = [{ what: `Settings: ${given.join(", ") || "all defaults"}` }, ...inspectNames()];
  if (config.PARLEY_TRUSTED_PROXIES.length > 0 && !config.PARLEY_PUBLIC_URL)
    findings.push({
      what: "PARLEY_TRUSTED_PROXIES is set and PARLEY_PUBLIC_URL is not: links in responses would name the internal address.",
      toDo: "Set PARLEY_PUBLIC_URL to the address that clients use.",
    });
  return findings;
}

function isGiven(name: string, config: Config): boolean {
  const plain = readConfig({ [name]: "" });
  const key = name as keyof Config;
  return JSON.stringify(config[key]) !== JSON.stringify(plain[key]);
}

async function inspectPort(config: Config): Promise<Finding[]> {
  const { HOST, PORT } = config;
  if (PORT === 0) return [];
  const code = await listenError(HOST, PORT);
  if (code === null) return [{ what: `Port ${PORT} on ${HOST} is free` }];
  if (code === "EADDRINUSE") {
    const isOurs = await isParley(HOST, PORT);
    const unready = isOurs ? await unreadyBecause(HOST, PORT) : null;
    const other = isOurs ? await otherInstallation(config, unready) : "Another program";
    if (!other && unready !== null)
      return [{ what: `Parley is running on ${HOST}:${PORT} and is not ready: ${unready}`, toDo: LOOK_AT_THE_SERVER }];
    if (!other) return [{ what: `Parley is running on ${HOST}:${PORT}` }];
    return [{ what: `${other} listens on ${HOST}:${PORT}.`, toDo: "Stop it, or set PORT to a free port." }];
  }
  const toDo =
    code === "EACCES"
      ? "Choose a PORT of 1024 or above, or start as root (it drops its privileges)."
      : "Set HOST to an address of this machine.";
  return [{ what: `Cannot listen on ${HOST}:${PORT} (${code}).`, toDo }];
}

/**
 * Null: it may be this one. With the embedded database it is another one if that database is not running, although the server
 * has its own.
 */
async function otherInstallation(
  { DATABASE_URL, PARLEY_DATA_DIR }: Config,
  unready: string | null,
): Promise<string | null> {
  if (DATABASE_URL || unready !== null) return null;
  const { postmaster } = await inspectEmbedded(PARLEY_DATA_DIR);
  return postmaster.running ? null : "Parley with another data directory";
}

const LOOK_AT_THE_SERVER = "See its log, and the findings about the data directory and the database here.";

function listenError(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

async function isParley(host: string, port: number): Promise<boolean> {
  const body = await readFrom<{ info?: { title?: string } }>(host, port, "/api/v1/openapi.json");
  return /parley/i.test(body?.info?.title ?? "");
}

/** Null: it is ready, or does not say. */
async function unreadyBecause(host: string, port: number): Promise<string | null> {
  const body = await readFrom<{ error?: { message?: string } }>(host, port, "/health/ready");
  return body?.error?.message ?? null;
}

async function readFrom<T>(host: string, port: number, path: string): Promise<T | null> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  const abort = new AbortController();
  // Not AbortSignal.timeout, which does not keep the process running: a peer that never responds would end it.
  const timer = setTimeout(() => abort.abort(), HEALTH_MS_MAX);
  try {
    const response = await fetch(`http://${name}:${port}${path}`, { signal: abort.signal });
    return (await response.json()) as T;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function inspectDataDir({ PARLEY_DATA_DIR, DATABASE_URL }: Config): Finding[] {
  const directory = resolve(PARLEY_DATA_DIR);
  let nearest = directory;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  if (!statSync(nearest).isDirectory())
    // The check of an embedded database says so itself.
    return DATABASE_URL ? [{ what: `${nearest} is a file.`, toDo: "Set PARLEY_DATA_DIR to a directory." }] : [];
  try {
    const failed = diskFailure(nearest);
    // A disk that is only full is reported below, with how much is free.
    if (failed !== null && diskProblem(nearest) === null)
      return [{ what: `The disk of ${directory} has a problem. ${failed}`, toDo: CHECK_THE_DISK }];
    accessSync(nearest, constants.W_OK | constants.X_OK);
    const found: Finding = { what: `Data directory ${directory}${nearest === directory ? "" : " (will be created)"}` };
    return [found, ...inspectSpace(nearest)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EROFS")
      return [{ what: `The file system of ${directory} is read-only.`, toDo: CHECK_THE_DISK }];
    const what = `The data directory ${directory} is not writable: this user may not write to ${nearest}.`;
    const toDo = "Change its owner or mode, or set PARLEY_DATA_DIR to a directory that you can write to.";
    return [{ what, toDo }];
  }
}

function inspectSpace(directory: string): Finding[] {
  const { bavail, bsize } = statfsSync(directory);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB >= FREE_MIB_MIN) return [];
  return [{ what: `Only ${freeMiB} MiB are free on the disk of ${directory}.`, toDo: FREE_SPACE }];
}

async function inspectDatabase(config: Config): Promise<Finding[]> {
  if (config.DATABASE_URL) {
    const pooling = await inspectPooling(config);
    if (pooling.some(({ toDo }) => toDo)) return pooling;
    const toDo = "Check that it runs and that DATABASE_URL is right.";
    return [...(await inspectServer(config, { connectionString: config.DATABASE_URL }, toDo)), ...pooling];
  }
  const { cluster, postmaster, binaries, problems } = await inspectEmbedded(config.PARLEY_DATA_DIR);
  const findings: Finding[] = [
    ...binaries.map((item) => ({ what: `PostgreSQL ${item.version} (${item.source}) in ${item.binDir}` })),
    ...problems.map(({ what, toDo }) => ({ what, toDo: toDo || "See the message." })),
  ];
  if (!cluster) return findings;
  findings.push({
    what: cluster.exists
      ? `Database in ${cluster.path}, owned by ${cluster.owner}, socket ${cluster.socket ?? "none yet"}`
      : `No database yet; \`npm start\` creates it in ${cluster.path}`,
  });
  findings.push(describePostmaster(postmaster));
  if (cluster.exists && !postmaster.responds) findings.push(...inspectKeyFile(config));
  if (postmaster.responds && cluster.socket) {
    const host = dirname(cluster.socket);
    const connection = { host, user: "parley", database: "parley" };
    findings.push(...(await inspectServer(config, connection, "Start Parley again.")));
  }
  return findings;
}

/** While the database does not run, whether the key is its own cannot be found out; whether there is one can. */
function inspectKeyFile({ PARLEY_SECRET_KEY, PARLEY_DATA_DIR }: Config): Finding[] {
  if (PARLEY_SECRET_KEY || readSecretKey(PARLEY_DATA_DIR) !== null) return [];
  const what = `There is a database in ${resolve(PARLEY_DATA_DIR)} and no secret.key, and PARLEY_SECRET_KEY is not set.`;
  const toDo = "Copy secret.key from where the database was before, or set PARLEY_SECRET_KEY to its content.";
  return [{ what, toDo }];
}

type Postmaster = Awaited<ReturnType<typeof inspectEmbedded>>["postmaster"];

function describePostmaster({ running, pid, responds, ownerPid }: Postmaster): Finding {
  if (!running) return { what: "Database server not running" };
  const what = `Database server running (pid ${pid})`;
  // Only the server itself knows which process supervises it.
  if (!responds) return { what };
  if (ownerPid !== null) return { what: `${what}, supervised by process ${ownerPid}` };
  return {
    what: `${what}, left behind by a Parley process that was killed.`,
    toDo: `Start Parley again: it takes the server over. Or stop it: kill -INT ${pid}`,
  };
}

const OTHER_VERSION =
  "Run the version of Parley that set this database up, or set PARLEY_DATA_DIR or DATABASE_URL to another database.";

async function inspectServer(config: Config, connection: object, toDo: string): Promise<Finding[]> {
  const logger = createLogger("silent");
  const db = createDatabase({ connection, poolSize: 1, logger, applicationName: "parley-doctor" });
  try {
    const [row] = await db.query<{ version: string }>(
      sql("version", "select current_setting('server_version') as version"),
    );
    const server = { what: `PostgreSQL ${row?.version} accepts connections` };
    const refused = await findSchemaProblem(db);
    if (refused !== null) return [server, { what: refused, toDo: OTHER_VERSION }];
    const version = await schemaVersion(db);
    const newest = readMigrations().at(-1)?.version ?? 0;
    const schema = `Schema version ${version} of ${newest}`;
    const outdated = version < newest ? `Run \`${COMMAND} migrate\`, or start the server.` : "Run a newer Parley.";
    if (version !== newest) return [server, { what: schema, toDo: outdated }];
    return [server, { what: schema }, ...(await inspectInstallation(db, config)), ...(await inspectMailboxes(db))];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return [{ what: `The database is unavailable: ${cause}`, toDo }];
  } finally {
    await db.close();
  }
}

/** Connects and signs in, and sends nothing. */
async function inspectMail(config: Config): Promise<Finding[]> {
  try {
    const settings = mailConfigOf(config);
    if (settings === null) return [{ what: "E-mail is off: PARLEY_SMTP_URL is not set" }];
    const { host } = new URL(settings.smtpUrl);
    const mailer = createMailer(settings);
    try {
      await mailer.verify();
      return [{ what: `The mail server ${host} accepts connections${settings.requireTls ? " over TLS" : ""}` }];
    } catch (error) {
      const what = `The mail server ${host} cannot be used: ${(error as Error).message}`;
      return [{ what, toDo: "Check that it runs and that PARLEY_SMTP_URL and PARLEY_SMTP_TLS are right." }];
    } finally {
      await mailer.close();
    }
  } catch (error) {
    return wrongSettings(error);
  }
}

function wrongSettings(error: unknown): Finding[] {
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.map((what) => ({ what, toDo: "Correct this setting, see docs/configuration.md." }));
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { parse } from "yaml";
import { createLogger } from "../../src/core/logger.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import type { Image } from "./image.ts";
import { until } from "./wait.ts";

/** A container runs under an account of its own; where we are root, this one. */
const UNPRIVILEGED_UID = 65_534;
const asRoot = process.getuid?.() === 0;

export interface ComposeService {
  command?: string[];
  build?: object;
  environment?: Record<string, string>;
}

/** The services of a compose file, with the variables that it asks for filled in. */
export function readCompose(name: string, variables: Record<string, string>): Record<string, ComposeService> {
  const file = new URL(`../../deploy/compose/${name}/compose.yaml`, import.meta.url).pathname;
  const text = readFileSync(file, "utf8").replaceAll(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_, variable: string, kind: string, fallback: string) => {
      const value = variables[variable] ?? (kind === "-" ? fallback : undefined);
      if (value === undefined) throw new Error(`${file} asks for ${variable}`);
      return value;
    },
  );
  return (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services;
}

export interface RunningService {
  output(): string;
  /** Sends SIGTERM and waits for the end; the exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** A service of the image, by the command of the compose file and nothing but its environment. */
export function startService(
  image: Image,
  { command = image.command, environment = {} }: ComposeService,
  /** Where the addresses and directories of the file are on this machine. */
  here: Record<string, string>,
): RunningService {
  const [program = "", ...args] = [...image.entry, ...command];
  const child = spawn(program === "node" ? process.execPath : program, args, {
    cwd: image.directory,
    env: { PATH: "/usr/bin:/bin", ...image.env, ...environment, ...here },
    stdio: ["ignore", "pipe", "pipe"],
    ...(asRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {}),
  });
  return watch(child);
}

/** A command of Parley in a running container: `docker compose exec`. */
export const parleyIn = (image: Image, args: string[], env: Record<string, string>): string =>
  execIn(image, ["node", "bin/parley.mjs", ...args], env);

/** Any command in a running container; throws unless it ends with 0. */
export function execIn(image: Image, [, ...args]: string[], env: Record<string, string>): string {
  return execFileSync(process.execPath, args, {
    cwd: image.directory,
    env: { PATH: "/usr/bin:/bin", ...image.env, ...env },
    encoding: "utf8",
    ...(asRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {}),
  }).trim();
}

/** A directory that serves as a volume, owned by the account of the service. */
export function createVolume(): { path: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), "parley-volume-"));
  chmodSync(parent, 0o755);
  const path = join(parent, "data");
  mkdirSync(path, { mode: 0o700 });
  if (asRoot) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  return { path, remove: () => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }) };
}

/** PostgreSQL as its official image sets it up: one superuser with a password, one database of its own, over TCP. */
export async function startPostgres(
  { POSTGRES_USER: user = "", POSTGRES_DB: database = "", POSTGRES_PASSWORD: password = "" }: Record<string, string>,
  port: number,
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), "parley-compose-postgres-"));
  chmodSync(folder, 0o755);
  // For its programs, in a directory from where the server's account can run them.
  const embedded = await startEmbedded({ dataDir: folder, mode: "own", logger: createLogger("silent") });
  await embedded.close();
  const account = statSync(embedded.dataDir);
  const as = asRoot ? { uid: account.uid, gid: account.gid } : {};
  const cluster = join(folder, "cluster");
  const passwordFile = join(folder, "password");
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (asRoot) for (const path of [cluster, passwordFile]) chownSync(path, account.uid, account.gid);
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
  const setUp = ["-D", cluster, "-U", user, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8"];
  execFileSync(join(embedded.binDir, "initdb"), setUp, { env, cwd: folder, stdio: "pipe", ...as });
  const options = ["-D", cluster, "-p", String(port), "-h", "127.0.0.1", "-k", ""];
  const child = spawn(join(embedded.binDir, "postgres"), options, {
    ...{ env, cwd: folder, ...as },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const service = watch(child, () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await until("PostgreSQL has its database", () => createOwnDatabase({ port, user, password }, database), {
    timeoutMs: 30_000,
    everyMs: 200,
  });
  return service;
}

async function createOwnDatabase(login: pg.ClientConfig, name: string): Promise<boolean> {
  const client = new pg.Client({ ...login, host: "127.0.0.1", database: "postgres" });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`create database "${name}"`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function watch(child: ChildProcess, cleanUp: () => void = () => {}): RunningService {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-20_000);
    });
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      cleanUp();
      resolve(code);
    });
  });
  return {
    output: () => output,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

import { type ChildProcess, fork, spawn } from "node:child_process";
import { resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const PROGRAM = resolve(REPOSITORY, "bin/parley.mjs");

/** Only what a program needs to run: no setting of the machine's own reaches it. */
const CLEAN = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_|HOST$|PORT$|DATABASE_URL$|npm_|NODE_OPTIONS|VITEST)/.test(name),
  ),
);

/** No balancer is in front of it, so nothing has to notice that it stops. */
const environmentOf = (settings: Record<string, string>) => ({
  ...CLEAN,
  PARLEY_LOG_LEVEL: "warn",
  PARLEY_LAME_DUCK_SECONDS: "0",
  ...settings,
});

let built: Promise<void> | undefined;

/** `bin/parley.mjs` builds what is stale by itself; done once beforehand, no test pays for it. */
export function ensureBuilt(): Promise<void> {
  built ??= import(new URL("../../scripts/lib/setup.mjs", import.meta.url).href).then((setup) => setup.ensureBuild());
  return built;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface SpawnOptions {
  /** A command that runs it elsewhere, in a network namespace for one. */
  enter?: readonly string[];
  /** Another version's. */
  program?: string;
}

export function spawnParley(
  args: readonly string[],
  settings: Record<string, string>,
  { enter = [], program = PROGRAM }: SpawnOptions = {},
): ChildProcess {
  const [command = "", ...rest] = [...enter, process.execPath, program, ...args];
  return spawn(command, rest, {
    cwd: REPOSITORY,
    env: environmentOf(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs `parley <args>` to its end. */
export async function parleyCommand(args: string[], settings: Record<string, string> = {}): Promise<CliResult> {
  await ensureBuilt();
  const child = spawnParley(args, settings);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
}

interface Host {
  child: ChildProcess;
  /** Who waits for the result of a command, by its number. */
  waiting: Map<number, { done: (result: CliResult) => void; failed: (error: Error) => void }>;
}

let host: Host | undefined;
let sent = 0;

/** As `parleyCommand`, in a process that runs one such command after the other: for what is not about the process itself. */
export async function hostedCommand(args: string[], settings: Record<string, string> = {}): Promise<CliResult> {
  await ensureBuilt();
  if (!host?.child.connected) host = startHost();
  const { child, waiting } = host;
  const id = ++sent;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed });
    child.channel?.ref();
    child.send({ id, args, env: environmentOf(settings) });
  });
}

function startHost(): Host {
  const child = fork(resolve(import.meta.dirname, "command-host.mjs"), { cwd: REPOSITORY, execArgv: [] });
  const waiting: Host["waiting"] = new Map();
  child.on("message", ({ id, ...result }: CliResult & { id: number }) => {
    waiting.get(id)?.done(result);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  });
  child.on("exit", () => {
    for (const { failed } of waiting.values()) failed(new Error("The process of commands ended."));
  });
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { closedOnTheWay } from "../../src/db/embedded/host/paths.ts";
import type { EmbeddedDatabase } from "../../src/db/embedded/index.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");

export const NOBODY = 65_534;

/** What an ordinary user could not enter on the way to the repository or to Node itself; null when the way is open. */
export function closedToNobody(): string | null {
  const nobody = { uid: NOBODY, gid: NOBODY, name: "nobody", switchTo: true };
  return closedOnTheWay(join(REPOSITORY, "node_modules"), nobody) ?? closedOnTheWay(process.execPath, nobody);
}

/** Everything a test makes lies under here. Open to all, because the server may run as another user. */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), "parley-embedded-"));
  chmodSync(scratch, 0o755);
  return scratch;
}

/**
 * Node 20 cannot run TypeScript, and a process that is to be killed must be a real one: the code under test is compiled
 * next to a small program that starts the database, tells what it has, and closes when its input ends.
 */
export function compileChild(scratch: string): string {
  const home = join(scratch, "compiled");
  mkdirSync(home);
  symlinkSync(join(REPOSITORY, "node_modules"), join(home, "node_modules"));
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  const config = {
    extends: join(REPOSITORY, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: join(REPOSITORY, "src"),
      outDir: join(home, "dist"),
      typeRoots: [join(REPOSITORY, "node_modules/@types")],
    },
    include: [join(REPOSITORY, "src/db/embedded"), join(REPOSITORY, "src/core/logger.ts")],
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify(config));
  execFileSync(process.execPath, [join(REPOSITORY, "node_modules/typescript/bin/tsc"), "-p", home]);
  const program = join(home, "child.mjs");
  writeFileSync(program, CHILD);
  return program;
}

const CHILD = `
import { startEmbedded } from "./dist/db/embedded/index.js";
import { createLogger } from "./dist/core/logger.js";
const [dataDir, mode] = process.argv.slice(2);
const tell = (what) => process.stdout.write(JSON.stringify(what) + "\\n");
try {
  const database = await startEmbedded({ dataDir, mode, logger: createLogger("silent"), report: (line) => tell({ line }) });
  const { close, ...rest } = database;
  tell({ ready: rest });
  process.stdin.on("end", async () => { await close(); tell({ closed: true }); });
  process.stdin.resume();
} catch (error) {
  tell({ refused: error.message, name: error.name });
}
`;

type ChildMessage = {
  ready?: Omit<EmbeddedDatabase, "close">;
  refused?: string;
  name?: string;
  line?: string;
  closed?: boolean;
};

export interface Child {
  readonly process: ChildProcess;
  /** waits for the first message that has this key */
  message(key: keyof ChildMessage): Promise<ChildMessage>;
  /** ends its input, on which it closes the database, and waits for its end */
  finish(): Promise<void>;
  kill9(): Promise<void>;
}

export function startChild(
  program: string,
  dataDir: string,
  mode: "own" | "attach-or-start",
  as: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Child {
  const child = spawn(process.execPath, [program, dataDir, mode], { ...as, stdio: ["pipe", "pipe", "inherit"] });
  const messages: ChildMessage[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => messages.push(JSON.parse(line) as ChildMessage));
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  return {
    process: child,
    message: (key) =>
      eventually(`the child tells "${key}"`, () => {
        const found = messages.find((message) => message[key] !== undefined);
        if (!found) throw new Error(`it has reported ${JSON.stringify(messages)}`);
        return found;
      }),
    finish: async () => {
      child.stdin.end();
      await ended;
    },
    kill9: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Repeats until `attempt` does not throw; after the deadline its last error is the reason. */
export async function eventually<T>(what: string, attempt: () => T | Promise<T>, ms = 45_000): Promise<T> {
  const endsAt = Date.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > endsAt) throw new Error(`not within ${ms} ms: ${what}: ${(error as Error).message}`);
      await sleep(20);
    }
  }
}

export async function query(database: Pick<EmbeddedDatabase, "connection">, sql: string): Promise<unknown[]> {
  const client = new Client({ ...database.connection, ssl: false, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end().catch(() => {});
  }
}

export function postmasterPid(database: Pick<EmbeddedDatabase, "dataDir">): number {
  return Number.parseInt(readFileSync(join(database.dataDir, "postmaster.pid"), "utf8"), 10);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed server that nobody reaped still has its number.
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

export function discard(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

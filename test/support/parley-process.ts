import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, type SpawnOptions, spawnParley } from "./cli.ts";
import type { TestDatabase } from "./database.ts";
import type { EmbeddedHome } from "./embedded-home.ts";
import { type CallOptions, callApi, type Reply, TEST_KEY } from "./parley.ts";
import { until } from "./wait.ts";

export interface ParleyProcess {
  child: ChildProcess;
  /** Where `serve` listens; empty for a worker. */
  url: string;
  output(): string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Its row in `workers`. */
  workerId(): Promise<number>;
  /** Resident memory, in bytes (Linux). */
  residentBytes(): number;
  /** How many files and sockets it has open (Linux). */
  descriptors(): number;
  isAlive(): boolean;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const READY = { serve: /Parley is ready at (\S+)/, worker: /Delivering\./ };

/** `parley serve` or `parley worker` as a process of its own, as an operator runs it, on a database of the suite or its own. */
export async function startProcess(
  command: keyof typeof READY,
  database: TestDatabase | EmbeddedHome,
  settings: Record<string, string> = {},
  { args = [], ...options }: SpawnOptions & { args?: readonly string[] } = {},
): Promise<ParleyProcess> {
  await ensureBuilt();
  const home = "dataDir" in database ? database.dataDir : null;
  const dataDir = home ?? mkdtempSync(join(tmpdir(), "parley-data-"));
  let output = "";
  const all = {
    PORT: "0",
    DATABASE_URL: database.url,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_SECRET_KEY: "a-secret-key-for-tests-of-32-characters-or-more",
    PARLEY_BOOTSTRAP_API_KEY: TEST_KEY,
    PARLEY_ALLOWED_CIDRS: "127.0.0.0/8",
    PARLEY_DATABASE_POOL: "6",
    ...settings,
  };
  const child = spawnParley([command, ...args], all, options);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => {
      if (home === null) rmSync(dataDir, { recursive: true, force: true });
      resolve({ code, signal });
    });
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const ready = await until(
    `\`parley ${command}\` is ready`,
    () => {
      if (child.exitCode !== null) throw new Error(`\`parley ${command}\` ended with ${child.exitCode}: ${output}`);
      return READY[command].exec(output);
    },
    { timeoutMs: 60_000 },
  );
  const url = ready[1] ?? "";
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    url,
    output: () => output,
    call: (method, path, options) => callApi(url, method, path, options),
    async workerId() {
      const [row] = await database.query<{ id: string }>(
        "select id from workers where name like '%:' || $1 order by id desc",
        [String(child.pid)],
      );
      return Number(row?.id);
    },
    residentBytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    },
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    isAlive,
    end(signal) {
      if (isAlive()) child.kill(signal);
      return ended;
    },
  };
}

/** The deliveries that a worker holds, as `webhook:event`. */
export async function heldBy(database: TestDatabase, workerId: number): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select webhook_id || ':evt_' || replace(e.uuid::text, '-', '') as name
     from deliveries d join events e on e.id = d.event_id where d.worker_id = $1`,
    [workerId],
  );
  return rows.map(({ name }) => name);
}

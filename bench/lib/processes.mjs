import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const KEY = "benchmark-key-of-more-than-thirty-two-characters";

const started = new Set();
const scratch = new Set();

/** Nothing is left behind, however the run ends. */
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
  for (const directory of scratch) {
    killDatabase(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stopAll().then(() => process.exit(1)));

export function scratchDirectory() {
  const directory = mkdtempSync(join(tmpdir(), "parley-bench-"));
  // As root the database runs under another user, who needs access.
  chmodSync(directory, 0o755);
  scratch.add(directory);
  return directory;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Runs one of the scripts here with node; we communicate with it by messages. */
export function start(script, args = [], env = {}, nodeArgs = []) {
  return startProgram(process.execPath, [...nodeArgs, join(ROOT, script), ...args], env, "ipc");
}

/** What it says is shown only when it fails. */
export function startProgram(program, args, env = {}, ...extraStreams) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", ...extraStreams],
  });
  let said = "";
  const keep = (chunk) => {
    said = (said + chunk).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  started.add(child);
  child.exited = new Promise((resolve) => child.once("exit", resolve)).then((code) => {
    started.delete(child);
    if (code !== 0 && !child.stopping) console.error(`${child.spawnargs.join(" ")} ended with ${code}:\n${said}`);
    return code;
  });
  return child;
}

export async function stop(child) {
  child.stopping = true;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await child.exited;
  clearTimeout(timer);
}

/** Sends a message to one of our scripts and waits for its reply. */
export function ask(child, message) {
  return new Promise((resolve, reject) => {
    child.once("message", (reply) => (reply.error ? reject(new Error(reply.error)) : resolve(reply)));
    child.send(message);
  });
}

async function stopAll() {
  await Promise.all([...started].map(stop));
}

export async function waitForHttp(url, timeoutMs = 30_000) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const ready = await fetch(url)
      .then((response) => response.ok)
      .catch(() => false);
    if (ready) return;
    if (performance.now() > deadline) throw new Error(`${url} did not respond within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The product as an operator runs it: one process, embedded database, and what `npm start` sets for its memory. */
export async function startProduct(env = {}, { nodeArgs = [], serveArgs = [] } = {}) {
  const dataDir = env.PARLEY_DATA_DIR ?? scratchDirectory();
  const port = await freePort();
  const begunAt = performance.now();
  const child = start(
    "bin/parley.mjs",
    ["serve", ...serveArgs],
    {
      PORT: String(port),
      PARLEY_DATA_DIR: dataDir,
      PARLEY_BOOTSTRAP_API_KEY: KEY,
      PARLEY_ALLOWED_CIDRS: "127.0.0.0/8",
      PARLEY_LOG_LEVEL: "info",
      MALLOC_ARENA_MAX: "1",
      ...env,
    },
    ["--max-semi-space-size=16", ...nodeArgs],
  );
  const url = `http://127.0.0.1:${port}`;
  await waitForHttp(`${url}/health/ready`);
  return {
    child,
    url,
    dataDir,
    readyMs: performance.now() - begunAt,
    /** For direct SQL: the embedded server's socket. */
    database: { host: join(dataDir, "postgres-run"), user: "parley_admin", database: "parley" },
    databasePid: () => postmasterPid(dataDir),
    call: (method, path, body, key = KEY) => callApi({ url, key }, method, path, body),
    stop: () => stop(child),
  };
}

/** Another process that delivers, on the database of `product`. */
export function startWorker({ dataDir, database }) {
  const { user, database: name, host } = database;
  return start("bin/parley.mjs", ["worker"], {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ALLOWED_CIDRS: "127.0.0.0/8",
    PARLEY_LOG_LEVEL: "error",
  });
}

export async function callApi({ url, key }, method, path, body) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const received = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${JSON.stringify(received)}`);
  return received.data;
}

/** The server of the embedded database in a data directory; nothing when none runs. */
export function postmasterPid(dataDir) {
  try {
    return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

/** A server whose keeper was killed keeps running by itself. */
function killDatabase(dataDir) {
  const pid = postmasterPid(dataDir);
  try {
    if (pid) process.kill(pid, "SIGQUIT");
  } catch {
    // It has ended by itself.
  }
}

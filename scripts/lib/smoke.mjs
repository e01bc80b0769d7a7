import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { otherNode } from "./other-node.mjs";
import { root, secondsSince } from "./root.mjs";
import { expect, smokeChecks } from "./smoke-checks.mjs";

const MAJORS = [22, 24];
const READY_MS_MAX = 60_000;
const EXIT_MS_MAX = 30_000;
const RESPONSE_MS_MAX = 10_000;
const LOG_CHARS_SHOWN = 4_000;

/**
 * Checks an installation that runs already, such as the one of a compose file. Returns counts of checks.
 *
 * @param {{ base: string, key: string }} installation
 */
export async function smokeAt(installation) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, work] of smokeChecks(installation)) {
    const startedAt = performance.now();
    try {
      await work();
      counts.passed += 1;
      console.log(` ✓ ${name} (${secondsSince(startedAt)})`);
    } catch (error) {
      counts.failed += 1;
      console.log(` ✗ ${name}: ${error.message}`);
    }
  }
  return counts;
}

/**
 * Starts the built server under the other Nodes that we promise, checks it, and stops it. Returns counts of checks. A Node
 * that cannot be fetched fails under CI and is a skip elsewhere: a person may be offline.
 */
export async function smoke() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const major of MAJORS) {
    let node;
    try {
      node = await otherNode(major);
    } catch (error) {
      console.log(`${error.message}\nThe smoke test on Node ${major} was not run.`);
      counts[process.env.CI === "true" ? "failed" : "skipped"] += 1;
      continue;
    }
    await smokeOn(node, major, counts);
  }
  return counts;
}

async function smokeOn(node, major, counts) {
  const directory = mkdtempSync(join(tmpdir(), "parley-smoke-"));
  // As root the database runs under another uid, which needs access.
  chmodSync(directory, 0o755);
  const key = `smoke_${randomBytes(24).toString("hex")}`;
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = startServer(node, { directory, key, port });

  const check = async (name, work) => {
    const startedAt = performance.now();
    try {
      await work();
      counts.passed += 1;
      console.log(` ✓ Node ${major}: ${name} (${secondsSince(startedAt)})`);
      return true;
    } catch (error) {
      counts.failed += 1;
      console.log(` ✗ Node ${major}: ${name}: ${error.message}\n${server.log().slice(-LOG_CHARS_SHOWN)}`);
      return false;
    }
  };

  try {
    if (!(await check("gets ready", () => waitUntilReady(server, base)))) return;
    for (const [name, work] of smokeChecks({ base, key })) await check(name, work);
    await check("stops on SIGTERM with exit code 0", async () => {
      server.child.kill("SIGTERM");
      const ended = await Promise.race([server.ended, sleep(EXIT_MS_MAX, undefined, { ref: false })]);
      expect(ended !== undefined, `still running after ${EXIT_MS_MAX} ms`);
      expect(ended.code === 0, `ended with ${ended.code ?? ended.signal}`);
    });
  } finally {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function startServer(node, { directory, key, port }) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_.*|DATABASE_URL|HOST|PORT|NODE_OPTIONS|PG.*)$/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    HOST: "127.0.0.1",
    PORT: String(port),
    PARLEY_DATA_DIR: join(directory, "data"),
    PARLEY_BOOTSTRAP_API_KEY: key,
  };
  const child = spawn(node, [join(root, "bin", "parley.mjs"), "serve"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      log = (log + text).slice(-10 * LOG_CHARS_SHOWN);
    });
  }
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: undefined, signal: error.message }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, ended, log: () => log };
}

async function waitUntilReady(server, base) {
  const deadline = performance.now() + READY_MS_MAX;
  let over;
  server.ended.then((result) => {
    over = result;
  });
  while (performance.now() < deadline) {
    if (over) throw new Error(`the server ended with ${over.code ?? over.signal}`);
    const response = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(RESPONSE_MS_MAX) }).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`not ready after ${READY_MS_MAX} ms`);
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

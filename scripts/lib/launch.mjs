import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, runScript } from "./root.mjs";
import { ensureReady } from "./setup.mjs";

const SAME_SIGNAL_MS = 300;
const PARENT_POLL_MS = 250;

/**
 * Sets the checkout up and runs `parley <argv>` in this very process: no second Node to start, and signals reach it
 * directly.
 *
 * @param {string[]} argv
 */
export async function launch(argv) {
  await runScript(async () => {
    await ensureReady({ pages: argv.includes("serve") });
    receiveSignalsOnce();
    nameRuntime();
    const { main } = await import(pathToFileURL(join(root, "dist", "bundle", "main.js")).href);
    return await main(argv);
  });
}

/**
 * As Node 21 and later do. The driver of PostgreSQL asks for this name, and where there is none, it creates a fetch response to
 * see where it runs: that loads all of Node's fetch at every start.
 */
function nameRuntime() {
  globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split(".")[0]}` };
}

/**
 * Turns the signals that npm forwards into one request to stop.
 * On Ctrl+C the terminal signals the whole process group and npm then forwards its own copy: two SIGINTs for one keystroke,
 * which a server reads as "stop at once". A repeat within 300 ms is the same keystroke.
 * A SIGTERM to `npx` ends there: npm passes it to the shell between us, which ends without forwarding it. So under npm the
 * end of our parent counts as a SIGTERM (`npm start` needs no such help, its script `exec`s us).
 */
function receiveSignalsOnce() {
  const lastAt = new Map();
  const emit = process.emit;
  process.emit = function emitOnce(name, ...args) {
    if (name === "SIGINT" || name === "SIGTERM") {
      const now = performance.now();
      const repeated = now - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_MS;
      lastAt.set(name, now);
      if (repeated) return true;
    }
    return emit.call(this, name, ...args);
  };

  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (lastAt.size === 0) process.kill(process.pid, "SIGTERM");
  }, PARENT_POLL_MS);
  watch.unref();
}

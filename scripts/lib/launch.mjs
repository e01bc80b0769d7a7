import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, runScript } from "./root.mjs";
import { ensureReady } from "./setup.mjs";

const SAME_SIGNAL_MS = 300;

/**
 * Sets the checkout up and runs `parley <argv>` in this very process: no second Node to start, and a signal has nobody to
 * pass through.
 *
 * @param {string[]} argv
 */
export async function launch(argv) {
  await runScript(async () => {
    await ensureReady();
    foldRepeatedSignals();
    const { main } = await import(pathToFileURL(join(root, "dist", "cli", "main.js")).href);
    return await main(argv);
  });
}

/**
 * On Ctrl-C the terminal signals the whole process group, and npm then forwards its own copy to us: two SIGINTs for one
 * keystroke, which a server reads as "stop at once". A repeat within 300 ms is the same keystroke.
 */
function foldRepeatedSignals() {
  const lastAt = new Map();
  const emit = process.emit;
  process.emit = function foldingEmit(name, ...args) {
    if (name === "SIGINT" || name === "SIGTERM") {
      const now = performance.now();
      const repeated = now - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_MS;
      lastAt.set(name, now);
      if (repeated) return true;
    }
    return emit.call(this, name, ...args);
  };
}

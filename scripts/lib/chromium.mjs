import { findOnPath, isExecutable } from "./executable.mjs";
import { SetupError, say, secondsSince } from "./root.mjs";
import { run } from "./run.mjs";

/** The headless one first: the others draw a window that nobody sees, which takes a third more of the processors. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PACKAGES = ["chromium-headless-shell", "chromium"];
const ELSEWHERE = [
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Without a sandbox as root only: there Chromium refuses to start with one. Nothing of its own goes out to the network. */
export const CHROMIUM_ARGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The system's Chromium or Chrome; `CHROMIUM_PATH` names another. */
function findChromium() {
  return process.env.CHROMIUM_PATH || findOnPath(NAMES) || ELSEWHERE.find(isExecutable);
}

/** Where there is none: as root on Debian it is installed, otherwise the error names the command to run. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const install = "install -y --no-install-recommends";
  if (process.getuid?.() === 0 && isExecutable("/usr/bin/apt-get")) {
    const startedAt = performance.now();
    say("Installing Chromium for the browser tests …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env });
    for (const name of PACKAGES) {
      const { output } = await run("apt-get", [...install.split(" "), name], { env });
      const installed = findChromium();
      if (installed) {
        say(`Installed Chromium in ${secondsSince(startedAt)}.`);
        return installed;
      }
      say(output.trim());
    }
    throw new SetupError("Could not install Chromium (the output of apt-get is above).");
  }
  throw new SetupError(
    process.platform === "darwin"
      ? "The browser tests need Chrome or Chromium. Run: brew install --cask chromium"
      : `The browser tests need Chromium. Run: sudo apt-get ${install} chromium`,
  );
}

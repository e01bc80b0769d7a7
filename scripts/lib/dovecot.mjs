import { isExecutable } from "./executable.mjs";
import { say, secondsSince } from "./root.mjs";
import { run } from "./run.mjs";

const PATH = "/usr/sbin/dovecot";
const IMAP = "/usr/lib/dovecot/imap";
const PACKAGE = "dovecot-imapd";

export const DOVECOT_MISSING = `needs Dovecot: sudo apt-get install -y --no-install-recommends ${PACKAGE}`;

/** The system's Dovecot. Where there is none: as root on Debian it is installed, otherwise null. */
export async function ensureDovecot() {
  if (isExecutable(PATH) && isExecutable(IMAP)) return PATH;
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return null;
  const startedAt = performance.now();
  say("Installing Dovecot for the tests of mailboxes …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  const { output } = await run("apt-get", ["install", "-y", "--no-install-recommends", PACKAGE], { env });
  if (!isExecutable(PATH)) {
    say(output.trim());
    return null;
  }
  say(`Installed Dovecot in ${secondsSince(startedAt)}.`);
  return PATH;
}

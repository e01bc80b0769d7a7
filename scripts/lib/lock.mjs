import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError, say } from "./root.mjs";

const HEARTBEAT_MS = 2_000;
const HEARTBEAT_LOST_MS = 60_000;
const TAKEOVER_LOST_MS = 10_000;
const POLL_MS = 150;
const WAIT_MS_MAX = 15 * 60_000;

/**
 * Holds `<directory>/.parley-lock` while `work` runs, so that two starts at once do not install or build over each other.
 * The lock is a directory renamed into place with its owner already written inside: no process sees it incomplete. It is
 * stale when its process and that process's child are both gone, or when its heartbeat stopped a minute ago (a pid
 * means nothing across containers that share the tree).
 *
 * @template T
 * @param {string} directory
 * @param {(hold: { onSpawn: (pid: number) => void }) => Promise<T>} work `onSpawn` takes the process that does the work
 * @returns {Promise<T>}
 */
export async function withLock(directory, work) {
  const lock = join(directory, ".parley-lock");
  await acquire(directory, lock);
  const heartbeat = setInterval(() => touch(lock), HEARTBEAT_MS);
  try {
    return await work({ onSpawn: (pid) => writeOwner(lock, pid) });
  } finally {
    clearInterval(heartbeat);
    remove(lock);
  }
}

async function acquire(directory, lock) {
  const startedAt = performance.now();
  let isAnnounced = false;
  while (!tryAcquire(directory, lock)) {
    if (isStale(lock)) {
      removeStale(lock);
      continue;
    }
    if (!isAnnounced) say("Another process is setting up this checkout; waiting for it …");
    isAnnounced = true;
    if (performance.now() - startedAt > WAIT_MS_MAX) {
      throw new SetupError(`Gave up waiting for another set-up. If none is running, remove ${lock} and try again.`);
    }
    await sleep(POLL_MS);
  }
}

function tryAcquire(directory, lock) {
  let prepared;
  try {
    prepared = mkdtempSync(join(directory, ".parley-lock-"));
  } catch (error) {
    throw new SetupError(`Cannot set up ${directory}: it is not writable (${error.code}).`);
  }
  writeFileSync(join(prepared, ".gitignore"), "*\n");
  writeOwner(prepared);
  try {
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

function writeOwner(lock, child) {
  writeFileSync(
    join(lock, "owner.json"),
    JSON.stringify({ host: hostname(), pids: [process.pid, child ?? process.pid] }),
  );
}

function touch(lock) {
  try {
    const now = new Date();
    utimesSync(join(lock, "owner.json"), now, now);
  } catch {
    // Another process took the lock over after a minute without a heartbeat (a suspended machine); continue, there is nothing to undo.
  }
}

function isStale(lock) {
  try {
    const file = join(lock, "owner.json");
    const owner = JSON.parse(readFileSync(file, "utf8"));
    if (Date.now() - statSync(file).mtimeMs > HEARTBEAT_LOST_MS) return true;
    return owner.host === hostname() && !owner.pids.some(isAlive);
  } catch (error) {
    // Released or rewritten while we read it: check again, unless the directory stays there without a readable owner.
    if (error.code === "ENOENT" || error instanceof SyntaxError) return ageMs(lock) > HEARTBEAT_LOST_MS;
    throw error;
  }
}

/** Only one waiter may remove a stale lock, or the second would remove the first one's fresh lock. */
function removeStale(lock) {
  const takeover = `${lock}-takeover`;
  try {
    mkdirSync(takeover);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (ageMs(takeover) > TAKEOVER_LOST_MS) rmSync(takeover, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(lock)) remove(lock);
  } finally {
    rmSync(takeover, { recursive: true, force: true });
  }
}

/** Renamed first: emptied in place, it could be replaced by a waiter's lock before it is gone. */
function remove(lock) {
  const old = `${lock}-old-${process.pid}`;
  try {
    renameSync(lock, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

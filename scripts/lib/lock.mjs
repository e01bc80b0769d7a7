import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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
 * stale when its process and that process's child are both gone. Where that cannot be seen, as from another container that
 * shares the tree, it is stale when its heartbeat stopped a minute ago. A holder that is seen to live keeps it: compression
 * stops the heartbeat, and on a busy machine for long.
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
    if (isOurs(lock)) remove(lock);
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

/** Renamed into place: written in place it is empty for a moment, and the lock looks like one without an owner. */
function writeOwner(lock, child = process.pid) {
  const written = join(lock, `owner-${process.pid}.json`);
  const owner = { machine: machine(), processes: [process.pid, child].map(processName) };
  writeFileSync(written, JSON.stringify(owner));
  renameSync(written, ownerFile(lock));
}

const ownerFile = (lock) => join(lock, "owner.json");

function touch(lock) {
  try {
    const now = new Date();
    utimesSync(ownerFile(lock), now, now);
  } catch {
    // Another machine took the lock over after a minute without a heartbeat; continue, there is nothing to undo.
  }
}

function isOurs(lock) {
  try {
    const { machine: where, processes } = JSON.parse(readFileSync(ownerFile(lock), "utf8"));
    return where === machine() && processes[0] === processName(process.pid);
  } catch {
    return false;
  }
}

function isStale(lock) {
  try {
    const owner = JSON.parse(readFileSync(ownerFile(lock), "utf8"));
    const isLost = Date.now() - statSync(ownerFile(lock)).mtimeMs > HEARTBEAT_LOST_MS;
    if (owner.machine !== machine()) return isLost;
    const alive = owner.processes.filter(isAlive);
    return alive.length === 0 || (isLost && !alive.some(hasStart));
  } catch (error) {
    // Released while we read it: check again, unless the directory stays there without a readable owner.
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

/** Where the number of a process means the same one: containers have numbers of their own. */
function machine() {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Its number and, where Linux says it, when it started: the number alone is given to another process one day. */
function processName(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return `${pid} ${status.slice(status.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return String(pid);
  }
}

const hasStart = (name) => name.includes(" ");

function isAlive(name) {
  const pid = Number.parseInt(name, 10);
  const found = processName(pid);
  if (hasStart(found)) return found === name;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Account } from "./accounts.ts";

export const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/**
 * Opens the server's log for appending, belonging to the server's user. O_NOFOLLOW, and everything through the handle:
 * the directory may be an ordinary user's, who could lay a link here for root to follow.
 */
export async function openLog(path: string, account: Account): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const log = await open(path, flags, 0o600);
  if (account.switchTo) await log.chown(account.uid, account.gid);
  await bound(log, path, account);
  return log;
}

/** Copies an overlong log to `<path>.1` and empties it in place; a running server goes on appending to it. */
async function bound(log: FileHandle, path: string, account: Account): Promise<void> {
  const { size } = await log.stat();
  if (size <= LOG_BYTES_MAX) return;
  // Room on the disk matters more than the old lines: the log is emptied even when they cannot be kept.
  await keepEnd(log, size, `${path}.1`, account).catch(() => {});
  await log.truncate(0);
}

async function keepEnd(log: FileHandle, size: number, path: string, account: Account): Promise<void> {
  await rm(path, { force: true });
  const copy = await open(path, "wx", 0o600);
  try {
    if (account.switchTo) await copy.chown(account.uid, account.gid);
    const kept = Buffer.alloc(LOG_BYTES_MAX);
    const { bytesRead } = await log.read(kept, 0, LOG_BYTES_MAX, size - LOG_BYTES_MAX);
    await copy.writeFile(kept.subarray(0, bytesRead));
  } finally {
    await copy.close();
  }
}

export async function logSize(path: string): Promise<number> {
  const log = await open(path, "r").catch(() => null);
  if (!log) return 0;
  try {
    return (await log.stat()).size;
  } finally {
    await log.close();
  }
}

/** The last lines that were written after `fromByte`. */
export async function logTail(path: string, fromByte = 0, lines = 12): Promise<string> {
  const log = await open(path, "r").catch(() => null);
  if (!log) return "";
  try {
    const { size } = await log.stat();
    const start = Math.max(fromByte <= size ? fromByte : 0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    return buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n").slice(-lines).join("\n");
  } finally {
    await log.close();
  }
}

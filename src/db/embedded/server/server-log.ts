import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import type { Account } from "../host/accounts.ts";

/** The server logs a few lines per start and crash, so the size is checked when it starts and not while it runs. */
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 12;

/**
 * Opens the server's log for appending, owned by the server's account; a long one becomes `<path>.1`. O_NOFOLLOW, and
 * everything through the handle: the directory may be an ordinary user's, who could put a link here for root to follow.
 */
export async function openLog(path: string, account: Account): Promise<FileHandle> {
  if ((await logSize(path)) > LOG_BYTES_MAX) await rename(path, `${path}.1`).catch(() => {});
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const log = await open(path, flags, 0o600);
  if (account.switchTo) await log.chown(account.uid, account.gid);
  return log;
}

export async function logSize(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}

/** The last lines that were written after `fromByte`. */
export async function logTail(path: string, fromByte = 0): Promise<string> {
  const log = await open(path, "r").catch(() => null);
  if (!log) return "";
  try {
    const { size } = await log.stat();
    const start = Math.max(fromByte <= size ? fromByte : 0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    return buffer.toString("utf8", 0, bytesRead).trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  } finally {
    await log.close();
  }
}

import { createHash } from "node:crypto";

const VERSION = 1;
const CHECK_BYTES = 6;
const BYTES = 1 + 8 + CHECK_BYTES;

/**
 * A position in a workspace's order of events, opaque to clients. The check ties it to the workspace: one of another
 * workspace is refused like any invalid text. It guards against mistakes, not secrets: every read names its workspace anyway.
 */
export function encodeCursor(workspaceId: number, position: number): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeBigUInt64BE(BigInt(position), 1);
  checkOf(workspaceId, position).copy(bytes, 1 + 8);
  return bytes.toString("base64url");
}

/** Null: not a cursor of this workspace. */
export function decodeCursor(workspaceId: number, text: string): number | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== BYTES || bytes.toString("base64url") !== text || bytes.readUInt8(0) !== VERSION) return null;
  const position = Number(bytes.readBigUInt64BE(1));
  return Number.isSafeInteger(position) && checkOf(workspaceId, position).equals(bytes.subarray(1 + 8))
    ? position
    : null;
}

const checkOf = (workspaceId: number, position: number): Buffer =>
  createHash("sha256").update(`parley.cursor:${workspaceId}:${position}`).digest().subarray(0, CHECK_BYTES);

import { createHash } from "node:crypto";
import type { ListKey } from "../../db/list.ts";

const CHECK_BYTES = 6;

interface CursorOwner {
  name: string;
  workspaceId: number;
}

/**
 * Where to continue in a list, opaque to clients. The check ties it to the list, its order and the workspace: a cursor of
 * another one is refused like any invalid text. It guards against mistakes, not secrets: every read names its workspace anyway.
 */
export function encodeListCursor(owner: CursorOwner, key: ListKey): string {
  const text = JSON.stringify(key);
  return Buffer.concat([checkOf(owner, text), Buffer.from(text)]).toString("base64url");
}

/** Null: not a cursor of this list. */
export function decodeListCursor(owner: CursorOwner, cursor: string): ListKey | null {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.toString("base64url") !== cursor) return null;
  const text = bytes.subarray(CHECK_BYTES).toString();
  return checkOf(owner, text).equals(bytes.subarray(0, CHECK_BYTES)) ? JSON.parse(text) : null;
}

const checkOf = ({ name, workspaceId }: CursorOwner, text: string): Buffer =>
  createHash("sha256").update(`parley.list:${workspaceId}:${name}:${text}`).digest().subarray(0, CHECK_BYTES);

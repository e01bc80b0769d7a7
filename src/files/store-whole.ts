import { systemCaller } from "../core/caller.ts";
import { sha256 } from "../core/sha256.ts";
import { sql, type Tx } from "../db/database.ts";
import type { FileRow } from "./file-row.ts";
import { beginFile, CHUNK_BYTES, finish, requireSpace, type UploadLimits } from "./upload.ts";

// Counting locks the usage of the workspace until the commit. When the first file of a mail was counted at once, all other
// mails of its workspace waited for the rest of its transaction: about 100 mails per second, however many callers.
const countLast = sql("files_count_last", "set constraints files_counted deferred");
const count = sql("files_count", "set constraints files_counted immediate");
const storeChunk = sql(
  "file_chunk_whole",
  `insert into file_chunks (workspace_id, file_id, position, bytes)
   values ($1, $2, $3, $4)`,
);
const hold = sql(
  "file_hold_one",
  `update files
   set message_id = $3
   where workspace_id = $1
     and id = $2`,
);

interface WholeFile {
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/**
 * Stores a file whose bytes are all there, in a transaction that also writes what holds it. Its bytes are counted, and the
 * quota checked, right before the commit.
 */
export async function storeWhole(tx: Tx, workspaceId: number, file: WholeFile, limits: UploadLimits): Promise<FileRow> {
  if (!countedLast.has(tx)) await countBeforeCommit(tx, workspaceId, limits);
  const id = await beginFile(tx, systemCaller(workspaceId), file);
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  for (let position = 0; position * CHUNK_BYTES < bytes.length; position++) {
    const chunk = bytes.subarray(position * CHUNK_BYTES, (position + 1) * CHUNK_BYTES);
    await tx.query(storeChunk, [workspaceId, id, position, chunk]);
  }
  return finish(tx, workspaceId, { id, sizeBytes: bytes.length, sha256: await sha256(bytes) });
}

const countedLast = new WeakSet<Tx>();

/** A workspace that is full already is refused before its bytes are written. */
async function countBeforeCommit(tx: Tx, workspaceId: number, limits: UploadLimits): Promise<void> {
  countedLast.add(tx);
  await requireSpace(tx, workspaceId, limits);
  await tx.query(countLast);
  tx.beforeCommit(async () => {
    await tx.query(count);
    await requireSpace(tx, workspaceId, limits);
  });
}

/** In addition to the files among the attachments of the message. */
export async function holdOne(tx: Tx, workspaceId: number, fileId: number, messageId: number): Promise<void> {
  await tx.query(hold, [workspaceId, fileId, messageId]);
}

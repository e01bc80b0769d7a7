import { createHash } from "node:crypto";
import type { Caller } from "../core/caller.ts";
import { Fault, invalid } from "../core/errors.ts";
import { newUuid } from "../core/ids.ts";
import { copyRow, int4, int8 } from "../db/copy-row.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import { FILE_COLUMNS, type FileRow } from "./file-row.ts";

/** How much of a file is in memory at once, and in one row. */
export const CHUNK_BYTES = 262_144;

const begin = sql(
  "file_begin",
  `insert into files (workspace_id, uuid, name, content_type, uploader_type, uploader_id)
   values ($1, $2, $3, $4, $5, $6)
   returning id`,
);
const CHUNKS = "file_chunks (workspace_id, file_id, position, bytes)";
const finishStatement = sql(
  "file_finish",
  `update files f
   set size_bytes = $3,
     sha256 = $4
   where f.workspace_id = $1
     and f.id = $2
   returning ${FILE_COLUMNS}`,
);
const discard = sql("file_discard", "delete from files where workspace_id = $1 and id = $2 and size_bytes is null");
const readUsage = sql("file_usage_read", "select bytes from file_usage where workspace_id = $1");

export interface UploadLimits {
  fileBytesMax: number;
  workspaceBytesMax: number;
}

interface FileName {
  name: string;
  contentType: string;
}

/** A caller, or the session of a visitor. */
interface Uploader {
  workspaceId: number;
  actor: { type: Caller["actor"]["type"] | "visitor"; id: number | null };
}

interface NewFile extends FileName {
  bytes: AsyncIterable<Buffer>;
}

/** All bytes are stored; the file exists for the API once `finishUpload` has been called. */
interface Upload {
  id: number;
  sizeBytes: number;
  sha256: Buffer;
}

/**
 * Stores the bytes as they come, a chunk at a time, each by a statement of its own: a slow client holds neither a
 * database connection nor more memory than a chunk. An interrupted upload leaves nothing behind.
 */
export async function storeBytes(db: Database, caller: Uploader, file: NewFile, limits: UploadLimits): Promise<Upload> {
  await requireSpace(db, caller.workspaceId, limits);
  const { workspaceId } = caller;
  const id = await beginFile(db, caller, file);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let position = 0;
  try {
    for await (const chunk of chunksOf(file.bytes)) {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.fileBytesMax) throw tooLarge(limits.fileBytesMax);
      hash.update(chunk);
      await copyRow(db, CHUNKS, [int8(workspaceId), int8(id), int4(position++)], chunk);
    }
    if (sizeBytes === 0) throw invalid({ body: ["The body must not be empty: it is the file."] });
    return { id, sizeBytes, sha256: hash.digest() };
  } catch (error) {
    await discardUpload(db, workspaceId, id).catch(() => {});
    throw error;
  }
}

/** Returns the id of a file that has no bytes yet. */
export async function beginFile(
  db: Queryable,
  { workspaceId, actor }: Uploader,
  { name, contentType }: FileName,
): Promise<number> {
  const values = [workspaceId, newUuid(), name, contentType, actor.type, actor.id];
  const [begun] = await db.query<{ id: number }>(begin, values);
  return (begun as { id: number }).id;
}

export async function finishUpload(
  tx: Tx,
  workspaceId: number,
  upload: Upload,
  limits: UploadLimits,
): Promise<FileRow> {
  const row = await finish(tx, workspaceId, upload);
  // After the update, whose trigger holds the lock on the usage: two uploads cannot both get the last bytes.
  await requireSpace(tx, workspaceId, limits);
  return row;
}

/** From here on the file exists. The caller checks the quota once its bytes are counted. */
export async function finish(tx: Tx, workspaceId: number, { id, sizeBytes, sha256 }: Upload): Promise<FileRow> {
  const [row] = await tx.query<FileRow>(finishStatement, [workspaceId, id, sizeBytes, sha256]);
  if (!row) throw new Error("An upload disappeared before it was finished.");
  return row;
}

/** Removes an upload that will not be finished. */
export const discardUpload = (db: Queryable, workspaceId: number, id: number): Promise<unknown> =>
  db.query(discard, [workspaceId, id]);

export const tooLarge = (bytesMax: number): Fault =>
  new Fault("PAYLOAD_TOO_LARGE", `The file is larger than the limit of ${sizeOf(bytesMax)}.`);

const MIB = 1024 * 1024;

/** In the unit that people read, where it is exact. */
const sizeOf = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`);

/** While bytes of this transaction are counted, nobody else's are: they wait for its end. */
export async function requireSpace(
  db: Queryable,
  workspaceId: number,
  { workspaceBytesMax }: UploadLimits,
): Promise<void> {
  const [row] = await db.query<{ bytes: number }>(readUsage, [workspaceId]);
  if ((row?.bytes ?? 0) > workspaceBytesMax)
    throw invalid({ files: [`This workspace has reached its limit of ${sizeOf(workspaceBytesMax)} of files.`] });
}

/** Pieces of the size of a row. One buffer is filled again and again, so that a large file allocates little memory. */
async function* chunksOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of bytes)
    for (let from = 0; from < piece.length; ) {
      const copied = piece.copy(chunk, filled, from);
      from += copied;
      filled += copied;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      filled = 0;
    }
  if (filled > 0) yield chunk.subarray(0, filled);
}

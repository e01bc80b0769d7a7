import { type Queryable, sql } from "../db/database.ts";
import { FILE_COLUMNS, type FileRow } from "./file-row.ts";

// By uuid alone: the signature covers it, and a link does not name a workspace.
const findStatement = sql(
  "file_of_link",
  `select ${FILE_COLUMNS}, f.workspace_id
   from files f
   where f.uuid = $1
     and f.name = $2
     and f.size_bytes is not null`,
);
const readChunk = sql(
  "file_chunk_read",
  `select bytes
   from file_chunks
   where workspace_id = $1
     and file_id = $2
     and position = $3`,
);

interface DownloadableFile extends FileRow {
  workspace_id: number;
}

/** For a link whose signature has been checked. */
export async function findLinkedFile(db: Queryable, uuid: string, name: string): Promise<DownloadableFile | null> {
  const [row] = await db.query<DownloadableFile>(findStatement, [uuid, name]);
  return row ?? null;
}

/** Runs the work when its workspace may read another chunk. */
type InTurn = <T>(workspaceId: number, work: () => Promise<T>) => Promise<T>;

/** A chunk at a time, as the client reads them: no connection is held in between. */
export async function* readBytes(
  db: Queryable,
  file: Pick<DownloadableFile, "workspace_id" | "id" | "size_bytes">,
  inTurn: InTurn,
): AsyncGenerator<Buffer> {
  let read = 0;
  for (let position = 0; read < file.size_bytes; position++) {
    const values = [file.workspace_id, file.id, position];
    const [row] = await inTurn(file.workspace_id, () => db.query<{ bytes: Buffer }>(readChunk, values));
    // The response ends before its announced length, so that no client mistakes a part for the whole file.
    if (!row) throw new Error("The file was deleted while it was being read.");
    read += row.bytes.length;
    yield row.bytes;
  }
}

/** The whole of it, for what has to be put together in memory. */
export async function readStoredFile(
  db: Queryable,
  file: Pick<DownloadableFile, "workspace_id" | "id" | "size_bytes">,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(db, file, (_workspaceId, work) => work())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

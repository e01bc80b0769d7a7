import type { FileRecord } from "../resources/file.ts";
import type { FileLinks } from "./links.ts";

/** A stored file as the statements of this folder read it. */
export interface FileRow {
  id: number;
  uuid: string;
  name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
}

export const FILE_COLUMNS = `f.id, f.uuid, f.name, f.content_type, f.size_bytes,
     encode(f.sha256, 'hex') as sha256`;

export const fileRecord = (file: FileRow, links: FileLinks): FileRecord => ({ ...file, ...links.forResponse(file) });

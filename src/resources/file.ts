import { type Static, Type } from "typebox";
import { Id, Timestamp, Uuid } from "./common.ts";

export const FileRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    content_type: Type.String(),
    size_bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({ description: "Of the bytes, in hexadecimal." }),
    url: Type.String({ description: "Where the bytes can be read without a key, until `expires_at`." }),
    expires_at: Type.Unsafe<string>({ ...Timestamp, description: "When `url` stops working." }),
  },
  { title: "UploadedFile" },
);
export type FileRecord = Static<typeof FileRecord>;

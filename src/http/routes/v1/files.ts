import { Type } from "typebox";
import { Fault, invalid, problems } from "../../../core/errors.ts";
import { createFairQueue } from "../../../core/fair-queue.ts";
import { fileRecord } from "../../../files/file-row.ts";
import { deleteFile, findFile } from "../../../files/files.ts";
import { mediaTypeOf, nameProblems } from "../../../files/names.ts";
import { discardUpload, finishUpload, storeBytes, tooLarge } from "../../../files/upload.ts";
import { FileRecord } from "../../../resources/file.ts";
import type { Context, RouteOf, RouteResponse } from "../../pipeline/route.ts";
import { discardRest, isMultipart, receiveFile } from "../../pipeline/upload-body.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { route, type Services } from "./services.ts";
import { fileResponse } from "./visible-fields.ts";

/** Of one workspace, on one node. Each holds a chunk in memory. */
const UPLOADS_AT_ONCE = 8;
const UPLOADS_WAITING_MAX = 100;
/** How much of a file that is too large is still read, as a multiple of the limit. */
const DISCARD_FACTOR = 4;
/** A form may be this much larger than the file in it. */
const FORM_BYTES = 16_384;

type StoredBytes = Awaited<ReturnType<typeof storeBytes>>;
export type UploadContext = Context<never, { name?: string }>;

export function fileRoutes(): RouteOf<Services>[] {
  const uploads = createFairQueue({
    perKey: UPLOADS_AT_ONCE,
    waitingPerKeyMax: UPLOADS_WAITING_MAX,
    onFull: () => new Fault("RATE_LIMIT_EXCEEDED", "Too many uploads of this workspace are in progress."),
  });
  return [
    route({
      method: "POST",
      path: "/files",
      operationId: "uploadFile",
      summary: "Upload a file",
      description:
        "The body is the bytes of the file, with their `Content-Type`; or `multipart/form-data` with one part. Attach the file to a message or draft by its id, as `file_id`; a file that nothing holds is removed after 24 hours.",
      access: "messages:write",
      query: Type.Object({
        name: Type.Optional(
          Type.String({
            maxLength: 1_000,
            description: "The name of the file. Required unless the part of a form has a filename.",
            examples: ["photo.png"],
          }),
        ),
      }),
      upload: true,
      waitsOutside: true,
      success: { status: 201, data: FileRecord },
      check: ({ query, request }) => {
        if (query.name !== undefined) return problems({ name: nameProblems(query.name.trim()) });
        return isMultipart(request) || isFailed(request, "name") ? {} : { name: ["name is required."] };
      },
      handler: (context, services) =>
        uploads.run(context.caller.workspaceId, () => upload(services, context as UploadContext)),
    }),
    route({
      method: "GET",
      path: "/files/{file}",
      summary: "Get a file's record, with a fresh link to its bytes",
      access: "messages:read",
      success: { status: 200, data: FileRecord },
      handler: async ({ caller, params, links }, { db }) => ({
        data: fileRecord(await findFile(db, caller, params.file), links),
      }),
    }),
    route({
      method: "DELETE",
      path: "/files/{file}",
      summary: "Delete a file that nothing holds",
      description: "A file that was sent is deleted with its message.",
      access: "messages:write",
      errors: ["CONFLICT"],
      success: { status: 200, data: FileRecord },
      handler: ({ caller, params, links, write }) =>
        write(async (tx) => fileResponse(caller, fileRecord(await deleteFile(tx, caller, params.file), links))),
    }),
  ];
}

async function upload(services: Services, context: UploadContext): Promise<RouteResponse<FileRecord>> {
  const { caller, links, writeUploaded } = context;
  return storeUpload(services, context, caller, (stored, file) =>
    writeUploaded({ ...file, sha256: stored.sha256.toString("hex") }, async (tx) => ({
      data: fileRecord(await finishUpload(tx, caller.workspaceId, stored, services.fileLimits), links),
    })),
  );
}

/** Stores the file that a request brings, and removes it again unless `finish` has finished the upload. */
export async function storeUpload<T>(
  { db, fileLimits }: Pick<Services, "db" | "fileLimits">,
  { query, request }: Pick<UploadContext, "query" | "request">,
  uploader: Parameters<typeof storeBytes>[1],
  finish: (stored: StoredBytes, file: { name: string; contentType: string | null }) => Promise<T>,
): Promise<T> {
  const { fileBytesMax } = fileLimits;
  try {
    if (Number(request.headers["content-length"] ?? 0) > fileBytesMax + FORM_BYTES) throw tooLarge(fileBytesMax);
    const received = await receiveFile(request);
    const name = (query.name ?? received.name ?? "").trim();
    const wrong = problems({ name: nameProblems(name) });
    if (Object.keys(wrong).length > 0) throw invalid(wrong);
    const file = { name, contentType: mediaTypeOf(received.contentType) };
    const stored = await storeBytes(db, uploader, { ...file, bytes: received.bytes }, fileLimits);
    try {
      return await finish(stored, file);
    } finally {
      // Does nothing once the upload is finished. A repeat has the file of the first request, and not these bytes.
      await discardUpload(db, uploader.workspaceId, stored.id).catch(() => {});
    }
  } catch (error) {
    if (error instanceof Fault && error.code === "PAYLOAD_TOO_LARGE")
      await discardRest(request, fileBytesMax * DISCARD_FACTOR);
    throw error;
  }
}

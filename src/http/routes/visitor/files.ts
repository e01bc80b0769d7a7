import { Type } from "typebox";
import { Fault, invalid, problems } from "../../../core/errors.ts";
import { createFairQueue } from "../../../core/fair-queue.ts";
import type { Tx } from "../../../db/database.ts";
import { mediaTypeOf, nameProblems } from "../../../files/names.ts";
import { discardUpload, finishUpload, storeBytes, tooLarge } from "../../../files/upload.ts";
import { NullableInteger, NullableString, Uuid } from "../../../resources/common.ts";
import type { Context, RouteOf } from "../../pipeline/route.ts";
import { discardRest, receiveFile } from "../../pipeline/upload-body.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { visitorOf } from "../../pipeline/visitor-access.ts";
import { route, type Services } from "./services.ts";

/** Of one workspace, on one node: visitors leave room for the uploads of colleagues. */
const UPLOADS_AT_ONCE = 4;
const UPLOADS_WAITING_MAX = 50;
const DISCARD_FACTOR = 4;

const VisitorFile = Type.Object({
  id: Uuid,
  name: NullableString,
  content_type: NullableString,
  size_bytes: NullableInteger,
  url: Type.String(),
});

export function fileRoutes(): RouteOf<Services>[] {
  const uploads = createFairQueue({
    perKey: UPLOADS_AT_ONCE,
    waitingPerKeyMax: UPLOADS_WAITING_MAX,
    onFull: () => new Fault("RATE_LIMIT_EXCEEDED", "Too many files are being sent at this moment. Try again soon."),
  });
  return [
    route({
      method: "POST",
      path: "/files",
      summary: "Upload a file",
      access: "public",
      visitor: "session",
      query: Type.Object({ name: Type.Optional(Type.String({ maxLength: 1_000 })) }),
      upload: true,
      waitsOutside: true,
      success: { status: 201, data: VisitorFile },
      check: ({ query, request }) => {
        if (query.name !== undefined) return problems({ name: nameProblems(query.name.trim()) });
        return isFailed(request, "name") ? {} : { name: ["name is required."] };
      },
      handler: async (context, services) => {
        const visitor = visitorOf(context.request);
        await services.limits.file(visitor);
        return uploads.run(visitor.workspaceId, () => upload(services, context as UploadContext));
      },
    }),
  ];
}

type UploadContext = Context<never, { name?: string }>;

async function upload({ db, fileLimits }: Services, { query, request, links }: UploadContext) {
  const { workspaceId, session } = visitorOf(request);
  const uploader = { type: "visitor", id: session?.id ?? null } as const;
  try {
    if (Number(request.headers["content-length"] ?? 0) > fileLimits.fileBytesMax)
      throw tooLarge(fileLimits.fileBytesMax);
    const received = await receiveFile(request);
    const name = (query.name ?? "").trim();
    const wrong = problems({ name: nameProblems(name) });
    if (Object.keys(wrong).length > 0) throw invalid(wrong);
    const file = { name, contentType: mediaTypeOf(received.contentType), bytes: received.bytes };
    const stored = await storeBytes(db, { workspaceId, actor: uploader }, file, fileLimits);
    try {
      const finish = (tx: Tx) => finishUpload(tx, workspaceId, stored, fileLimits);
      const row = await db.transaction(finish, { workspaceId });
      const { uuid: id, content_type, size_bytes } = row;
      return { data: { id, name: row.name, content_type, size_bytes, url: links.forResponse(row).url } };
    } finally {
      // Does nothing once the upload is finished.
      await discardUpload(db, workspaceId, stored.id).catch(() => {});
    }
  } catch (error) {
    if (error instanceof Fault && error.code === "PAYLOAD_TOO_LARGE")
      await discardRest(request, fileLimits.fileBytesMax * DISCARD_FACTOR);
    throw error;
  }
}

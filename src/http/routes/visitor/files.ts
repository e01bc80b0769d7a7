import { Type } from "typebox";
import { Fault, problems } from "../../../core/errors.ts";
import { createFairQueue } from "../../../core/fair-queue.ts";
import type { Tx } from "../../../db/database.ts";
import { nameProblems } from "../../../files/names.ts";
import { finishUpload } from "../../../files/upload.ts";
import { NullableInteger, NullableString, Uuid } from "../../../resources/common.ts";
import type { RouteOf } from "../../pipeline/route.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { visitorOf } from "../../pipeline/visitor-access.ts";
import { storeUpload, type UploadContext } from "../v1/files.ts";
import { route, type Services } from "./services.ts";

/** Of one workspace, on one node: visitors leave room for the uploads of colleagues. */
const UPLOADS_AT_ONCE = 4;
const UPLOADS_WAITING_MAX = 50;

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

async function upload(services: Services, context: UploadContext) {
  const { request, links } = context;
  const { db, fileLimits } = services;
  const { workspaceId, session } = visitorOf(request);
  const uploader = { workspaceId, actor: { type: "visitor", id: session?.id ?? null } as const };
  return storeUpload(services, context, uploader, async (stored) => {
    const finish = (tx: Tx) => finishUpload(tx, workspaceId, stored, fileLimits);
    const row = await db.transaction(finish, { workspaceId });
    const { uuid: id, name, content_type, size_bytes } = row;
    return { data: { id, name, content_type, size_bytes, url: links.forResponse(row).url } };
  });
}

import { Type } from "typebox";
import { languageOfBrowser } from "../../../accounts/languages.ts";
import { readTranscript } from "../../../conversations/transcript.ts";
import { problems } from "../../../core/errors.ts";
import { STREAMED } from "../../pipeline/route.ts";
import { visitorOf } from "../../pipeline/visitor-access.ts";
import { timeZoneProblems } from "../v1/transcript.ts";
import { own } from "./messages.ts";
import { route } from "./services.ts";

export const streamRoutes = [
  route({
    method: "GET",
    path: "/stream",
    summary: "Stream what concerns the visitor",
    access: "public",
    visitor: "session",
    success: { status: 200, data: Type.String(), streamed: true },
    handler: (context, { streams }) => streams.open(context, visitorOf(context.request)),
  }),
  route({
    method: "GET",
    path: "/conversations/{conversation}/transcript",
    summary: "The public messages of a conversation as text",
    access: "public",
    visitor: "session",
    query: Type.Object({ time_zone: Type.Optional(Type.String({ maxLength: 64 })) }),
    success: { status: 200, data: Type.String(), text: true },
    exists: own,
    check: ({ query }) => problems({ time_zone: timeZoneProblems(query.time_zone) }),
    handler: async (context, { db }) => {
      const id = await own(context, { db });
      const { query, request, reply } = context;
      const { workspaceId } = visitorOf(request);
      const language = languageOfBrowser(request.headers["accept-language"]);
      const options = {
        timeZone: query.time_zone ?? "UTC",
        language,
        notes: false,
        forColleagues: false,
        heading: null,
      };
      reply.header("content-disposition", 'attachment; filename="chat.txt"').type("text/plain; charset=utf-8");
      reply.send(await readTranscript(db, workspaceId, id, options));
      return STREAMED;
    },
  }),
];

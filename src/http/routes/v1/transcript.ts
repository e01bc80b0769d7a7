import { Type } from "typebox";
import { languageOfBrowser } from "../../../accounts/languages.ts";
import { findConversationId } from "../../../conversations/conversation-find.ts";
import { isTimeZone, readTranscript } from "../../../conversations/transcript.ts";
import { problems } from "../../../core/errors.ts";
import { optionalBoolean, optionalString } from "../../../resources/common.ts";
import { STREAMED } from "../../pipeline/route.ts";
import { route } from "./services.ts";

export const transcriptRoutes = [
  route({
    method: "GET",
    path: "/conversations/{conversation}/transcript",
    operationId: "getTranscript",
    summary: "Get a conversation as plain text",
    description:
      "`text/plain`: the number, the subject (`conversations:read`) and the contact (`contacts:read`), then the public messages, oldest first, at most the last 10,000 or 4 MiB. Its few words are in the language of `Accept-Language` where that is English, German, Spanish, French or Portuguese.",
    access: "messages:read",
    query: Type.Object({
      notes: optionalBoolean("True: with the private notes."),
      time_zone: optionalString(64, "Name of the time zone of its times; `UTC` by default."),
    }),
    success: { status: 200, data: Type.String(), text: true },
    exists: ({ caller, params }, { db }) => findConversationId(db, caller.workspaceId, params.conversation),
    check: ({ query }) => problems({ time_zone: timeZoneProblems(query.time_zone) }),
    handler: async ({ caller: { workspaceId, scopes }, params, query, request, reply }, { db }) => {
      const id = await findConversationId(db, workspaceId, params.conversation);
      const language = languageOfBrowser(request.headers["accept-language"]);
      const text = await readTranscript(db, workspaceId, id, {
        timeZone: query.time_zone ?? "UTC",
        language,
        notes: query.notes ?? false,
        forColleagues: true,
        heading: { subject: scopes.has("conversations:read"), contact: scopes.has("contacts:read") },
      });
      reply.header("content-language", language ?? "en").header("vary", "accept-language");
      reply.header("content-disposition", `attachment; filename="conversation-${id}.txt"`);
      reply.type("text/plain; charset=utf-8").send(text);
      return STREAMED;
    },
  }),
];

export const timeZoneProblems = (name: string | undefined): string[] =>
  name === undefined || isTimeZone(name) ? [] : ["time_zone must be the name of a time zone, such as Europe/Berlin."];

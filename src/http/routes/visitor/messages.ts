import { Type } from "typebox";
import { BODY_OR_ATTACHMENT } from "../../../conversations/messages.ts";
import { problems } from "../../../core/errors.ts";
import type { Ref } from "../../../core/ids.ts";
import { NUMBER_MAX } from "../../../resources/common.ts";
import {
  findOwnConversation,
  markReadByContact,
  readOwnConversation,
  visitorConversationReader,
  visitorMessageReader,
} from "../../../visitors/conversations.ts";
import { pageOf } from "../../../visitors/page.ts";
import { withVisitorLinks, withVisitorLinksOfLast } from "../../../visitors/records.ts";
import { findSentMessage, type SendOptions, sendVisitorMessage } from "../../../visitors/send.ts";
import type { Visitor } from "../../../visitors/visitor.ts";
import { baseUrlOf } from "../../pipeline/base-url.ts";
import { readByCursor } from "../../pipeline/paging.ts";
import type { Context } from "../../pipeline/route.ts";
import { isFailed } from "../../pipeline/validation.ts";
import { visitorOf } from "../../pipeline/visitor-access.ts";
import { TYPED_FIELDS, VisitorConversation, VisitorMessage } from "./schemas.ts";
import { route, type Services } from "./services.ts";

const LIST = "/conversations";
const ITEM = `${LIST}/{conversation}` as const;
/** A text of 65,536 characters, each of them escaped. */
const BODY_BYTES_MAX = 524_288;

const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 256 })),
});

/** The id of the conversation in the path, if it is the visitor's own. */
export const own = (
  { request, params }: { request: Context["request"]; params: Record<"conversation", Ref> },
  { db }: Pick<Services, "db">,
): Promise<number> => findOwnConversation(db, visitorOf(request), params.conversation);

export const messageRoutes = [
  route({
    method: "POST",
    path: "/messages",
    summary: "Send a message",
    access: "public",
    visitor: "new",
    bodyBytesMax: BODY_BYTES_MAX,
    body: Type.Object({
      id: Type.String({ format: "uuid" }),
      conversation: Type.Optional(Type.String({ format: "uuid" })),
      body: Type.Optional(Type.String({ maxLength: 65_536 })),
      files: Type.Optional(Type.Array(Type.String({ format: "uuid" }), { maxItems: 20 })),
      page: Type.Optional(Type.Object({ url: Type.Optional(Type.String({ maxLength: 8_192 })) })),
      ...TYPED_FIELDS,
    }),
    success: {
      status: 201,
      replaces: true,
      data: Type.Object({ conversation: VisitorConversation, message: VisitorMessage }),
    },
    check: ({ body, request }) =>
      problems({
        body:
          !body.body?.trim() && !body.files?.length && !isFailed(request, "body", "files") ? [BODY_OR_ATTACHMENT] : [],
      }),
    handler: async ({ body, request, links }, services) => {
      const visitor = visitorOf(request);
      const { body: text = "", files = [], conversation = null, page, ...rest } = body;
      const visited = pageOf(visitor.widget, {
        url: page?.url,
        userAgent: request.headers["user-agent"],
        ownOrigin: new URL(baseUrlOf(request, services.publicUrl)).origin,
      });
      const sent = { ...rest, conversation, body: text, files, page: visited };
      const { db, outbox } = services;
      return send(services, { db, outbox, links, ip: request.ip, requestId: request.id }, { visitor, sent, request });
    },
  }),
  route({
    method: "GET",
    path: LIST,
    summary: "List the visitor's conversations",
    access: "public",
    visitor: "session",
    query: ListQuery,
    success: { status: 200, data: Type.Array(VisitorConversation), paged: "always" },
    handler: async ({ query, request, links }, { db }) => {
      const part = await readByCursor(visitorConversationReader(db, visitorOf(request)), query);
      return { ...part, data: part.data.map((one) => withVisitorLinksOfLast(links, one)) };
    },
  }),
  route({
    method: "GET",
    path: `${ITEM}/messages`,
    summary: "List the public messages of a conversation",
    access: "public",
    visitor: "session",
    query: ListQuery,
    success: { status: 200, data: Type.Array(VisitorMessage), paged: "always" },
    exists: own,
    handler: async (context, { db }) => {
      const id = await own(context, { db });
      const { query, request, links } = context;
      const part = await readByCursor(visitorMessageReader(db, visitorOf(request), id), query);
      return { ...part, data: part.data.map((message) => withVisitorLinks(links, message)) };
    },
  }),
  route({
    method: "POST",
    path: `${ITEM}/read`,
    summary: "Say up to which message the visitor has read",
    access: "public",
    visitor: "session",
    body: Type.Object({ seq: Type.Integer({ minimum: 0, maximum: NUMBER_MAX }) }),
    success: { status: 200, data: Type.Object({ contact_read_seq: Type.Integer() }) },
    exists: own,
    handler: async ({ params, body, request }, { db, limits, signals }) => {
      const visitor = visitorOf(request);
      await limits.signal(visitor);
      const { id, contact_read_seq } = await markReadByContact(db, visitor, params.conversation, body.seq);
      signals.readByContact({ workspaceId: visitor.workspaceId, conversationId: id, seq: contact_read_seq });
      return { data: { contact_read_seq } };
    },
  }),
  route({
    method: "POST",
    path: `${ITEM}/typing`,
    summary: "Say that the visitor is typing",
    access: "public",
    visitor: "session",
    body: Type.Object({}),
    success: { status: 200, data: Type.Object({}) },
    handler: async (context, { db, limits, presence }) => {
      await limits.signal(visitorOf(context.request));
      const conversationId = await own(context, { db });
      const { workspaceId, session } = visitorOf(context.request);
      if (session?.contactId)
        presence.announceContact({ workspaceId, conversationId, contactId: session.contactId, isTyping: true });
      return { data: {} };
    },
  }),
];

interface Sending {
  visitor: Visitor;
  sent: Parameters<typeof sendVisitorMessage>[2];
  request: Context["request"];
}

/** A repeat gets what the first request stored, and does not count against any limit. */
async function send({ db, limits, signals, presence }: Services, by: SendOptions, { visitor, sent, request }: Sending) {
  const { session, workspaceId } = visitor;
  const known = session && (await findSentMessage(db, workspaceId, session.id, sent.id));
  if (!known) {
    await limits.session(visitor, request.ip);
    await limits.message(visitor);
  }
  const { message, sessionId, contactId, conversationId } = await sendVisitorMessage(by, visitor, sent);
  if (session && session.contactId !== contactId) signals.sessionsChanged(workspaceId, session.id);
  if (conversationId !== null && contactId !== null)
    presence.announceContact({ workspaceId, conversationId, contactId, isTyping: false });
  const owner: Visitor = { ...visitor, session: { id: sessionId, contactId, identity: session?.identity ?? null } };
  const conversation = await readOwnConversation(db, owner, { uuid: message.conversation });
  const data = {
    conversation: withVisitorLinksOfLast(by.links, conversation),
    message: withVisitorLinks(by.links, message),
  };
  return conversationId === null ? { data, status: 200 as const } : { data };
}

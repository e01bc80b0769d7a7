import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { findMessage } from "../../../conversations/messages.ts";
import { Fault, invalid } from "../../../core/errors.ts";
import { ingestMail } from "../../../email/inbound/ingest.ts";
import { createMailTurns } from "../../../email/inbound/turns.ts";
import { findMailbox } from "../../../email/mailboxes/mailboxes.ts";
import { readMailView } from "../../../email/view.ts";
import { nullable, nullableString, optionalBoolean } from "../../../resources/common.ts";
import { MessageEmail, MessageRecord } from "../../../resources/conversations.ts";
import type { RouteOf } from "../../pipeline/route.ts";
import { contentTypeOf } from "../../pipeline/same-origin.ts";
import { discardRest, receiveFile } from "../../pipeline/upload-body.ts";
import { route, type Services } from "./services.ts";
import { messageResponse, withFreshLinks } from "./visible-fields.ts";

const MAIL_TYPE = /^\s*message\/rfc822\s*(;|$)/i;
/** Of one workspace, on one node. */
const MAILS_WAITING_MAX = 100;
const DISCARD_FACTOR = 4;

const WholeMail = Type.Object(
  {
    ...MessageEmail.properties,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    text: Type.String({ description: "The whole text, nothing folded.", examples: ["It does not burn."] }),
    html: nullableString("Sanitised: nothing in it runs, and nothing is loaded from elsewhere."),
  },
  { title: "WholeMail" },
);

export function mailRoutes(): RouteOf<Services>[] {
  const inTurn = createMailTurns(MAILS_WAITING_MAX);
  return [
    route({
      method: "POST",
      path: "/mailboxes/{mailbox}/messages",
      operationId: "ingestMail",
      summary: "Hand a mail over",
      description:
        "The body is the bytes of the mail, with `Content-Type: message/rfc822`. 201 with the stored message; 200 with the same message when this mail is stored already, with `data` null if it was deleted since.",
      access: "mailboxes:ingest",
      upload: "message/rfc822",
      waitsOutside: true,
      success: {
        status: 201,
        data: nullable(MessageRecord),
        replaces: true,
      },
      handler: async ({ caller, params, request, links }, { db, mail }) => {
        const { workspaceId } = caller;
        const { id, authserv_id: authservId, own_lists: ownLists } = await findMailbox(db, workspaceId, params.mailbox);
        return inTurn(workspaceId, statedBytes(request), async () => {
          const raw = await receiveMail(request, mail.mailBytesMax);
          const mailbox = { workspaceId, id, authservId, ownLists };
          const { message, isNew } = await ingestMail({ ...mail, links }, mailbox, { raw });
          const shown = message && messageResponse(caller, withFreshLinks(links, message));
          return { ...(shown ?? { data: null }), ...(isNew ? {} : { status: 200 as const }) };
        });
      },
    }),
    route({
      method: "GET",
      path: "/conversations/{conversation}/messages/{message}/email",
      operationId: "getMail",
      summary: "Get the whole mail behind a message",
      description:
        "Its headers, its whole text and its HTML. A 404 for a message that is not mail. Nothing in the HTML is loaded from elsewhere; with `images=true` pictures are, by signed links to a proxy of this installation.",
      access: "messages:read",
      query: Type.Object({
        images: optionalBoolean("`true`: pictures elsewhere are shown too."),
      }),
      success: { status: 200, data: WholeMail },
      handler: async ({ caller: { workspaceId }, params, query, links }, { db, mail }) => {
        const message = await findMessage(db, workspaceId, params);
        const { parser, secretBox } = mail;
        const images = query.images ?? false;
        const view = await readMailView({ db, parser, links, secretBox }, { workspaceId, message, images });
        const email = withFreshLinks(links, message).email as Static<typeof MessageEmail>;
        return { data: { ...email, ...view } };
      },
    }),
  ];
}

/** A mail that does not say its size may be a large one. */
const statedBytes = ({ headers }: FastifyRequest): number =>
  Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);

async function receiveMail(request: FastifyRequest, bytesMax: number): Promise<Buffer> {
  if (!MAIL_TYPE.test(contentTypeOf(request)))
    throw new Fault("UNSUPPORTED_MEDIA_TYPE", "Send the bytes of the mail as message/rfc822.");
  const chunks: Buffer[] = [];
  let size = Number(request.headers["content-length"] ?? 0) > bytesMax ? bytesMax + 1 : 0;
  if (size === 0)
    for await (const piece of (await receiveFile(request)).bytes) {
      size += piece.length;
      if (size > bytesMax) break;
      chunks.push(Buffer.from(piece));
    }
  if (size === 0) throw invalid({ body: ["The body must not be empty: it is the mail."] });
  if (size <= bytesMax) return Buffer.concat(chunks);
  await discardRest(request, bytesMax * DISCARD_FACTOR);
  throw new Fault("PAYLOAD_TOO_LARGE", `The mail is larger than the limit of ${bytesMax} bytes.`);
}

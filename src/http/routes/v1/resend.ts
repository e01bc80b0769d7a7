import { findMessage } from "../../../conversations/messages.ts";
import { resendMail } from "../../../email/outbound/resend.ts";
import { MessageRecord } from "../../../resources/conversations.ts";
import { route } from "./services.ts";
import { messageResponse, withFreshLinks } from "./visible-fields.ts";

export const resendRoutes = [
  route({
    method: "POST",
    path: "/conversations/{conversation}/messages/{message}/resend",
    operationId: "resendMessage",
    summary: "Send a mail again",
    description:
      "The same bytes, only to recipients that are `failed`, `unknown` or `bounced`. An `unknown` one may get it twice. A 409 when nobody is left to send to.",
    access: "messages:write",
    errors: ["CONFLICT"],
    success: { status: 202, data: MessageRecord },
    visible: (viewer, stored) => messageResponse(viewer, stored),
    exists: ({ caller, params }, { db }) => findMessage(db, caller.workspaceId, params),
    handler: ({ caller, params, links, write }, { outbox, mailQueued }) =>
      write(async (tx) => {
        const message = await resendMail({ tx, outbox, caller }, params);
        tx.afterCommit(mailQueued);
        return messageResponse(caller, withFreshLinks(links, message));
      }),
  }),
];

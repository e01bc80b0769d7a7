import { Type } from "typebox";
import { ROLES } from "../../../accounts/roles.ts";
import { findConversation } from "../../../conversations/conversation-find.ts";
import { listSendingAddresses, readReplyDefaults } from "../../../email/outbound/reply-defaults.ts";
import { Id, NullableString } from "../../../resources/common.ts";
import { route } from "./services.ts";

const SendingAddress = Type.Object(
  { id: Id, name: Type.String(), address: Type.String(), from_name: NullableString },
  { title: "SendingAddress" },
);
const Person = Type.Object({ name: NullableString, address: Type.String() }, { title: "Recipient" });
const People = Type.Array(Person);
const ReplyDefaults = Type.Object(
  {
    mailbox: SendingAddress,
    to: People,
    cc: People,
    everyone: Type.Object({ to: People, cc: People }),
    subject: Type.String(),
  },
  { title: "ReplyDefaults" },
);

/** What is shown before a message is sent. Agents do not see the settings of mailboxes. */
export const replyDefaultRoutes = [
  route({
    method: "GET",
    path: "/sending-addresses",
    summary: "List the mailboxes from which a conversation can begin",
    access: "messages:write",
    roles: ROLES,
    success: { status: 200, data: Type.Array(SendingAddress) },
    handler: async ({ caller }, { db }) => ({ data: await listSendingAddresses(db, caller.workspaceId) }),
  }),
  route({
    method: "GET",
    path: "/conversations/{conversation}/reply-defaults",
    summary: "See from where and to whom a reply goes by mail",
    description: "Null: a reply in this conversation is not mail.",
    access: "messages:write",
    roles: ROLES,
    success: {
      status: 200,
      data: Type.Union([ReplyDefaults, Type.Null()]),
    },
    handler: async ({ caller, params }, { db }) => {
      const { workspaceId } = caller;
      const { id, subject, contact, mailbox_id } = await findConversation(db, workspaceId, params.conversation);
      const conversation = { id, subject, contactId: contact.id, mailboxId: mailbox_id };
      return { data: await readReplyDefaults(db, workspaceId, conversation) };
    },
  }),
];

import { Type } from "typebox";
import { findConversationId } from "../../../conversations/conversation-find.ts";
import { NUMBER_MAX, optionalBoolean } from "../../../resources/common.ts";
import { route } from "./services.ts";

const Present = Type.Object(
  {
    user_id: Type.Integer({ minimum: 1, description: "Of a contact its own id." }),
    contact: Type.Optional(Type.Literal(true, { description: "The contact, who types in a widget." })),
    name: Type.String(),
    typing: Type.Boolean(),
    sending: Type.Boolean(),
  },
  { title: "Present" },
);

export const presenceRoutes = [
  route({
    method: "POST",
    path: "/presence",
    operationId: "announcePresence",
    summary: "Say which conversation is open",
    description: "Returns who else has it open. Repeat it every few seconds; nothing is stored.",
    access: "conversations:read",
    body: Type.Object({
      conversation_id: Type.Integer({ minimum: 1, maximum: NUMBER_MAX }),
      typing: Type.Optional(Type.Boolean()),
      sending: optionalBoolean("A reply can still be undone, or is on its way."),
      gone: optionalBoolean("It is not open any more."),
    }),
    success: { status: 200, data: Type.Array(Present) },
    async handler({ caller, body }, { db, presence }) {
      const conversationId = await findConversationId(db, caller.workspaceId, { id: body.conversation_id });
      const { actor, workspaceId } = caller;
      const data = presence.announce({
        workspaceId,
        conversationId,
        userId: actor.id ?? 0,
        name: actor.name ?? "",
        isTyping: body.typing ?? false,
        isSending: body.sending ?? false,
        isGone: body.gone ?? false,
      });
      return { data };
    },
  }),
];

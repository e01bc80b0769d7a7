import { Type } from "typebox";
import { auditOf } from "../../../audit/audit.ts";
import { lockContact } from "../../../conversations/contacts.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Tx } from "../../../db/database.ts";
import type { ContactRecord } from "../../../resources/conversations.ts";
import { endSessionsOfContact } from "../../../visitors/sessions.ts";
import { route } from "./services.ts";

const audit = auditOf("contact");

export const contactSessionRoutes = [
  route({
    method: "DELETE",
    path: "/contacts/{contact}/sessions",
    operationId: "endContactSessions",
    summary: "End the sessions of a contact",
    description:
      "Their browsers can no longer read or write these conversations through a widget. They may start a new session; `blocked` keeps them from it.",
    access: "contacts:write",
    success: { status: 200, data: Type.Object({ ended: Type.Integer({ minimum: 0 }) }) },
    handler: async ({ caller, params, write }, { visitors }) => {
      const response = await write(async (tx) => {
        const { id } = await lockContact(tx, caller.workspaceId, params.contact);
        const ended = await endSessionsOfContact(tx, caller.workspaceId, id);
        await audit(tx, caller, { action: "contact.sessions_ended", id, changes: { ended } });
        return { data: { ended } };
      });
      visitors.sessionsChanged(caller.workspaceId);
      return response;
    },
  }),
];

/** After a contact was blocked or unblocked: their sessions end, and the change is in the audit log. */
export async function afterBlocking(
  tx: Tx,
  caller: Caller,
  { before, after }: { before: ContactRecord; after: ContactRecord },
): Promise<void> {
  if (before.blocked === after.blocked) return;
  if (after.blocked) await endSessionsOfContact(tx, caller.workspaceId, after.id);
  await audit(tx, caller, { action: after.blocked ? "contact.blocked" : "contact.unblocked", id: after.id });
}

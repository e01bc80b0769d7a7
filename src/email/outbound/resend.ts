import { findMessage } from "../../conversations/messages.ts";
import type { WriteContext } from "../../conversations/write-context.ts";
import { conflict } from "../../core/errors.ts";
import type { Ref } from "../../core/ids.ts";
import { sql } from "../../db/database.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import { requeue } from "./states.ts";

const findMail = sql(
  "mail_out_of_message",
  `select id
   from outgoing_mails
   where workspace_id = $1
     and message_id = $2`,
);

/** The same bytes again, only to those for whom the mail was not accepted or came back. */
export async function resendMail(
  { tx, outbox, caller }: WriteContext,
  ref: { conversation: Ref; message: Ref },
): Promise<MessageRecord> {
  const { workspaceId } = caller;
  const message = await findMessage(tx, workspaceId, ref);
  const [mail] = await tx.query<{ id: number }>(findMail, [workspaceId, message.id]);
  const sent =
    mail &&
    (await requeue(tx, outbox, { workspaceId, id: mail.id, messageId: message.id }, ["failed", "unknown", "bounced"]));
  if (!sent) throw conflict("Nobody is left to send this message to.");
  return sent;
}

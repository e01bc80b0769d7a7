import { readReport, referringMail } from "../outbound/bounce.ts";
import { findThread, recipientsOf, referencesOf } from "../thread.ts";
import type { InboundOptions } from "./ingest.ts";

/** What a mail that is not stored yet has to do with others. */
export interface Relation {
  messageId: string | null;
  refersTo: ReadonlySet<string>;
  /** That it would be stored in; null: a new one, or one that a mail which is not stored yet begins. */
  conversationId: number | null;
}

/** From the beginning of a mail. */
export async function relationOf(
  { db, parser, secretBox }: InboundOptions,
  { workspaceId, id: mailboxId }: { workspaceId: number; id: number },
  raw: Buffer,
): Promise<Relation> {
  const { mail } = await parser.parse(raw, "head");
  if (!mail) return { messageId: null, refersTo: new Set(), conversationId: null };
  const referring = referringMail(mail, readReport(secretBox, workspaceId, mail, raw));
  const sought = { mail: referring, recipients: recipientsOf(mail) };
  return {
    messageId: mail.messageId,
    refersTo: new Set(referencesOf(referring)),
    conversationId: await findThread(db, secretBox, { workspaceId, mailboxId }, sought),
  };
}

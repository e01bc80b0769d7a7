import { createConversation } from "../conversations/conversations.ts";
import { createMessage } from "../conversations/message-writer.ts";
import type { AttachContext } from "../conversations/reply-mail.ts";
import { Fault, invalid, notFound } from "../core/errors.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { FileLinks } from "../files/links.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import { contactOfSession, type Typed } from "./contact.ts";
import { findOwnConversation } from "./conversations.ts";
import type { VisitedPage } from "./page.ts";
import { type VisitorMessage, visitorMessageSql } from "./records.ts";
import { lockSession } from "./sessions.ts";
import { contactCaller, type Visitor } from "./visitor.ts";

/** A message as the frame sends it. */
interface SentMessage extends Typed {
  /** Made by the frame: a repeat carries the same one. */
  id: string;
  /** Null: it begins a conversation. */
  conversation: string | null;
  body: string;
  files: readonly string[];
  page: VisitedPage | null;
}

export interface SendOptions {
  db: Database;
  outbox: Outbox;
  links: FileLinks;
  ip: string;
  requestId: string;
}

const findSent = sql(
  "visitor_sent",
  `select ${visitorMessageSql("m", "c")} as record, m.id is not null as is_stored
   from visitor_messages sent
   left join messages m on m.workspace_id = sent.workspace_id and m.id = sent.message_id
   left join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
   where sent.workspace_id = $1
     and sent.session_id = $2
     and sent.client_id = $3`,
);
const recordSent = sql(
  "visitor_record_sent",
  `insert into visitor_messages (workspace_id, session_id, client_id, conversation_uuid, message_id)
   select $1, $2, $3, c.uuid, $5
   from conversations c
   where c.workspace_id = $1
     and c.id = $4`,
);
// What a visitor uploaded belongs to the session; what they send belongs to the contact, who is the author.
const takeFiles = sql(
  "visitor_take_files",
  `update files
   set uploader_type = 'contact',
     uploader_id = $3
   where workspace_id = $1
     and uploader_type = 'visitor'
     and uploader_id = $2
     and uuid = any($4::uuid[])
     and message_id is null`,
);

/** What was stored for this id; null: nothing yet. A message that was deleted since is not stored again. */
export async function findSentMessage(
  db: Queryable,
  workspaceId: number,
  sessionId: number,
  id: string,
): Promise<VisitorMessage | null> {
  const [row] = await db.query<{ record: VisitorMessage; is_stored: boolean }>(findSent, [workspaceId, sessionId, id]);
  if (row && !row.is_stored) throw notFound("message");
  return row?.record ?? null;
}

interface Sent {
  message: VisitorMessage;
  sessionId: number;
  contactId: number | null;
  /** Null: a repeat, which stored nothing. */
  conversationId: number | null;
}

/**
 * Stores a visitor's message, with its session and contact if it is the first one. All of it is one transaction that
 * also records the frame's id: whatever happens between the commit and the response, a repeat finds the message.
 */
export function sendVisitorMessage(options: SendOptions, visitor: Visitor, sent: SentMessage): Promise<Sent> {
  const { db, outbox, links } = options;
  const { workspaceId } = visitor;
  const work = async (tx: Tx): Promise<Sent> => {
    const session = await lockSession(tx, visitor);
    const repeated = await findSentMessage(tx, workspaceId, session.id, sent.id);
    if (repeated)
      return { message: repeated, sessionId: session.id, contactId: session.contact_id, conversationId: null };
    const anonymous = contactCaller(visitor, { id: session.contact_id, name: null }, options);
    const contact = await contactOfSession({ tx, outbox, caller: anonymous }, session, sent);
    if (sent.files.length > 0) await tx.query(takeFiles, [workspaceId, session.id, contact.id, sent.files]);
    const write = { tx, outbox, links, caller: contactCaller(visitor, contact, options) };
    const owner = { ...visitor, session: { id: session.id, contactId: contact.id, identity: session.identity } };
    const stored = await store(write, owner, sent).catch((error: unknown) => {
      throw isWrongFile(error)
        ? invalid({ files: ["files must name files of this visitor that were not sent yet."] })
        : error;
    });
    await tx.query(recordSent, [workspaceId, session.id, sent.id, stored.conversation_id, stored.id]);
    const message = await findSentMessage(tx, workspaceId, session.id, sent.id);
    if (!message) throw new Error("A message that was stored for a visitor was not found.");
    return { message, sessionId: session.id, contactId: contact.id, conversationId: stored.conversation_id };
  };
  return db.transaction(work, { workspaceId });
}

/** The text was validated before: only what the files are is left to go wrong. */
const isWrongFile = (error: unknown): boolean => error instanceof Fault && error.code === "VALIDATION_ERROR";

async function store(write: AttachContext & { tx: Tx }, visitor: Visitor, sent: SentMessage): Promise<MessageRecord> {
  const { conversation, body, files, page } = sent;
  const message = { direction: "in" as const, body, attachments: files.map((file_id) => ({ file_id })) };
  if (conversation !== null) {
    const id = await findOwnConversation(write.tx, visitor, { uuid: conversation });
    return createMessage(write, { id }, message);
  }
  const opened = await createConversation(write, {
    contact_id: visitor.session?.contactId ?? 0,
    channel: "widget",
    widget_id: visitor.widget.id,
    page,
    message,
  });
  return opened.message as MessageRecord;
}

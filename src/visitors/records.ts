import { timestampSql } from "../db/timestamp-sql.ts";
import type { FileLinks } from "../files/links.ts";

/** A message as its visitor sees it: public, with names and without ids of people. */
export interface VisitorMessage {
  id: string;
  client_id: string | null;
  conversation: string;
  seq: number;
  direction: "in" | "out";
  sender_name: string | null;
  body: string;
  attachments: VisitorAttachment[];
  created_at: string;
  updated_at: string;
}

interface VisitorAttachment {
  name: string | null;
  content_type: string | null;
  size_bytes: number | null;
  url: string;
}

export interface VisitorConversation {
  id: string;
  last_message: VisitorMessage | null;
  unread_count: number;
  contact_read_seq: number;
  agent_read_seq: number;
  created_at: string;
  last_activity_at: string;
}

/** The message `m` of the conversation `c` as JSON. The name of an API key is for colleagues, not for visitors. */
export const visitorMessageSql = (m: string, c: string): string => `json_build_object(
       'id', ${m}.uuid,
       'client_id', (
         select sent.client_id
         from visitor_messages sent
         where sent.workspace_id = ${m}.workspace_id
           and sent.message_id = ${m}.id
         limit 1),
       'conversation', ${c}.uuid,
       'seq', ${m}.seq,
       'direction', ${m}.direction,
       'sender_name', case when ${m}.sender_type in ('contact', 'user', 'bot') then ${m}.sender_name end,
       'body', ${m}.body,
       'attachments', ${m}.attachments,
       'created_at', ${timestampSql(`${m}.created_at`)},
       'updated_at', ${timestampSql(`${m}.updated_at`)})`;

const UNREAD_COUNT_MAX = 100;

/** The conversation `c` as its visitor sees it, as JSON. */
export const visitorConversationSql = (c: string): string => `json_build_object(
       'id', ${c}.uuid,
       'last_message', (
         select ${visitorMessageSql("m", c)}
         from messages m
         where m.workspace_id = ${c}.workspace_id
           and m.conversation_id = ${c}.id
           and not m.private
         order by m.seq desc
         limit 1),
       'unread_count', (
         select count(*)
         from (
           select
           from messages m
           where m.workspace_id = ${c}.workspace_id
             and m.conversation_id = ${c}.id
             and m.seq > ${c}.contact_read_seq
             and m.direction = 'out'
             and not m.private
           limit ${UNREAD_COUNT_MAX}) unread),
       'contact_read_seq', ${c}.contact_read_seq,
       'agent_read_seq', (
         select coalesce(max(held.read_seq), 0)
         from conversation_reads held
         where held.workspace_id = ${c}.workspace_id
           and held.conversation_id = ${c}.id),
       'created_at', ${timestampSql(`${c}.created_at`)},
       'last_activity_at', ${timestampSql(`coalesce(${c}.last_message_at, ${c}.created_at)`)})`;

type Stored = VisitorAttachment & { file_id?: number };

/** With links that are valid now, and without what only colleagues see of an attachment. */
export const withVisitorLinks = (links: FileLinks, message: VisitorMessage): VisitorMessage => ({
  ...message,
  attachments: (message.attachments as Stored[]).map(({ file_id, name, content_type, size_bytes, url }) => ({
    name,
    content_type,
    size_bytes,
    url: file_id === undefined ? url : links.renewForResponse(url),
  })),
});

export const withVisitorLinksOfLast = (links: FileLinks, conversation: VisitorConversation): VisitorConversation => ({
  ...conversation,
  last_message: conversation.last_message && withVisitorLinks(links, conversation.last_message),
});

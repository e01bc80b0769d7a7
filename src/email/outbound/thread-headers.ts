import type { MessageRecord } from "../../resources/conversations.ts";
import { oneLine } from "./mime.ts";

const REFERENCES_MAX = 20;
const SUBJECT_CHARS_MAX = 500;
const REPLY = /^\s*(re|aw|antw|sv|vs|ref|odp|res)(\[\d+\])?\s*:/i;

/** The thread as mail programs follow it: the mail that is replied to, and what it refers to itself (RFC 5322, 3.6.4). */
export function threadOf(parent: MessageRecord["email"]): { inReplyTo: string | null; references: string[] } {
  const inReplyTo = parent?.message_id ?? null;
  if (!parent || inReplyTo === null || !isId(inReplyTo)) return { inReplyTo: null, references: [] };
  const earlier = parent.references.length > 0 ? parent.references : parent.in_reply_to ? [parent.in_reply_to] : [];
  const known = [...new Set([...earlier.filter((id) => id !== inReplyTo && isId(id)), inReplyTo])];
  // The first one begins the thread: of a long one those in the middle are left out.
  const references = known.length > REFERENCES_MAX ? [known[0] as string, ...known.slice(1 - REFERENCES_MAX)] : known;
  return { inReplyTo, references };
}

const isId = (id: string): boolean => /^[^\s<>]{1,900}$/.test(id);

interface About {
  parent: MessageRecord["email"];
  /** The subject of the conversation. */
  conversation: string | null;
  mailbox: { name: string; from_name: string | null };
}

/** Mail programs join mails whose subjects differ by nothing but "Re:". */
export function subjectOf(given: string | null, { parent, conversation, mailbox }: About): string {
  const fallback = `Message from ${mailbox.from_name ?? mailbox.name}`;
  if (given !== null && given.trim() !== "") return oneLine(given).slice(0, SUBJECT_CHARS_MAX);
  const subject = oneLine(parent?.subject ?? conversation ?? "").slice(0, SUBJECT_CHARS_MAX);
  if (!parent) return subject || fallback;
  return REPLY.test(subject) ? subject : `Re: ${subject || fallback}`;
}

import type { Conversation, Message } from "@parley/client";
import { plainText } from "../../../../src/rich-text/plain-text.ts";
import { decimals } from "../../lib/format.ts";
import { language } from "../../lib/language.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { t } from "../../lib/texts.ts";

export const contactName = ({ contact }: Pick<Conversation, "contact">): string =>
  contact.name || contact.email || contact.phone || contact.external_id || t("Contact {id}", { id: contact.id });

/** A chat has no subject: it is called by who it is with, which stays the same while both write. */
export const titleOf = (conversation: Pick<Conversation, "subject" | "contact">): string =>
  conversation.subject || contactName(conversation);

/** Among the conversations of one contact. */
export const gistOf = (conversation: Pick<Conversation, "id" | "subject" | "last_message">): string =>
  conversation.subject || firstLine(conversation) || t("Conversation {id}", { id: conversation.id });

/** Of the last message, without the signs of an agent's Markdown. */
function firstLine({ last_message: last }: Pick<Conversation, "last_message">): string {
  const line = last?.body.split("\n")[0] ?? "";
  return (last?.direction === "out" ? plainText(line) : line).slice(0, 80);
}

/** What a row shows of the last message: who wrote it, unless it was the contact, and how it begins. */
export function excerptOf({ last_message: last }: Pick<Conversation, "last_message">, userId: number): string {
  if (!last) return t("No messages");
  // Without text it consists of files; how many is in the conversation.
  const text = last.body.trim() ? last.body : t("Files");
  if (last.direction === "in") return text;
  const isMine = last.sender.type === "user" && last.sender.id === userId;
  const by = isMine ? t("You") : (last.sender.name?.split(" ")[0] ?? t("Team"));
  return t("{who}: {text}", { who: last.private ? t("Note") : by, text: plainText(text) });
}

/** `contact`: of the conversation; who has no name is called there as everywhere else. */
export function senderName({ sender }: Pick<Message, "sender">, contact: Conversation["contact"]): string {
  if (sender.name) return sender.name;
  if (sender.type === "contact" && sender.id === contact.id) return contactName({ contact });
  return sender.type === "contact"
    ? t("Contact")
    : sender.type === "system"
      ? t("System")
      : `${sender.type} ${sender.id ?? ""}`;
}

/** One of eight hues, always the same for the same name. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return hash % 8;
}

export const initialsOf = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("") || "?";

// Not `hour12: false`, which calls the minute after midnight 24:01.
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat(language, { weekday: "short" });
const monthDay = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const fullDay = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export const clockTime = (at: string): string => clock.format(new Date(at));

/** Short enough for a row: the time today, the weekday this week, else the date. */
export function shortTime(at: string, now = serverNow()): string {
  const date = new Date(at);
  const days = (startOfDay(now).getTime() - startOfDay(date).getTime()) / 86_400_000;
  if (days < 1) return clock.format(date);
  return days < 7 ? weekday.format(date) : monthDay.format(date);
}

/** When a snooze ends: the time today, the weekday within a week, else the date. */
export function wakeTime(at: string, now = serverNow()): string {
  const date = new Date(at);
  const days = (startOfDay(date).getTime() - startOfDay(now).getTime()) / 86_400_000;
  if (days < 1) return clock.format(date);
  return days < 7 ? weekday.format(date) : monthDay.format(date);
}

export function dayTitle(at: string, now = serverNow()): string {
  const days = Math.round((startOfDay(now).getTime() - startOfDay(new Date(at)).getTime()) / 86_400_000);
  if (days === 0) return t("Today");
  return days === 1 ? t("Yesterday") : fullDay.format(new Date(at));
}

export const dayKey = (at: string): string => new Date(at).toDateString();

function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`;
  return `${decimals(bytes / 1024 / 1024, 1)} MB`;
}

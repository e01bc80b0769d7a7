import type { Event } from "@parley/client";
import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/texts.ts";

/** One line of the thread: who changed the status or the assignee, and when. */
export interface Activity {
  id: string;
  at: string;
  text: string;
  /** The newest message when it happened, 0 for none; undefined where the event does not say. */
  afterSeq?: number;
}

interface ConversationData {
  status: "open" | "pending" | "snoozed" | "resolved";
  snoozed_until: string | null;
  assignee: { id: number; name: string } | null;
  last_message?: { seq: number } | null;
}

const until = new Intl.DateTimeFormat(language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The changes among the events of a conversation, oldest first. Messages are in the thread themselves. */
export function activitiesOf(events: readonly Event[]): Activity[] {
  return events
    .flatMap((event) => {
      const text = sentenceOf(event);
      if (text === null) return [];
      const { last_message: last } = event.data as unknown as ConversationData;
      return [{ id: event.id, at: event.timestamp, text, ...(last === undefined ? {} : { afterSeq: last?.seq ?? 0 }) }];
    })
    .reverse();
}

function sentenceOf({ type, data, actor }: Event): string | null {
  const conversation = data as unknown as ConversationData;
  const who =
    actor.name ??
    { contact: t("The contact"), user: t("A member"), api_key: t("A key"), bot: t("A bot"), system: "Parley" }[
      actor.type
    ];
  if (type === "conversation.assigned") {
    const { assignee } = conversation;
    if (assignee === null) return t("{who} removed the assignee", { who });
    const isOwn = actor.type === "user" && actor.id === assignee.id;
    return isOwn
      ? t("{who} took this conversation", { who })
      : t("{who} assigned this to {name}", { who, name: assignee.name });
  }
  return type === "conversation.status_changed" ? statusSentence(conversation, who, actor.type) : null;
}

function statusSentence(
  { status, snoozed_until }: ConversationData,
  who: string,
  actor: Event["actor"]["type"],
): string {
  if (status === "resolved") return t("{who} resolved this", { who });
  if (status === "pending") return t("{who} set this to pending", { who });
  if (status === "snoozed")
    return snoozed_until
      ? t("{who} snoozed this until {time}", { who, time: until.format(new Date(snoozed_until)) })
      : t("{who} snoozed this until the contact writes", { who });
  if (actor === "contact") return t("Reopened: {who} wrote again", { who });
  return actor === "system" ? t("The snooze ended") : t("{who} opened this again", { who });
}

import type { Event } from "@parley/client";

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

const until = new Intl.DateTimeFormat("en", {
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
    { contact: "The contact", user: "A member", api_key: "A key", bot: "A bot", system: "Parley" }[actor.type];
  if (type === "conversation.assigned") {
    const { assignee } = conversation;
    if (assignee === null) return `${who} removed the assignee`;
    const isOwn = actor.type === "user" && actor.id === assignee.id;
    return isOwn ? `${who} took this conversation` : `${who} assigned this to ${assignee.name}`;
  }
  return type === "conversation.status_changed" ? statusSentence(conversation, who, actor.type) : null;
}

function statusSentence(
  { status, snoozed_until }: ConversationData,
  who: string,
  actor: Event["actor"]["type"],
): string {
  if (status === "resolved") return `${who} resolved this`;
  if (status === "pending") return `${who} set this to pending`;
  if (status === "snoozed")
    return `${who} snoozed this ${snoozed_until ? `until ${until.format(new Date(snoozed_until))}` : "until the contact writes"}`;
  if (actor === "contact") return `Reopened: ${who} wrote again`;
  return actor === "system" ? "The snooze ended" : `${who} opened this again`;
}

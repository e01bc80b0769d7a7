import type { Message } from "@parley/client";
import type { Activity } from "./activity.ts";

export type ThreadEntry = { at: string; message: Message } | { at: string; activity: Activity };

/**
 * Messages and changes in the order in which they happened; both lists are in their own order already. Times are in whole
 * seconds, so what decides is the newest message that a change knew of. Changes from before the oldest message that is loaded
 * wait for their messages.
 */
export function entriesOf(
  messages: readonly Message[],
  activities: readonly Activity[],
  { isWhole }: { isWhole: boolean },
): ThreadEntry[] {
  const [oldest] = messages;
  const shown = isWhole ? activities : activities.filter((one) => oldest !== undefined && !isBefore(one, oldest));
  const entries: ThreadEntry[] = [];
  let next = 0;
  for (const message of messages) {
    for (let one = shown[next]; one && isBefore(one, message); one = shown[++next])
      entries.push({ at: one.at, activity: one });
    entries.push({ at: message.created_at, message });
  }
  return [...entries, ...shown.slice(next).map((activity) => ({ at: activity.at, activity }))];
}

const isBefore = ({ afterSeq, at }: Activity, message: Message): boolean =>
  afterSeq === undefined ? Date.parse(at) < Date.parse(message.created_at) : afterSeq < message.seq;

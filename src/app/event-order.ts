import type { Notifications } from "../db/notifications.ts";
import type { EventTail } from "../events/event-tail.ts";
import type { Sequencer } from "../events/sequencer.ts";

const EVENT_CHANNEL = "parley_events";
/** Events were appended by a process that assigns no positions. */
const APPENDED = "appended";
/** Events have their positions and can be read. */
const SEQUENCED = "sequenced";

/** Wakes the streams of the other nodes when this one has assigned positions, and ours when another one has. */
export function shareEventOrder(
  notifications: Notifications,
  { sequencer, tail }: { sequencer: Sequencer; tail: EventTail },
  nodes: () => number,
): void {
  const channel = notifications.open(EVENT_CHANNEL, (messages) => {
    if (messages === null || messages.includes(APPENDED)) sequencer.wake();
    if (messages === null || messages.includes(SEQUENCED)) tail.readNow();
  });
  sequencer.onSequenced(() => {
    if (nodes() > 1) channel.publish(SEQUENCED);
  });
}

/** For a process without streams: says that it has appended events, so that a node assigns their positions at once. */
export function announceAppended(notifications: Notifications): () => void {
  const channel = notifications.open(EVENT_CHANNEL, () => {});
  return () => channel.publish(APPENDED);
}

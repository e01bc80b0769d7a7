import type { DeliveryLog } from "@parley/client";

/** An event with its attempts so far: the newest one has the state of the delivery. */
interface EventGroup {
  newest: DeliveryLog;
  attempts: number;
}

/** Attempts, newest first, as one entry per event at the position of its newest attempt. */
export function groupByEvent(logs: readonly DeliveryLog[]): EventGroup[] {
  const groups = new Map<string, EventGroup & { seen: number }>();
  for (const log of logs) {
    const group = groups.get(log.event_id);
    if (!group) groups.set(log.event_id, { newest: log, seen: 1, attempts: log.attempt });
    else {
      group.seen++;
      // A redelivery counts its attempts from one again.
      group.attempts = Math.max(group.attempts, group.seen);
    }
  }
  return [...groups.values()];
}

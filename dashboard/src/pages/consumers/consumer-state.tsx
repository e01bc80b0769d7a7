import type { Consumer } from "../../api/consumers.ts";
import { Badge } from "../../components/badge.tsx";
import { formatCount, plural } from "../../lib/format.ts";
import { serverNow } from "../../lib/server-clock.ts";

/** As the alert by default: events that wait longer than this are late. */
const LATE_MS = 3_600_000;

export function ConsumerState({ consumer: { missed, lag, last_read_at } }: { consumer: Consumer }) {
  if (missed) return <Badge tone="danger">Missed events</Badge>;
  if (lag.oldest_at && serverNow().getTime() - Date.parse(lag.oldest_at) > LATE_MS)
    return <Badge tone="warning">Behind</Badge>;
  if (last_read_at === null) return <Badge>Not read yet</Badge>;
  return <Badge tone="success">Reading</Badge>;
}

/** `214 events`, `at least 10,000 events`, `Nothing`. */
export function lagText({ lag: { events, complete } }: Consumer): string {
  if (events === 0) return complete ? "Nothing" : "Nothing among the next 10,000 events";
  return complete ? plural(events, "event") : `at least ${formatCount(events)} ${events === 1 ? "event" : "events"}`;
}

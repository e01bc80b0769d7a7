import type { Consumer } from "../../../api/consumers.ts";
import { Badge } from "../../../components/badge.tsx";
import { serverNow } from "../../../lib/server-clock.ts";
import { plural, t } from "../../../lib/texts.ts";

/** As the alert by default: events that wait longer than this are late. */
const LATE_MS = 3_600_000;

export function ConsumerState({ consumer: { missed, lag, last_read_at } }: { consumer: Consumer }) {
  if (missed) return <Badge tone="danger">{t("Missed events")}</Badge>;
  if (lag.oldest_at && serverNow().getTime() - Date.parse(lag.oldest_at) > LATE_MS)
    return <Badge tone="warning">{t("Behind")}</Badge>;
  if (last_read_at === null) return <Badge>{t("Not read yet")}</Badge>;
  return <Badge tone="success">{t("Reading")}</Badge>;
}

/** `214 events`, `at least 10,000 events`, `Nothing`. */
export function lagText({ lag: { events, complete } }: Consumer): string {
  if (events === 0) return complete ? t("Nothing") : t("Nothing so far, not all were looked at");
  return complete
    ? plural(events, "{n} event", "{n} events")
    : plural(events, "at least {n} event", "at least {n} events");
}

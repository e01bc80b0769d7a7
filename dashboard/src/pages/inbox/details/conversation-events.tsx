import { Link } from "wouter";
import { useConversationEvents, useEventOutcomes } from "../../../api/events.ts";
import { Time } from "../../../components/time.tsx";
import { t } from "../../../lib/texts.ts";
import { Outcome } from "../../events/outcome.tsx";
import css from "./context.module.css";

const SHOWN = 8;

/** What this conversation caused, and whether your webhooks got it. For those who may see webhooks. */
export function ConversationEvents({ id }: { id: number }) {
  const events = useConversationEvents(id, { limit: SHOWN }).data ?? [];
  const outcomes = useEventOutcomes(
    events.map((event) => event.id),
    { enabled: true },
  ).data;
  if (events.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="conversation-events">
      <h3 id="conversation-events">{t("Events")}</h3>
      <ul className={css.events}>
        {events.map((event) => (
          <li key={event.id}>
            <Link href={`/events?conversation=${id}&event=${event.id}`}>{event.type}</Link>
            <Outcome outcome={outcomes?.get(event.id)} />
            <small>
              <Time at={event.timestamp} />
            </small>
          </li>
        ))}
      </ul>
      <Link href={`/events?conversation=${id}`} className={css.muted}>
        {t("All events of this conversation")}
      </Link>
    </section>
  );
}

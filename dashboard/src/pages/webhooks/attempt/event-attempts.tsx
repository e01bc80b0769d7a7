import { Link, useLocation, useSearch } from "wouter";
import { type EventDelivery, useEvent } from "../../../api/events.ts";
import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { Badge } from "../../../components/badge.tsx";
import { useSaid } from "../../../components/said.tsx";
import { cx } from "../../../lib/cx.ts";
import { asSentence, formatDuration, formatLogTime, outcomeOf } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import css from "./attempt.module.css";

/** All attempts to send the same event to this webhook; a test with example data belongs to no event and has one. */
export function EventAttempts({ webhook, attempt }: { webhook: Webhook; attempt: DeliveryLogDetail }) {
  const event = useEvent(attempt.event_id);
  const log = event.data?.deliveries.find(({ webhook_id }) => webhook_id === webhook.id)?.log ?? [];
  if (log.length < 2) return null;
  return (
    <section className={css.part} aria-labelledby="event-attempts">
      <h3 id="event-attempts">{t("{n} attempts for this event", { n: log.length })}</h3>
      <ol className={css.attempts}>
        {log.map((one) => (
          <AttemptRow key={one.id} one={one} current={one.id === attempt.id} />
        ))}
      </ol>
    </section>
  );
}

function AttemptRow({ one, current }: { one: EventDelivery["log"][number]; current: boolean }) {
  const said = useSaid();
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  search.set("attempt", String(one.id));
  const at = new Date(one.created_at);
  const { day, clock } = formatLogTime(at);
  return (
    <li className={cx(current && css.current)}>
      <Badge tone={one.status === "success" ? "success" : "danger"}>{outcomeOf(one.response_code)}</Badge>
      <Link href={`${path}?${search}`} replace aria-current={current ? "true" : undefined}>
        {t("Attempt {attempt}", { attempt: one.attempt })}
      </Link>
      <span className={css.attemptError} title={one.error_message === null ? undefined : said(one.error_message)}>
        {asSentence(one.error_message === null ? t("Delivered") : said(one.error_message))}
      </span>
      <span className={css.muted}>{formatDuration(one.response_time_ms)}</span>
      <time className={css.muted} dateTime={one.created_at} title={formatExact(at)}>
        {`${day} ${clock}`.trim()}
      </time>
    </li>
  );
}

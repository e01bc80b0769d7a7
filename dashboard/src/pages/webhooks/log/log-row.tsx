import { type KeyboardEvent, memo } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { DeliveryLog } from "../../../api/webhook-logs.ts";
import { Badge } from "../../../components/badge.tsx";
import { useSaid } from "../../../components/said.tsx";
import { Skeleton } from "../../../components/states.tsx";
import { asSentence, formatDuration, formatLogTime, outcomeOf } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import css from "./log.module.css";

interface LogRowProps {
  log: DeliveryLog | undefined;
  /** How many attempts the row represents, if it represents an event. */
  attempts?: number;
  index: number;
  total: number;
  height: number;
}

/** One attempt, or an event with its newest one. Its link covers the row and opens the attempt next to the log. */
export const LogRow = memo(({ log, attempts, index, total, height }: LogRowProps) => (
  <li
    aria-setsize={total}
    aria-posinset={index + 1}
    className={css.row}
    style={{ height, transform: `translateY(${index * height}px)` }}
    data-log={log?.id}
  >
    {log ? <Cells log={log} attempts={attempts} /> : <Waiting />}
  </li>
));

function Cells({ log, attempts }: { log: DeliveryLog; attempts: number | undefined }) {
  const said = useSaid();
  const delivered = log.status === "success";
  const { day, clock } = formatLogTime(new Date(log.created_at));
  return (
    <>
      <span className={css.response}>
        <Badge tone={delivered ? "success" : "danger"}>{outcomeOf(log.response_code)}</Badge>
      </span>
      <span className={css.event}>
        <AttemptLink log={log} />
      </span>
      <span className={css.result} title={log.error_message === null ? undefined : said(log.error_message)}>
        {delivered ? t("Delivered") : resultOf(log, said)}
      </span>
      <span className={css.attempt}>
        <span className="visually-hidden">{attempts === undefined ? t("Attempt ") : t("Attempts: ")}</span>
        {attempts ?? log.attempt}
      </span>
      <span className={css.took}>{formatDuration(log.response_time_ms)}</span>
      <span className={css.time}>
        <time dateTime={log.created_at} title={formatExact(new Date(log.created_at))}>
          {day !== "" && <span className={css.day}>{day} </span>}
          {clock}
        </time>
      </span>
    </>
  );
}

/** Keeps the filters in the address, so that closing the attempt leads back to the same log. */
function AttemptLink({ log }: { log: DeliveryLog }) {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  search.set("attempt", String(log.id));
  return (
    <Link href={`${path}?${search}`} onKeyDown={moveFocus}>
      {log.event_type}
    </Link>
  );
}

/** The arrow keys go from row to row, as the tab key does. */
function moveFocus(event: KeyboardEvent<HTMLAnchorElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const row = event.currentTarget.closest("li");
  if (step === 0 || !row) return;
  const position = Number(row.ariaPosInSet) + step;
  const link = row.parentElement?.querySelector<HTMLElement>(`[aria-posinset="${position}"] a`);
  if (!link) return;
  event.preventDefault();
  link.focus();
}

/** A test is sent once and has no retries. */
function resultOf(log: DeliveryLog, said: (message: string) => string): string {
  const failure = asSentence(log.error_message === null ? t("Failed") : said(log.error_message));
  if (log.next_attempt_at === null)
    return log.event_type === "webhook.test" ? failure : t("{failure} · no more retries", { failure });
  return new Date(log.next_attempt_at) > new Date() ? t("{failure} · will be retried", { failure }) : failure;
}

const Waiting = () => (
  <>
    <span className={css.response}>
      <Skeleton width={36} />
    </span>
    <span className={css.event}>
      <Skeleton width={140} />
    </span>
  </>
);

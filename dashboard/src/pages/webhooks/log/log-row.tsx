import { memo } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { DeliveryLog } from "../../../api/schema.ts";
import { Badge } from "../../../components/badge.tsx";
import { Skeleton } from "../../../components/states.tsx";
import { formatExact } from "../../../lib/time.ts";
import { formatDuration, formatLogTime, outcomeOf } from "../words.ts";
import css from "./log.module.css";

interface LogRowProps {
  log: DeliveryLog | undefined;
  index: number;
  height: number;
}

/** One attempt. Its link covers the row and opens the attempt beside the log. */
export const LogRow = memo(({ log, index, height }: LogRowProps) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    className={css.row}
    style={{ height, transform: `translateY(${index * height}px)` }}
    data-log={log?.id}
  >
    {log ? <Cells log={log} /> : <Waiting />}
  </div>
));

function Cells({ log }: { log: DeliveryLog }) {
  const delivered = log.status === "success";
  const { day, clock } = formatLogTime(new Date(log.created_at));
  return (
    <>
      <span role="cell" className={css.answer}>
        <Badge tone={delivered ? "success" : "danger"}>{outcomeOf(log.response_code)}</Badge>
      </span>
      <span role="cell" className={css.event}>
        <AttemptLink log={log} />
      </span>
      <span role="cell" className={css.result} title={log.error_message ?? undefined}>
        {delivered ? "Delivered" : resultOf(log)}
      </span>
      <span role="cell" className={css.attempt}>
        <span className="visually-hidden">Attempt </span>
        {log.attempt}
      </span>
      <span role="cell" className={css.took}>
        {formatDuration(log.response_time_ms)}
      </span>
      <span role="cell" className={css.time}>
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
  return <Link href={`${path}?${search}`}>{log.event_type}</Link>;
}

const resultOf = (log: DeliveryLog): string =>
  log.next_attempt_at === null ? `${log.error_message ?? "Failed"} · gave up` : (log.error_message ?? "Failed");

const Waiting = () => (
  <>
    <span role="cell" className={css.answer}>
      <Skeleton width={36} />
    </span>
    <span role="cell" className={css.event}>
      <Skeleton width={140} />
    </span>
  </>
);

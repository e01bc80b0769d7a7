import { useEffect, useRef } from "react";
import { Notice } from "../../../components/notice.tsx";
import css from "./log.module.css";
import { LogRow } from "./log-row.tsx";
import { type useLog, useLogRows } from "./use-log.ts";
import { useRowHeight, useWindowRows } from "./use-window-rows.ts";

const COLUMNS = ["Response", "Event", "Result", "Attempt", "Took", "Time"];

/** Draws only the rows in view; the page scrolls as if all were there. */
export function LogTable({ log }: { log: ReturnType<typeof useLog> }) {
  const body = useRef<HTMLUListElement>(null);
  const height = useRowHeight(2.75, 4.25);
  const total = log.total ?? 0;
  const { first, last, atTop } = useWindowRows(body, total, height);
  const { rowAt, error, retry } = useLogRows(log, first, last);
  const { unseen, showNew } = log;
  // Whoever reads further down must not be moved; at the top new rows come in by themselves.
  useEffect(() => {
    if (atTop && unseen > 0) void showNew();
  }, [atTop, unseen, showNew]);
  return (
    <div>
      <div className={css.head} aria-hidden>
        {COLUMNS.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      {error && (
        <div className={css.pageError}>
          <Notice tone="danger" actions={<RetryButton onRetry={retry} />}>
            {error.message}
          </Notice>
        </div>
      )}
      <ul ref={body} aria-label="Deliveries" className={css.body} style={{ height: total * height }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => {
          const index = first + offset;
          const log = rowAt(index);
          return <LogRow key={log?.id ?? `row-${index}`} log={log} index={index} total={total} height={height} />;
        })}
      </ul>
    </div>
  );
}

const RetryButton = ({ onRetry }: { onRetry: () => void }) => (
  <button type="button" className={css.retry} onClick={onRetry}>
    Try again
  </button>
);

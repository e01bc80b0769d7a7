import { useEffect, useMemo, useRef } from "react";
import { t } from "../../../lib/texts.ts";
import css from "./log.module.css";
import type { LogEntry } from "./log-entries.ts";
import { LogHead, LogPageError } from "./log-head.tsx";
import { LogRow } from "./log-row.tsx";
import { type useLog, useLogRows } from "./use-log.ts";
import { useRowHeight, useWindowRows } from "./use-window-rows.ts";

interface LogTableProps {
  log: ReturnType<typeof useLog>;
  onEntries: (entries: readonly LogEntry[]) => void;
}

/** Every attempt. Draws only the rows in view; the page scrolls as if all were there. */
export function LogTable({ log, onEntries }: LogTableProps) {
  const body = useRef<HTMLUListElement>(null);
  const height = useRowHeight(2.75, 4.25);
  const total = log.total ?? 0;
  const { first, last, atTop } = useWindowRows(body, total, height);
  const { rowAt, loaded, error, retry } = useLogRows(log, first, last);
  const { unseen, showNew } = log;
  // A user who reads further down must not be moved; at the top new rows come in by themselves.
  useEffect(() => {
    if (atTop && unseen > 0) void showNew();
  }, [atTop, unseen, showNew]);
  const entries = useMemo(() => loaded.map(({ id, event_id }) => ({ id, eventId: event_id })), [loaded]);
  useEffect(() => onEntries(entries), [entries, onEntries]);
  return (
    <div>
      <LogHead columns={[t("Response"), t("Event"), t("Result"), t("Attempt"), t("Took"), t("Time")]} />
      <LogPageError error={error} onRetry={retry} />
      <ul ref={body} aria-label={t("Deliveries")} className={css.body} style={{ height: total * height }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => {
          const index = first + offset;
          const row = rowAt(index);
          return <LogRow key={row?.id ?? `row-${index}`} log={row} index={index} total={total} height={height} />;
        })}
      </ul>
    </div>
  );
}

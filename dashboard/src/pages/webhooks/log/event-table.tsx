import { useEffect, useMemo, useRef, useState } from "react";
import { SkeletonRows } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { groupByEvent } from "./group-by-event.ts";
import css from "./log.module.css";
import type { LogEntry } from "./log-entries.ts";
import { LogHead, LogPageError } from "./log-head.tsx";
import { LogRow } from "./log-row.tsx";
import { PAGE_ROWS, type useLog, useLogRows } from "./use-log.ts";
import { useRowHeight, useWindowRows } from "./use-window-rows.ts";

/** Rows left below the window when the next page of attempts is asked for. */
const ROWS_AHEAD = 20;

interface EventTableProps {
  log: ReturnType<typeof useLog>;
  onEntries: (entries: readonly LogEntry[]) => void;
}

/** One row per event, with the state of its newest attempt. Older attempts join their event as they are loaded. */
export function EventTable({ log, onEntries }: EventTableProps) {
  const body = useRef<HTMLUListElement>(null);
  const height = useRowHeight(2.75, 4.25);
  const [pages, setPages] = useState(1);
  const attempts = log.total ?? 0;
  const { loaded, error, retry } = useLogRows(log, 0, Math.min(attempts, pages * PAGE_ROWS) - 1);
  const groups = useMemo(() => groupByEvent(loaded), [loaded]);
  const { first, last, atTop } = useWindowRows(body, groups.length, height);
  const { unseen, showNew } = log;
  useEffect(() => {
    if (atTop && unseen > 0) void showNew();
  }, [atTop, unseen, showNew]);
  const complete = loaded.length >= attempts;
  const wanted = Math.min(Math.ceil(attempts / PAGE_ROWS), Math.floor(loaded.length / PAGE_ROWS) + 1);
  useEffect(() => {
    if (!complete && last >= groups.length - ROWS_AHEAD) setPages(wanted);
  }, [complete, last, groups.length, wanted]);
  useEffect(
    () => onEntries(groups.map(({ newest }) => ({ id: newest.id, eventId: newest.event_id }))),
    [groups, onEntries],
  );
  return (
    <div>
      <LogHead columns={[t("Response"), t("Event"), t("Result"), t("Attempts"), t("Took"), t("Time")]} />
      <LogPageError error={error} onRetry={retry} />
      <ul ref={body} aria-label={t("Deliveries")} className={css.body} style={{ height: groups.length * height }}>
        {groups.slice(first, last + 1).map(({ newest, attempts: count }, offset) => (
          <LogRow
            key={newest.event_id}
            log={newest}
            attempts={count}
            index={first + offset}
            total={complete ? groups.length : -1}
            height={height}
          />
        ))}
      </ul>
      {!complete && <SkeletonRows rows={2} />}
    </div>
  );
}

import { ArrowUp, Inbox, ListX } from "lucide-react";
import type { useTestWebhook, Webhook } from "../../../api/webhooks.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/page.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { plural, t } from "../../../lib/texts.ts";
import { TestButton } from "../test-send.tsx";
import { EventTable } from "./event-table.tsx";
import { useLogFilters } from "./filters.ts";
import css from "./log.module.css";
import type { LogEntry } from "./log-entries.ts";
import { LogFilters } from "./log-filters.tsx";
import { LogTable } from "./log-table.tsx";
import { useLog } from "./use-log.ts";

interface DeliveryLogProps {
  webhook: Webhook;
  test: ReturnType<typeof useTestWebhook>;
  /** Receives what the rows open, so that the panel can step from one to the next. */
  onEntries: (entries: readonly LogEntry[]) => void;
}

/** What was sent, newest first, as it happens: by event, or attempt by attempt. */
export function DeliveryLog({ webhook, test, onEntries }: DeliveryLogProps) {
  const filters = useLogFilters();
  const log = useLog(webhook.id, filters.query);
  const Table = filters.values.view === "attempts" ? LogTable : EventTable;
  const showNew = () => {
    void log.showNew();
    document.getElementById("delivery-log")?.scrollIntoView({ block: "start" });
  };
  return (
    <Card>
      <div className={css.tools} id="delivery-log">
        <LogFilters values={filters.values} onChange={filters.change} />
        <p className={css.live}>
          <span className={css.stalled} role="status">
            {log.error ? t("Not connected, retrying") : ""}
          </span>
          {!log.error && log.total !== null && (
            <>
              <span className={css.pulse} aria-hidden />
              {plural(log.all, "Live · {n} attempt", "Live · {n} attempts")}
            </>
          )}
        </p>
      </div>
      {log.unseen > 0 && (
        <div className={css.unseen}>
          <Button size="small" variant="primary" icon={<ArrowUp size={14} aria-hidden />} onClick={showNew}>
            {plural(log.unseen, "{n} new attempt", "{n} new attempts")}
          </Button>
        </div>
      )}
      {log.total === null ? (
        log.error ? (
          <ErrorState error={log.error} onRetry={log.retry} />
        ) : (
          <SkeletonRows rows={8} />
        )
      ) : log.total > 0 ? (
        <Table key={log.key} log={log} onEntries={onEntries} />
      ) : filters.filtered ? (
        <EmptyState
          icon={<ListX size={20} />}
          title={t("No attempt matches")}
          actions={<Button onClick={filters.clear}>{t("Clear the filters")}</Button>}
        >
          {t("New attempts that match appear here.")}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<Inbox size={20} />}
          title={t("Nothing has been sent yet")}
          actions={<TestButton test={test} />}
        >
          {t(
            "As soon as one of its events happens, the attempt appears here with its request and response. Send a test to see the first.",
          )}
        </EmptyState>
      )}
    </Card>
  );
}

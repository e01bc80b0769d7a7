import { ChevronDown, ChevronUp } from "lucide-react";
import { useLocation, useSearch } from "wouter";
import { useAttempt } from "../../../api/webhook-logs.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { IconButton } from "../../../components/button.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { type LogEntry, neighboursOf } from "../log/log-entries.ts";
import css from "./attempt.module.css";
import { AttemptDetail } from "./attempt-detail.tsx";
import { SidePanel } from "./side-panel.tsx";

interface AttemptPanelProps {
  webhook: Webhook;
  /** What the rows of the log open, in their order. */
  entries: readonly LogEntry[];
}

/** Next to the log, at an address of its own: `?attempt=17`. The log keeps its position behind it. */
export function AttemptPanel({ webhook, entries }: AttemptPanelProps) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const id = new URLSearchParams(search).get("attempt");
  const attempt = useAttempt(webhook.id, id ?? "", { enabled: id !== null && id !== "" });
  if (id === null || id === "") return null;
  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete("attempt");
    navigate(rest.size === 0 ? path : `${path}?${rest}`, { replace: true });
  };
  const eventId = attempt.data?.event_id;
  const rowOf = (shown: string) => document.querySelector<HTMLElement>(`[data-log="${CSS.escape(shown)}"] a`);
  const row = () => rowOf(id) ?? rowOf(String(entries.find((entry) => entry.eventId === eventId)?.id ?? ""));
  return (
    <SidePanel
      title={t("Attempt {id}", { id })}
      actions={<Stepper {...neighboursOf(entries, { id: Number(id), eventId })} />}
      onClose={close}
      focusAfter={row}
    >
      <Loader key={id} webhook={webhook} attempt={attempt} />
    </SidePanel>
  );
}

/** To the row above and below, without closing the panel. */
function Stepper({ previous, next }: ReturnType<typeof neighboursOf>) {
  const [path, navigate] = useLocation();
  const go = (entry: LogEntry | null) => {
    const search = new URLSearchParams(window.location.search);
    if (!entry) return;
    search.set("attempt", String(entry.id));
    navigate(`${path}?${search}`, { replace: true });
  };
  return (
    <>
      <IconButton
        label={t("Previous delivery")}
        icon={<ChevronUp size={16} aria-hidden />}
        disabled={!previous}
        onClick={() => go(previous)}
      />
      <IconButton
        label={t("Next delivery")}
        icon={<ChevronDown size={16} aria-hidden />}
        disabled={!next}
        onClick={() => go(next)}
      />
    </>
  );
}

function Loader({ webhook, attempt }: { webhook: Webhook; attempt: ReturnType<typeof useAttempt> }) {
  if (attempt.data) return <AttemptDetail webhook={webhook} attempt={attempt.data} />;
  if (attempt.error) return <ErrorState error={attempt.error} onRetry={() => attempt.refetch()} />;
  return (
    <div className={css.loading} role="status" aria-label={t("Loading")}>
      <Skeleton width="40%" height={20} />
      <Skeleton height={64} />
      <Skeleton height={120} />
      <Skeleton height={200} />
    </div>
  );
}

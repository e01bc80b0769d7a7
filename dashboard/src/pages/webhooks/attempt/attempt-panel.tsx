import { useLocation, useSearch } from "wouter";
import { useAttempt } from "../../../api/webhook-logs.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import css from "./attempt.module.css";
import { AttemptDetail } from "./attempt-detail.tsx";
import { SidePanel } from "./side-panel.tsx";

/** Beside the log, at an address of its own: `?attempt=17`. The log keeps its place behind it. */
export function AttemptPanel({ webhook }: { webhook: Webhook }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const id = new URLSearchParams(search).get("attempt");
  if (id === null || id === "") return null;
  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete("attempt");
    navigate(rest.size === 0 ? path : `${path}?${rest}`, { replace: true });
  };
  const row = () => document.querySelector<HTMLElement>(`[data-log="${CSS.escape(id)}"] a`);
  return (
    <SidePanel title={`Attempt ${id}`} onClose={close} focusAfter={row}>
      <Loader key={id} webhook={webhook} id={id} />
    </SidePanel>
  );
}

function Loader({ webhook, id }: { webhook: Webhook; id: string }) {
  const attempt = useAttempt(webhook.id, id);
  if (attempt.data) return <AttemptDetail webhook={webhook} attempt={attempt.data} />;
  if (attempt.error) return <ErrorState error={attempt.error} onRetry={() => attempt.refetch()} />;
  return (
    <div className={css.loading} role="status" aria-label="Loading">
      <Skeleton width="40%" height={20} />
      <Skeleton height={64} />
      <Skeleton height={120} />
      <Skeleton height={200} />
    </div>
  );
}

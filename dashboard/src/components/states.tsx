import { CircleAlert, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { t } from "../lib/texts.ts";
import { formatWait } from "../lib/time.ts";
import { Button } from "./button.tsx";
import css from "./states.module.css";

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What this is for, and how to begin. */
  children: ReactNode;
  actions?: ReactNode;
}

export const EmptyState = ({ icon, title, children, actions }: EmptyStateProps) => (
  <div className={css.empty}>
    <div className={css.emptyIcon} aria-hidden>
      {icon}
    </div>
    <h2>{title}</h2>
    <div className={css.emptyText}>{children}</div>
    {actions && <div className={css.actions}>{actions}</div>}
  </div>
);

/** What went wrong, what to do, and the request id that is in the log. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { title, advice } = adviceFor(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={css.empty} role="alert">
      <div className={css.emptyIcon} aria-hidden>
        <CircleAlert size={20} />
      </div>
      <h2>{title}</h2>
      <p className={css.emptyText}>{advice}</p>
      {requestId && (
        <p className={css.request}>
          {t("Request")} <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <div className={css.actions}>
          <Button icon={<RefreshCw size={14} aria-hidden />} onClick={onRetry}>
            {t("Try again")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What browsers say about a part of the application that they cannot load. */
const IS_LOADING = /import|preload/i;

function adviceFor(error: Error): { title: string; advice: string } {
  if (!(error instanceof ApiError))
    return IS_LOADING.test(error.message)
      ? { title: t("This page could not be loaded"), advice: t("Check your connection, then try again.") }
      : { title: t("Something went wrong"), advice: t("Reload the page to continue.") };
  if (error.status === 0) return { title: t("The server cannot be reached"), advice: error.message };
  // The view of a list may have been deleted, or is no longer shared.
  if (error.status === 404 || error.details.view)
    return { title: t("Not found"), advice: t("It may have been removed, or it belongs to another workspace.") };
  if (error.status === 403) return { title: t("You do not have access"), advice: error.message };
  if (error.status === 429)
    return {
      title: t("Too many requests"),
      advice: t("The server asks for a pause. Try again in {formatWait}.", {
        formatWait: formatWait(error.retryAfter ?? 1),
      }),
    };
  if (error.status === 503)
    return {
      title: t("The server is not ready"),
      advice: t("It is starting or stopping, or its database is unavailable."),
    };
  return { title: t("Something went wrong"), advice: error.message };
}

export const Skeleton = ({ width = "100%", height }: { width?: string | number; height?: number }) => (
  <span className={css.skeleton} style={{ width, ...(height ? { height } : {}) }} aria-hidden />
);

/** Shown instead of a table or list while it loads. */
export const SkeletonRows = ({ rows = 5 }: { rows?: number }) => (
  <div className={css.rows} role="status" aria-label={t("Loading")}>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <div key={index} className={css.row}>
        <Skeleton width={`${70 - (index % 3) * 15}%`} />
        <Skeleton width="60%" />
        <Skeleton width="40%" />
      </div>
    ))}
  </div>
);

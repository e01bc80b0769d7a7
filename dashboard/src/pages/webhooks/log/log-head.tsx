import type { ApiError } from "../../../api/client.ts";
import { Notice } from "../../../components/notice.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./log.module.css";

export const LogHead = ({ columns }: { columns: readonly string[] }) => (
  <div className={css.head} aria-hidden>
    {columns.map((column) => (
      <span key={column}>{column}</span>
    ))}
  </div>
);

export function LogPageError({ error, onRetry }: { error: ApiError | null; onRetry: () => void }) {
  if (!error) return null;
  const retry = (
    <button type="button" className={css.retry} onClick={onRetry}>
      {t("Try again")}
    </button>
  );
  return (
    <div className={css.pageError}>
      <Notice tone="danger" actions={retry}>
        {error.message}
      </Notice>
    </div>
  );
}

import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { ErrorState } from "./states.tsx";

interface Loading<Data> {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: Loading<Data>;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** A query's content once it is there. A refetch that fails later is a strip above it and never replaces it. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data === undefined)
    return query.error ? <ErrorState error={query.error} onRetry={() => query.refetch()} /> : skeleton;
  return (
    <>
      <StaleStrip query={query} />
      {children(query.data)}
    </>
  );
}

/** Warns that what is shown may be outdated. Renders nothing otherwise. */
export function StaleStrip({ query: { data, error, refetch } }: { query: Loading<unknown> }) {
  if (!error || data === undefined) return null;
  return (
    <div data-stale>
      <Notice
        tone="warning"
        actions={
          <Button size="small" icon={<RefreshCw size={14} aria-hidden />} onClick={() => refetch()}>
            {t("Try again")}
          </Button>
        }
      >
        {t("This could not be updated and may be out of date. {message}", { message: error.message })}
      </Notice>
    </div>
  );
}

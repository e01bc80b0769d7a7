import { useMemo } from "react";
import type { QueryValues } from "../../../api/client.ts";
import { t } from "../../../lib/texts.ts";
import { useSearchState } from "../../../lib/use-search-state.ts";

const HOUR = 3_600_000;

export const SPANS = [
  { value: "", title: t("Any time"), ms: 0 },
  { value: "1h", title: t("Last hour"), ms: HOUR },
  { value: "24h", title: t("Last 24 hours"), ms: 24 * HOUR },
  { value: "7d", title: t("Last 7 days"), ms: 168 * HOUR },
  { value: "range", title: t("From … to …"), ms: 0 },
] as const;

const NAMES = ["view", "status", "event", "time", "from", "to"] as const;
export type LogFilterValues = Record<(typeof NAMES)[number], string>;

/** The log's filters, kept in the address, and as the API wants them. */
export function useLogFilters() {
  const [values, change] = useSearchState(NAMES);
  // A relative span begins when it is chosen: if it moved with the time, each poll would be another query.
  const query = useMemo(() => queryOf(values), [values]);
  const filtered = Object.values(query).some((value) => value !== undefined);
  const clear = () => change({ status: "", event: "", time: "", from: "", to: "" });
  return { values, query, filtered, change, clear };
}

function queryOf({ status, event, time, from, to }: LogFilterValues): QueryValues {
  const span = SPANS.find(({ value }) => value === time)?.ms ?? 0;
  const after = span > 0 ? new Date(Date.now() - span).toISOString() : time === "range" ? instantOf(from) : undefined;
  return {
    status: status === "success" || status === "failed" ? status : undefined,
    event_type: event === "" ? undefined : event,
    created_after: after,
    created_before: time === "range" ? instantOf(to) : undefined,
  };
}

/** The address holds instants, so that a link means the same in another zone. */
function instantOf(text: string): string | undefined {
  const date = new Date(text);
  return text === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

import { useApiKeys, useWorkspaceUsage } from "../../api/api-keys.ts";
import { useConversationCounts } from "../../api/conversations.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page, Section } from "../../components/page.tsx";
import { Skeleton } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { formatCount, formatRate } from "../webhooks/words.ts";
import { Attention } from "./attention.tsx";
import { Checklist, useFirstSteps } from "./checklist.tsx";
import css from "./overview.module.css";
import { RecentEvents } from "./recent-events.tsx";
import { useWebhookTotals } from "./use-webhook-totals.ts";

const RANGES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;
type Range = keyof typeof RANGES;

/** How the workspace is doing, and what needs attention. */
export function OverviewPage() {
  const [values, change] = useSearchState(["range"]);
  const range = values.range in RANGES ? (values.range as Range) : "24h";
  // The parts are shown together: the first steps would push the others down when they arrive.
  const steps = useFirstSteps();
  return (
    <Page
      title="Overview"
      actions={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset of buttons would be announced as a form
        <div className={css.ranges} role="group" aria-label="Period">
          {(Object.keys(RANGES) as Range[]).map((name) => (
            <button
              key={name}
              type="button"
              className={css.range}
              title={RANGES[name]}
              aria-pressed={range === name}
              onClick={() => change({ range: name === "24h" ? "" : name })}
            >
              {name}
            </button>
          ))}
        </div>
      }
    >
      {steps === undefined ? (
        <Skeleton height={320} />
      ) : (
        <>
          {steps && <Checklist steps={steps} />}
          <Tiles range={range} />
          <Attention />
          <RequestsChart range={range} />
          <RecentEvents />
        </>
      )}
    </Page>
  );
}

function Tiles({ range }: { range: Range }) {
  const counts = useConversationCounts().data;
  const usage = useWorkspaceUsage(range).data;
  const keys = useApiKeys().data;
  const deliveries = useWebhookTotals();
  const errors = usage ? usage.totals.errors_4xx + usage.totals.errors_5xx : undefined;
  return (
    <dl className={css.tiles}>
      <Tile name="Open conversations" value={counts?.by_status.open} />
      <Tile name="Waiting for a reply" value={counts?.waiting} />
      <Tile
        name="Deliveries, 24 hours"
        value={deliveries && formatRate(deliveries.successes, deliveries.attempts)}
        note={deliveries && `${formatCount(deliveries.successes)} of ${formatCount(deliveries.attempts)} attempts`}
      />
      <Tile
        name={`API requests, ${RANGES[range]}`}
        value={usage?.totals.requests}
        note={errors === undefined ? undefined : `${formatCount(errors)} errors`}
      />
      <Tile name="Active keys" value={keys?.filter(({ is_active }) => is_active).length} />
    </dl>
  );
}

function Tile({ name, value, note }: { name: string; value: number | string | undefined; note?: string | undefined }) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd>
        <span className={css.value}>
          {value === undefined ? <Skeleton width={48} /> : typeof value === "number" ? formatCount(value) : value}
        </span>
        <span className={css.note}>{note ?? "\u00a0"}</span>
      </dd>
    </div>
  );
}

function RequestsChart({ range }: { range: Range }) {
  const usage = useWorkspaceUsage(range);
  return (
    <Section title="API requests" description="Of all keys, by outcome.">
      <Loaded query={usage} skeleton={<Skeleton height={282} />}>
        {({ bucket, points }) => (
          <BarChart
            label="Requests"
            bucket={bucket}
            times={points.map(({ at }) => at)}
            series={[
              {
                name: "Successful",
                color: "var(--chart-1)",
                values: points.map((point) => point.requests - point.errors_4xx - point.errors_5xx),
              },
              { name: "Refused (4xx)", color: "var(--chart-2)", values: points.map((point) => point.errors_4xx) },
              { name: "Failed (5xx)", color: "var(--chart-3)", values: points.map((point) => point.errors_5xx) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

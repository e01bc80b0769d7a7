import { type UsageRange, useUsage } from "../../api/api-keys.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Skeleton } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import css from "./api-keys.module.css";

const RANGES: Record<UsageRange, string> = { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" };

export function KeyUsage({ keyId }: { keyId: number }) {
  const [values, change] = useSearchState(["range"]);
  const range = values.range in RANGES ? (values.range as UsageRange) : "24h";
  const usage = useUsage(keyId, range);
  return (
    <Section
      title="Usage"
      description="Requests by outcome."
      actions={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset of buttons would be announced as a form
        <div className={css.ranges} role="group" aria-label="Period">
          {(Object.keys(RANGES) as UsageRange[]).map((name) => (
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
              {
                name: "Refused (4xx)",
                color: "var(--chart-2)",
                values: points.map((point) => point.errors_4xx),
              },
              {
                name: "Failed (5xx)",
                color: "var(--chart-3)",
                values: points.map((point) => point.errors_5xx),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

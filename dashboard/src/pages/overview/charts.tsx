import type { Overview } from "../../api/overview.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Section } from "../../components/page.tsx";
import { formatDuration } from "../../lib/format.ts";
import css from "./overview.module.css";

type Point = Overview["points"][number];

/** Messages, deliveries and requests over the period. */
export function Charts({ overview }: { overview: Overview }) {
  const { bucket, points, latency } = overview;
  const times = points.map(({ at }) => at);
  const valuesOf = (of: (point: Point) => number) => points.map(of);
  return (
    <>
      <div className={css.charts}>
        <Section title="Messages" description="From contacts, and public replies to them.">
          <BarChart
            label="Messages"
            bucket={bucket}
            times={times}
            series={[
              { name: "Received", color: "var(--chart-1)", values: valuesOf(({ received }) => received) },
              { name: "Sent", color: "var(--chart-2)", values: valuesOf(({ sent }) => sent) },
            ]}
          />
        </Section>
        <Section title="Deliveries" description={latencyText(latency)}>
          <BarChart
            label="Events"
            bucket={bucket}
            times={times}
            series={[
              { name: "Delivered", color: "var(--chart-1)", values: valuesOf(({ delivered }) => delivered) },
              { name: "Failed", color: "var(--chart-3)", values: valuesOf(({ failed }) => failed) },
            ]}
          />
        </Section>
      </div>
      <Section title="API requests" description="Of all keys, by outcome.">
        <BarChart
          label="Requests"
          bucket={bucket}
          times={times}
          series={[
            {
              name: "Successful",
              color: "var(--chart-1)",
              values: valuesOf((point) => point.requests - point.errors_4xx - point.errors_5xx),
            },
            { name: "Refused (4xx)", color: "var(--chart-2)", values: valuesOf((point) => point.errors_4xx) },
            { name: "Failed (5xx)", color: "var(--chart-3)", values: valuesOf((point) => point.errors_5xx) },
          ]}
        />
      </Section>
    </>
  );
}

/** The figures are bounds of ranges: decimals would claim more than is known. */
const roundDuration = (ms: number): string => (ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : formatDuration(ms));

function latencyText({ p50_ms: half, p95_ms: most }: Overview["latency"]): string {
  if (half === null || most === null) return "Events to your webhooks, by outcome.";
  return `By outcome. Response time: median ${roundDuration(half)}, 95% within ${roundDuration(most)}.`;
}

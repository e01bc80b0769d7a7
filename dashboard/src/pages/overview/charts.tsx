import type { Overview } from "../../api/overview.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Section } from "../../components/page.tsx";
import { formatCount, formatDuration } from "../../lib/format.ts";
import { t } from "../../lib/texts.ts";
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
        <Section title={t("Messages")} description={t("From contacts, and public replies to them.")}>
          <BarChart
            label={t("Messages")}
            bucket={bucket}
            times={times}
            series={[
              { name: t("Received"), color: "var(--chart-1)", values: valuesOf(({ received }) => received) },
              { name: t("Replies"), color: "var(--chart-2)", values: valuesOf(({ sent }) => sent) },
            ]}
          />
        </Section>
        <Section title={t("Deliveries")} description={latencyText(latency)}>
          <BarChart
            label={t("Events")}
            bucket={bucket}
            times={times}
            series={[
              { name: t("Delivered"), color: "var(--chart-1)", values: valuesOf(({ delivered }) => delivered) },
              { name: t("Failed"), color: "var(--chart-3)", values: valuesOf(({ failed }) => failed) },
            ]}
          />
        </Section>
      </div>
      <Section title={t("API requests")} description={t("Of all keys, by outcome.")}>
        <BarChart
          label={t("Requests")}
          bucket={bucket}
          times={times}
          series={[
            {
              name: t("Successful"),
              color: "var(--chart-1)",
              values: valuesOf((point) => point.requests - point.errors_4xx - point.errors_5xx),
            },
            { name: t("Refused (4xx)"), color: "var(--chart-2)", values: valuesOf((point) => point.errors_4xx) },
            { name: t("Failed (5xx)"), color: "var(--chart-3)", values: valuesOf((point) => point.errors_5xx) },
          ]}
        />
      </Section>
    </>
  );
}

/** The figures are bounds of ranges: decimals would claim more than is known. */
const roundDuration = (ms: number): string =>
  ms >= 1_000 ? `${formatCount(Math.round(ms / 100) / 10)} s` : formatDuration(ms);

function latencyText({ p50_ms: half, p95_ms: most }: Overview["latency"]): string {
  if (half === null || most === null) return t("Events to your webhooks, by outcome.");
  return t("By outcome. Response time: median {half}, 95% within {most}.", {
    half: roundDuration(half),
    most: roundDuration(most),
  });
}

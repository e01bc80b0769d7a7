import { type UsageRange, useUsage } from "../../api/api-keys.ts";
import { BarChart } from "../../components/bar-chart.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { RangePicker, useRange } from "../../components/range-picker.tsx";
import { Skeleton } from "../../components/states.tsx";
import { t } from "../../lib/texts.ts";

const RANGES: Record<UsageRange, string> = {
  "24h": t("24 hours"),
  "7d": t("7 days"),
  "30d": t("30 days"),
  "90d": t("90 days"),
};

export function KeyUsage({ keyId }: { keyId: number }) {
  const [range, setRange] = useRange(RANGES, "24h");
  const usage = useUsage(keyId, range);
  return (
    <Section
      title={t("Usage")}
      description={t("Requests by outcome.")}
      actions={<RangePicker ranges={RANGES} range={range} onChange={setRange} />}
    >
      <Loaded query={usage} skeleton={<Skeleton height={282} />}>
        {({ bucket, points }) => (
          <BarChart
            label={t("Requests")}
            bucket={bucket}
            times={points.map(({ at }) => at)}
            series={[
              {
                name: t("Successful"),
                color: "var(--chart-1)",
                values: points.map((point) => point.requests - point.errors_4xx - point.errors_5xx),
              },
              {
                name: t("Refused (4xx)"),
                color: "var(--chart-2)",
                values: points.map((point) => point.errors_4xx),
              },
              {
                name: t("Failed (5xx)"),
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

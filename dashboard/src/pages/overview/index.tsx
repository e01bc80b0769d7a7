import { useFirstSteps } from "../../api/first-steps.ts";
import { type OverviewRange, useOverview } from "../../api/overview.ts";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { RangePicker, useRange } from "../../components/range-picker.tsx";
import { Skeleton } from "../../components/states.tsx";
import { t } from "../../lib/texts.ts";
import { Attention } from "./attention.tsx";
import { Charts } from "./charts.tsx";
import { Checklist } from "./checklist.tsx";
import { RecentEvents } from "./recent-events.tsx";
import { Tiles } from "./tiles.tsx";

const RANGES: Record<OverviewRange, string> = { "24h": t("24 hours"), "7d": t("7 days"), "30d": t("30 days") };

/** How the workspace is doing, and what needs attention. */
export function OverviewPage() {
  const [range, setRange] = useRange(RANGES, "24h");
  // The parts are shown together: whichever arrives late would push down the ones below it.
  const steps = useFirstSteps();
  const overview = useOverview(range);
  return (
    <Page title={t("Overview")} actions={<RangePicker ranges={RANGES} range={range} onChange={setRange} />}>
      {steps.isPending || overview.isPending ? (
        <Skeleton height={320} />
      ) : (
        <>
          {steps.data && <Checklist steps={steps.data} />}
          <Loaded query={overview} skeleton={<Skeleton height={320} />}>
            {(loaded) => (
              <>
                <Tiles overview={loaded} period={RANGES[loaded.range]} />
                <Attention overview={loaded} />
                <Charts overview={loaded} />
              </>
            )}
          </Loaded>
          <RecentEvents />
        </>
      )}
    </Page>
  );
}

import { type OverviewRange, useOverview } from "../../api/overview.ts";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { Attention } from "./attention.tsx";
import { Charts } from "./charts.tsx";
import { Checklist, useFirstSteps } from "./checklist.tsx";
import css from "./overview.module.css";
import { RecentEvents } from "./recent-events.tsx";
import { Tiles } from "./tiles.tsx";

const RANGES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const satisfies Record<OverviewRange, string>;

/** How the workspace is doing, and what needs attention. */
export function OverviewPage() {
  const [values, change] = useSearchState(["range"]);
  const range = values.range in RANGES ? (values.range as OverviewRange) : "24h";
  // The parts are shown together: the first steps would push the others down when they arrive.
  const steps = useFirstSteps();
  const overview = useOverview(range);
  return (
    <Page
      title="Overview"
      actions={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset of buttons would be announced as a form
        <div className={css.ranges} role="group" aria-label="Period">
          {(Object.keys(RANGES) as OverviewRange[]).map((name) => (
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

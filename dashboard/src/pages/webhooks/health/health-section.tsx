import { Link } from "wouter";
import { useHealth, type WebhookHealth, webhookHref } from "../../../api/webhooks.ts";
import { Section } from "../../../components/page.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { asSentence, formatCount, formatRate, outcomeOf, plural } from "../../../lib/format.ts";
import { HealthChart } from "./chart.tsx";
import css from "./health.module.css";

/** The last 24 hours of one webhook. */
export function HealthSection({ webhookId }: { webhookId: number }) {
  const health = useHealth(webhookId);
  return (
    <Section title="Last 24 hours">
      {health.data ? (
        <div className={css.section}>
          <Numbers health={health.data} />
          <HealthChart points={health.data.points} />
        </div>
      ) : health.error ? (
        <ErrorState error={health.error} onRetry={() => health.refetch()} />
      ) : (
        <Skeleton height={140} />
      )}
    </Section>
  );
}

/** By event: one that arrived at its third attempt has arrived. */
function summaryOf({ attempts, delivered, failed, failing_since }: WebhookHealth): string {
  if (attempts === 0) return "Nothing was sent";
  if (delivered + failed === 0) return "Every event is still being retried";
  const ended = `${formatCount(delivered)} of ${plural(delivered + failed, "event")} delivered`;
  return failing_since === null ? ended : `${ended}, failing now`;
}

function Numbers({ health }: { health: WebhookHealth }) {
  const { delivered, failed, attempts, last_failure: failure } = health;
  return (
    <div className={css.numbersColumn}>
      <div>
        <p className={css.big} data-rate>
          {formatRate(delivered, delivered + failed)}
        </p>
        <p className={css.muted} data-counts>
          {summaryOf(health)}
        </p>
        {attempts > 0 && <p className={css.muted}>{plural(attempts, "attempt")} in all</p>}
      </div>
      <div>
        <p className={css.muted}>Last failure</p>
        {failure ? (
          <p>
            <Link href={`${webhookHref(health.webhook_id)}?attempt=${failure.log_id}`}>
              {asSentence(failure.error_message ?? outcomeOf(failure.response_code))}
            </Link>
            <span className={css.muted}>
              {" · "}
              <Time at={failure.at} />
            </span>
          </p>
        ) : (
          <p>None</p>
        )}
      </div>
    </div>
  );
}

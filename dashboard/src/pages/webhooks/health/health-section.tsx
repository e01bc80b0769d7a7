import { Link } from "wouter";
import { useHealth, type WebhookHealth, webhookHref } from "../../../api/webhooks.ts";
import { Section } from "../../../components/page.tsx";
import { useSaid } from "../../../components/said.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { asSentence, formatRate, outcomeOf } from "../../../lib/format.ts";
import { plural, t } from "../../../lib/texts.ts";
import { HealthChart } from "./chart.tsx";
import css from "./health.module.css";
import { triedEvents } from "./tried-events.ts";

/** The last 24 hours of one webhook. */
export function HealthSection({ webhookId }: { webhookId: number }) {
  const health = useHealth(webhookId);
  return (
    <Section title={t("Last 24 hours")}>
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
function summaryOf(health: WebhookHealth): string {
  const { attempts, delivered, failed, failing_since } = health;
  if (attempts === 0) return t("Nothing was sent");
  if (delivered + failed === 0) return t("Every event is still being retried");
  const ended = plural(
    triedEvents(health),
    "{delivered} of {n} event delivered",
    "{delivered} of {n} events delivered",
    {
      delivered,
    },
  );
  return failing_since === null ? ended : t("{ended}, failing now", { ended });
}

function Numbers({ health }: { health: WebhookHealth }) {
  const said = useSaid();
  const { delivered, retrying, attempts, last_failure: failure } = health;
  return (
    <div className={css.numbersColumn}>
      <div>
        <p className={css.big} data-rate>
          {formatRate(delivered, triedEvents(health))}
        </p>
        <p className={css.muted} data-counts>
          {summaryOf(health)}
        </p>
        {retrying > 0 && (
          <p className={css.muted}>{plural(retrying, "{n} is still being retried", "{n} are still being retried")}</p>
        )}
        {attempts > 0 && <p className={css.muted}>{plural(attempts, "{n} attempt in all", "{n} attempts in all")}</p>}
      </div>
      <div>
        <p className={css.muted}>{t("Last failure")}</p>
        {failure ? (
          <p>
            <Link href={`${webhookHref(health.webhook_id)}?attempt=${failure.log_id}`}>
              {asSentence(
                failure.error_message === null ? outcomeOf(failure.response_code) : said(failure.error_message),
              )}
            </Link>
            <span className={css.muted}>
              {" · "}
              <Time at={failure.at} />
            </span>
          </p>
        ) : (
          <p>{t("None")}</p>
        )}
      </div>
    </div>
  );
}

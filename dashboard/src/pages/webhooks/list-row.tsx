import { Link } from "wouter";
import type { Webhook } from "../../api/webhooks.ts";
import { type WebhookHealth, webhookHref } from "../../api/webhooks.ts";
import { useSaid } from "../../components/said.tsx";
import { Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { asSentence, formatRate, outcomeOf } from "../../lib/format.ts";
import { t } from "../../lib/texts.ts";
import healthCss from "./health/health.module.css";
import { Sparkline } from "./health/sparkline.tsx";
import { triedEvents } from "./health/tried-events.ts";
import css from "./list.module.css";
import { StateBadge } from "./state-badge.tsx";

interface ListRowProps {
  webhook: Webhook;
  health: WebhookHealth | undefined;
  healthError: Error | null;
}

export const ListRow = ({ webhook, health, healthError }: ListRowProps) => (
  <tr data-webhook={webhook.id}>
    <td className={css.nameCell}>
      <Link href={webhookHref(webhook.id)}>{webhook.name}</Link>
      <span className={css.url} title={webhook.url}>
        {webhook.url}
      </span>
    </td>
    <td data-label={t("State")}>
      <StateBadge isActive={webhook.is_active} health={health} />
    </td>
    <td data-label={t("Last 24 hours")}>
      {health ? (
        <div className={healthCss.rate}>
          <Sparkline health={health} />
          <span className={healthCss.rateText}>
            {formatRate(health.delivered, triedEvents(health))}
            <small>{sentOf(health)}</small>
          </span>
        </div>
      ) : (
        <Missing failed={healthError !== null} />
      )}
    </td>
    <td data-label={t("Last failure")} className={css.failure}>
      {health ? <LastFailure health={health} /> : <Missing failed={healthError !== null} />}
    </td>
  </tr>
);

/** Counted by event, not by attempt. */
function sentOf(health: WebhookHealth): string {
  const { attempts, delivered, failed, failing_since } = health;
  if (attempts === 0) return t("nothing sent");
  if (delivered + failed === 0) return t("being retried");
  const n = triedEvents(health);
  return failing_since === null ? t("of {n}", { n }) : t("of {n}, failing now", { n });
}

const Missing = ({ failed }: { failed: boolean }) =>
  failed ? <span className={css.muted}>{t("Unknown")}</span> : <Skeleton width={120} />;

function LastFailure({ health: { last_failure: failure } }: { health: WebhookHealth }) {
  const said = useSaid();
  if (!failure) return <span className={css.muted}>{t("None")}</span>;
  const { error_message: message } = failure;
  const reason = asSentence(message === null ? outcomeOf(failure.response_code) : said(message));
  return (
    <span className={css.failureText}>
      <span className={css.reason} title={reason}>
        {reason}
      </span>
      <span className={css.muted}>
        <Time at={failure.at} />
      </span>
    </span>
  );
}

import { type ReactNode, useState } from "react";
import type { Webhook } from "../../api/webhooks.ts";
import { useHealth, useTestWebhook, useWebhook } from "../../api/webhooks.ts";
import { StaleStrip } from "../../components/loaded.tsx";
import { Card, Page } from "../../components/page.tsx";
import { ErrorState, Skeleton, SkeletonRows } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { t } from "../../lib/texts.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import { AttemptPanel } from "./attempt/attempt-panel.tsx";
import css from "./detail.module.css";
import { HealthSection } from "./health/health-section.tsx";
import { DeliveryLog } from "./log/delivery-log.tsx";
import type { LogEntry } from "./log/log-entries.ts";
import { SettingsTab } from "./settings-tab.tsx";
import { StateBadge } from "./state-badge.tsx";
import { StateNotice } from "./state-notice.tsx";
import { TestOutcome } from "./test-send.tsx";
import { WebhookActions } from "./webhook-actions.tsx";

const BACK = { href: "/settings/webhooks", title: t("Webhooks") };

export function WebhookPage({ id }: { id: string }) {
  const webhook = useWebhook(id);
  if (webhook.data) return <LoadedWebhook webhook={webhook.data.record} stale={<StaleStrip query={webhook} />} />;
  return (
    <Page title={t("Webhook")} back={BACK}>
      {webhook.error ? (
        <Card>
          <ErrorState error={webhook.error} onRetry={() => webhook.refetch()} />
        </Card>
      ) : (
        <>
          <Skeleton height={180} />
          <Card>
            <SkeletonRows rows={8} />
          </Card>
        </>
      )}
    </Page>
  );
}

function LoadedWebhook({ webhook, stale }: { webhook: Webhook; stale: ReactNode }) {
  const health = useHealth(webhook.id);
  const test = useTestWebhook(webhook.id);
  const [{ tab }, change] = useSearchState(["tab"]);
  const [entries, setEntries] = useState<readonly LogEntry[]>([]);
  const deliveries = <DeliveryLog webhook={webhook} test={test} onEntries={setEntries} />;
  const failingSince = health.data?.failing_since ?? null;
  return (
    <Page
      title={webhook.name}
      badge={<StateBadge isActive={webhook.is_active} health={health.data} />}
      description={<span className={css.url}>{webhook.url}</span>}
      back={BACK}
      actions={<WebhookActions webhook={webhook} test={test} />}
    >
      {stale}
      <div className={css.notices}>
        <TestOutcome test={test} />
        <StateNotice webhook={webhook} failingSince={failingSince} />
      </div>
      <HealthSection webhookId={webhook.id} />
      <Tabs
        label={t("Webhook")}
        value={tab === "settings" ? "settings" : "deliveries"}
        onChange={(next) => change({ tab: next === "settings" ? next : "" })}
        tabs={[
          { value: "deliveries", title: t("Deliveries"), content: deliveries },
          { value: "settings", title: t("Settings"), content: <SettingsTab webhook={webhook} /> },
        ]}
      />
      <AttemptPanel webhook={webhook} entries={entries} />
    </Page>
  );
}

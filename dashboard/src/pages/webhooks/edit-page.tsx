import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Versioned } from "../../api/client.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { useUpdateWebhook, useWebhook, webhookHref } from "../../api/webhooks.ts";
import { Conflict } from "../../components/conflict.tsx";
import { Card, Page } from "../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { changesBetween, valuesOf } from "./form/form-values.ts";
import { WebhookForm } from "./form/webhook-form.tsx";

export function EditPage({ id }: { id: string }) {
  const webhook = useWebhook(id);
  const [round, setRound] = useState(0);
  const reload = async () => {
    await webhook.refetch();
    setRound(round + 1);
  };
  if (webhook.data) return <Editor key={round} loaded={webhook.data} onReload={reload} />;
  return (
    <Page title={t("Edit webhook")} narrow back={{ href: "/settings/webhooks", title: t("Webhooks") }}>
      <Card>
        {webhook.error ? (
          <ErrorState error={webhook.error} onRetry={() => webhook.refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </Card>
    </Page>
  );
}

/** The version it sends back belongs to the values the form began with. */
function Editor({ loaded, onReload }: { loaded: Versioned<Webhook>; onReload: () => void }) {
  const [{ record: webhook, etag }] = useState(loaded);
  const [initial] = useState(() => valuesOf(webhook));
  const save = useUpdateWebhook(webhook.id);
  const [, navigate] = useLocation();
  // After the guard has seen that it is saved.
  useEffect(() => {
    if (!save.isSuccess) return;
    toast(t("Webhook saved."));
    navigate(webhookHref(webhook.id));
  }, [save.isSuccess, navigate, webhook.id]);
  return (
    <Page
      title={t("Edit {name}", { name: webhook.name })}
      narrow
      back={{ href: webhookHref(webhook.id), title: webhook.name }}
    >
      <WebhookForm
        initial={initial}
        save={t("Save changes")}
        cancelHref={webhookHref(webhook.id)}
        busy={save.isPending}
        saved={save.isSuccess}
        error={save.error}
        conflict={<Conflict what={t("webhook")} onReload={onReload} />}
        onSave={(values) => save.mutate({ body: changesBetween(initial, values), etag })}
      />
    </Page>
  );
}

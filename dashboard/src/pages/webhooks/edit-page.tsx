import { useState } from "react";
import { useLocation } from "wouter";
import type { Versioned } from "../../api/client.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { useUpdateWebhook, useWebhook, webhookHref } from "../../api/webhooks.ts";
import { Card, Page } from "../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { toast } from "../../components/toast.tsx";
import { valuesOf } from "./form/form-values.ts";
import { WebhookForm } from "./form/webhook-form.tsx";

export function EditPage({ id }: { id: string }) {
  const webhook = useWebhook(id);
  if (webhook.data) return <Editor loaded={webhook.data} />;
  return (
    <Page title="Edit webhook" narrow back={{ href: "/settings/webhooks", title: "Webhooks" }}>
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
function Editor({ loaded }: { loaded: Versioned<Webhook> }) {
  const [{ record: webhook, etag }] = useState(loaded);
  const save = useUpdateWebhook(webhook.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast("Webhook saved.");
    navigate(webhookHref(webhook.id));
  };
  return (
    <Page title={`Edit ${webhook.name}`} narrow back={{ href: webhookHref(webhook.id), title: webhook.name }}>
      <WebhookForm
        initial={valuesOf(webhook)}
        save="Save changes"
        cancelHref={webhookHref(webhook.id)}
        busy={save.isPending}
        error={save.error}
        onSave={(body) => save.mutate({ body, etag }, { onSuccess: done })}
      />
    </Page>
  );
}

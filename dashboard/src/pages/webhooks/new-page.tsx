import { useState } from "react";
import type { WebhookWithSecret } from "../../api/webhooks.ts";
import { useCreateWebhook } from "../../api/webhooks.ts";
import { Page } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import { CreatedPage } from "./created-page.tsx";
import { bodyOf, EMPTY_FORM } from "./form/form-values.ts";
import { WebhookForm } from "./form/webhook-form.tsx";

export function NewPage() {
  const create = useCreateWebhook();
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  if (created) return <CreatedPage webhook={created} />;
  return (
    <Page title={t("Create webhook")} narrow back={{ href: "/settings/webhooks", title: t("Webhooks") }}>
      <WebhookForm
        initial={EMPTY_FORM}
        save={t("Create webhook")}
        cancelHref="/settings/webhooks"
        busy={create.isPending}
        error={create.error}
        saved={create.isSuccess}
        onSave={(values) => create.mutate(bodyOf(values), { onSuccess: setCreated })}
      />
    </Page>
  );
}

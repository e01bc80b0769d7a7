import { useEffect, useRef } from "react";
import type { WebhookWithSecret } from "../../api/webhooks.ts";
import { webhookHref } from "../../api/webhooks.ts";
import { LinkButton } from "../../components/button.tsx";
import { SecretText } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page, Section } from "../../components/page.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { SnippetTabs } from "./snippet-tabs.tsx";
import { TestSend } from "./test-send.tsx";

/** Right after creating: the secret, the code that uses it, and a first test. */
export function CreatedPage({ webhook }: { webhook: WebhookWithSecret }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Page
      title={webhook.name}
      narrow
      back={{ href: "/settings/webhooks", title: t("Webhooks") }}
      actions={
        <LinkButton href={webhookHref(webhook.id)} variant="primary">
          {t("Go to the webhook")}
        </LinkButton>
      }
    >
      <div ref={top} tabIndex={-1} role="status">
        <Notice tone="success" title={t("Webhook created")}>
          {rich("From now on events are sent to {url}.", { url: <code>{webhook.url}</code> })}
        </Notice>
      </div>
      <Section
        title={t("Signing secret")}
        description={t("Store it where your server keeps its secrets. You can reveal it again later.")}
      >
        <SecretText secret={webhook.secret} what={t("signing secret")} />
      </Section>
      <Section
        title={t("Verify deliveries")}
        description={t("Verify the raw body, before parsing it. No library is needed.")}
      >
        <SnippetTabs />
      </Section>
      <Section title={t("Try it")} description={t("Sends a webhook.test event to this webhook alone, once.")}>
        <TestSend webhookId={webhook.id} />
      </Section>
    </Page>
  );
}

import type { Webhook } from "../../api/webhooks.ts";
import { webhookHref } from "../../api/webhooks.ts";
import { Chip } from "../../components/badge.tsx";
import { LinkButton } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Facts, Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { plural, t } from "../../lib/texts.ts";
import css from "./detail.module.css";
import { SecretSection } from "./secret-section.tsx";

/** What the webhook is set to, and its secret. */
export const SettingsTab = ({ webhook }: { webhook: Webhook }) => (
  <div className={css.stack}>
    <Section
      title={t("Configuration")}
      actions={
        <LinkButton href={`${webhookHref(webhook.id)}/edit`} size="small">
          {t("Edit")}
        </LinkButton>
      }
    >
      <Facts
        facts={[
          {
            name: t("Retries"),
            value:
              webhook.retry_count === 0
                ? t("None")
                : t("{retry_count} after the first attempt", { retry_count: webhook.retry_count }),
          },
          { name: t("Timeout"), value: plural(webhook.timeout_seconds, "{n} second", "{n} seconds") },
          { name: t("Order"), value: webhook.ordered ? t("Kept within each conversation") : t("Not kept") },
          { name: t("Own events"), value: webhook.skip_own_events ? t("Skipped") : t("Sent as well") },
          {
            name: t("Rate"),
            value:
              webhook.rate_limit === null
                ? t("No limit")
                : t("At most {rate_limit} per second", { rate_limit: webhook.rate_limit }),
          },
          { name: t("Created"), value: <Time at={webhook.created_at} form="day" /> },
          { name: t("Changed"), value: <Time at={webhook.updated_at} /> },
          { name: t("Id"), value: <code>{webhook.id}</code> },
        ]}
      />
      <div>
        <p className={css.hint}>{t("Events")}</p>
        <ul className={css.chips}>
          {webhook.events.map((name) => (
            <li key={name}>
              <Chip>{name}</Chip>
            </li>
          ))}
        </ul>
      </div>
      {webhook.filter !== null && (
        <div>
          <p className={css.hint}>{t("Filter")}</p>
          <CodeBlock code={JSON.stringify(webhook.filter, null, 2)} what={t("filter")} wrap />
        </div>
      )}
      {webhook.template !== null && (
        <div>
          <p className={css.hint}>{t("Template")}</p>
          <CodeBlock code={JSON.stringify(webhook.template, null, 2)} what={t("template")} wrap />
        </div>
      )}
      {webhook.headers.length > 0 && (
        <div>
          <p className={css.hint}>{t("Custom headers")}</p>
          <ul className={css.chips}>
            {webhook.headers.map(({ key }) => (
              <li key={key}>
                <Chip>{key}</Chip>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
    <SecretSection webhookId={webhook.id} />
  </div>
);

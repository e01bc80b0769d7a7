import type { Webhook } from "../../api/webhooks.ts";
import { webhookHref } from "../../api/webhooks.ts";
import { Chip } from "../../components/badge.tsx";
import { LinkButton } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Facts, Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { plural } from "../../lib/format.ts";
import css from "./detail.module.css";
import { SecretSection } from "./secret-section.tsx";

/** What the webhook is set to, and its secret. */
export const SettingsTab = ({ webhook }: { webhook: Webhook }) => (
  <div className={css.stack}>
    <Section
      title="Configuration"
      actions={
        <LinkButton href={`${webhookHref(webhook.id)}/edit`} size="small">
          Edit
        </LinkButton>
      }
    >
      <Facts
        facts={[
          {
            name: "Retries",
            value: webhook.retry_count === 0 ? "None" : `${webhook.retry_count} after the first attempt`,
          },
          { name: "Timeout", value: plural(webhook.timeout_seconds, "second") },
          { name: "Order", value: webhook.ordered ? "Kept within each conversation" : "Not kept" },
          { name: "Own events", value: webhook.skip_own_events ? "Skipped" : "Sent" },
          {
            name: "Rate",
            value: webhook.rate_limit === null ? "No limit" : `At most ${webhook.rate_limit} per second`,
          },
          { name: "Created", value: <Time at={webhook.created_at} form="day" /> },
          { name: "Changed", value: <Time at={webhook.updated_at} /> },
          { name: "Id", value: <code>{webhook.id}</code> },
        ]}
      />
      <div>
        <p className={css.hint}>Events</p>
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
          <p className={css.hint}>Filter</p>
          <CodeBlock code={JSON.stringify(webhook.filter, null, 2)} what="filter" wrap />
        </div>
      )}
      {webhook.template !== null && (
        <div>
          <p className={css.hint}>Template</p>
          <CodeBlock code={JSON.stringify(webhook.template, null, 2)} what="template" wrap />
        </div>
      )}
      {webhook.headers.length > 0 && (
        <div>
          <p className={css.hint}>Custom headers</p>
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

import { RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Consumer, consumerHref, useConsumer } from "../../../api/consumers.ts";
import { Chip } from "../../../components/badge.tsx";
import { Button, LinkButton } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Card, Facts, Page, Section } from "../../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { t } from "../../../lib/texts.ts";
import { ConsumerState, lagText } from "./consumer-state.tsx";
import css from "./consumers.module.css";
import { DeleteDialog, ResetDialog } from "./dialogs.tsx";
import { clientSnippet, commandSnippet, curlSnippet } from "./snippets.ts";

const BACK = { href: "/settings/consumers", title: t("Consumers") };

export function ConsumerPage({ name }: { name: string }) {
  const { data: consumer, error, refetch } = useConsumer(name);
  const [open, setOpen] = useState<"reset" | "delete" | null>(null);
  if (!consumer)
    return (
      <Page title={t("Consumer")} back={BACK}>
        <Card>{error ? <ErrorState error={error} onRetry={() => refetch()} /> : <SkeletonRows rows={6} />}</Card>
      </Page>
    );
  return (
    <Page
      title={name}
      badge={<ConsumerState consumer={consumer} />}
      back={BACK}
      actions={
        <>
          <Button icon={<RotateCcw size={14} aria-hidden />} onClick={() => setOpen("reset")}>
            {t("Reset…")}
          </Button>
          <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => setOpen("delete")}>
            {t("Delete…")}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        <Position consumer={consumer} />
        <Settings consumer={consumer} />
        <ReadIt name={name} />
      </div>
      {open === "reset" && <ResetDialog name={name} onClose={() => setOpen(null)} />}
      {open === "delete" && <DeleteDialog name={name} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const Position = ({ consumer }: { consumer: Consumer }) => (
  <Section title={t("Position")}>
    {consumer.missed && (
      <Notice tone="danger" title={t("It has missed events")}>
        {t(
          "Some were deleted at the end of their retention period before it acknowledged them. Reset it once you know what to do about them.",
        )}
      </Notice>
    )}
    <Facts
      facts={[
        { name: t("Waiting"), value: lagText(consumer) },
        { name: t("Oldest waiting"), value: consumer.lag.oldest_at ? <Time at={consumer.lag.oldest_at} /> : t("None") },
        { name: t("Last read"), value: consumer.last_read_at ? <Time at={consumer.last_read_at} /> : t("Never") },
        { name: t("Created"), value: <Time at={consumer.created_at} form="day" /> },
        { name: t("Cursor"), value: <code className={css.cursor}>{consumer.cursor}</code> },
      ]}
    />
  </Section>
);

const Settings = ({ consumer: { name, types, filter } }: { consumer: Consumer }) => (
  <Section
    title={t("Events")}
    actions={
      <LinkButton href={`${consumerHref(name)}/edit`} size="small">
        {t("Edit")}
      </LinkButton>
    }
  >
    <ul className={css.chips}>
      {(types ?? ["*"]).map((type) => (
        <li key={type}>
          <Chip>{type}</Chip>
        </li>
      ))}
    </ul>
    {filter !== null && <CodeBlock code={JSON.stringify(filter, null, 2)} what={t("filter")} wrap />}
  </Section>
);

const ReadIt = ({ name }: { name: string }) => (
  <Section
    title={t("Read it")}
    description={t("With an API key that has {scope}. A batch that is not acknowledged comes again.", {
      scope: "events:read",
    })}
  >
    <Tabs
      label={t("How to read it")}
      tabs={[
        {
          value: "command",
          title: t("Command"),
          content: <CodeBlock code={commandSnippet(location.origin, name)} what={t("command")} wrap />,
        },
        { value: "client", title: t("JavaScript"), content: <CodeBlock code={clientSnippet(location.origin, name)} /> },
        {
          value: "curl",
          title: "curl",
          content: <CodeBlock code={curlSnippet(location.origin, name)} what={t("curl")} wrap />,
        },
      ]}
    />
    <p className={css.hint}>
      <a href="/docs/guides/exactly-once">{t("Exactly once into your own database")}</a>
    </p>
  </Section>
);

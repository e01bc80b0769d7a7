import { type FormEvent, type ReactNode, useState } from "react";
import { useAlertSettings, useChangeAlertSettings, useSendAlertTest } from "../api/alerts.ts";
import type { AlertSettings } from "../api/dashboard-schema.ts";
import { Button } from "../components/button.tsx";
import { Check, Field, Input } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Section } from "../components/page.tsx";
import { ErrorState, Skeleton } from "../components/states.tsx";
import { toast } from "../components/toast.tsx";
import { t } from "../lib/texts.ts";
import { useUnsavedGuard } from "../lib/unsaved-guard.tsx";
import css from "./forms.module.css";

/** Who is notified when webhooks fail, deliveries are late or keys expire. */
export function AlertsSection() {
  const settings = useAlertSettings();
  return (
    <Section
      title={t("Alerts")}
      description={t(
        "Sent when a webhook keeps failing or is disabled, when deliveries are late, and before an API key expires.",
      )}
    >
      {settings.data ? (
        <>
          <EmailAlerts settings={settings.data} />
          <SlackAlerts settings={settings.data} />
        </>
      ) : settings.error ? (
        <ErrorState error={settings.error} onRetry={() => settings.refetch()} />
      ) : (
        <Skeleton height={120} />
      )}
    </Section>
  );
}

function EmailAlerts({ settings }: { settings: AlertSettings }) {
  const change = useChangeAlertSettings();
  if (!settings.email_available)
    return <Notice>{t("This server sends no e-mail. Its operator can set a mail server: PARLEY_SMTP_URL.")}</Notice>;
  return (
    <>
      <Check
        title={t("E-mail to owners and admins")}
        hint={t("Everybody gets the message at the address they sign in with.")}
        checked={settings.email_enabled}
        onChange={({ target }) => {
          if (!change.isPending)
            change.mutate({ email_enabled: target.checked }, { onSuccess: () => toast(t("Saved.")) });
        }}
      />
      {change.error && <Notice tone="danger">{change.error.message}</Notice>}
      <TestButton channel="email" label={t("Send a test e-mail to me")} />
    </>
  );
}

function SlackAlerts({ settings }: { settings: AlertSettings }) {
  const [url, setUrl] = useState("");
  const leave = useUnsavedGuard(url !== "");
  const change = useChangeAlertSettings();
  const save = (slack_url: string, done: string) =>
    change.mutate(
      { slack_url },
      {
        onSuccess: () => {
          setUrl("");
          toast(done);
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(url, t("Saved."));
  };
  const host = settings.slack_host;
  return (
    <>
      <form className={css.row} noValidate onSubmit={submit}>
        {leave}
        <Field
          label={t("Slack webhook URL")}
          hint={
            host === null
              ? t("An incoming webhook of Slack, or of a chat that understands the same.")
              : t("Alerts go to {host}. The URL is a secret and not shown; enter another one to replace it.", { host })
          }
          error={change.error && (change.error.details.slack_url ?? change.error.message)}
        >
          {(control) => (
            <Input
              {...control}
              mono
              type="url"
              autoComplete="off"
              placeholder="https://hooks.slack.com/services/…"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={change.isPending} disabled={url === ""}>
          {t("Save URL")}
        </Button>
      </form>
      {host !== null && (
        <TestButton channel="slack" label={t("Send a test to the chat")}>
          <Button disabled={change.isPending} onClick={() => save("", t("Removed."))}>
            {t("Remove URL")}
          </Button>
        </TestButton>
      )}
    </>
  );
}

interface TestButtonProps {
  channel: "email" | "slack";
  label: string;
  /** Buttons next to it. */
  children?: ReactNode;
}

function TestButton({ channel, label, children }: TestButtonProps) {
  const test = useSendAlertTest();
  const problem = test.error?.message ?? test.data?.error ?? null;
  return (
    <>
      <div className={css.buttons}>
        <Button busy={test.isPending} onClick={() => test.mutate(channel)}>
          {label}
        </Button>
        {children}
      </div>
      {problem !== null && <Notice tone="danger">{t("The test could not be sent: {problem}", { problem })}</Notice>}
      {test.data?.sent && <Notice tone="success">{t("The test was sent.")}</Notice>}
    </>
  );
}

import { CircleAlert, CircleCheck, CircleDashed, PlugZap } from "lucide-react";
import type { ReactNode } from "react";
import { type Mailbox, type MailboxCheck, useCheckMailbox } from "../../api/mailboxes.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import css from "./mailboxes.module.css";

/** Whether the settings work, step by step. */
export function CheckSection({ mailbox }: { mailbox: Mailbox }) {
  const check = useCheckMailbox(mailbox.id);
  const { data, error } = check;
  return (
    <Section
      title={t("Check")}
      description={t("Connects and signs in both ways, and looks at the DNS of the domain. Nothing is sent.")}
      actions={
        <Button icon={<PlugZap size={14} aria-hidden />} busy={check.isPending} onClick={() => check.mutate()}>
          {t("Check now")}
        </Button>
      }
    >
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div role="status" className={css.fields}>
        {check.isPending && <p className={css.hint}>{t("Checking. This takes at most 15 seconds.")}</p>}
        {data && !check.isPending && <Result mailbox={mailbox} result={data} />}
      </div>
    </Section>
  );
}

const Result = ({ mailbox, result: { inbound, outbound, dns } }: { mailbox: Mailbox; result: MailboxCheck }) => (
  <>
    <div className={css.pair}>
      <Connection title={t("Mail that comes in")} finding={inbound} steps={mailbox.inbound?.type === "imap" ? 4 : 0} />
      <Connection title={t("Mail that goes out")} finding={outbound} steps={3} />
    </div>
    <h3 className={css.label}>{t("What DNS says about the domain")}</h3>
    {RECORDS.map(({ name, title, purpose }) => (
      <Record key={name} title={title} purpose={purpose} finding={dns[name]} />
    ))}
  </>
);

const STEPS = [
  { name: "found", title: t("The name of the server was found") },
  { name: "connected", title: t("Connected") },
  { name: "signed_in", title: t("Signed in") },
  { name: "opened", title: t("Folder opened") },
] as const;

interface ConnectionProps {
  title: string;
  finding: MailboxCheck["inbound"];
  /** How many of them this way has. */
  steps: number;
}

function Connection({ title, finding: { ok, error, steps: done }, steps }: ConnectionProps) {
  const shown = STEPS.slice(0, steps);
  const failed = ok ? undefined : shown.find(({ name }) => !done.includes(name))?.name;
  return (
    <div>
      <h3 className={css.label}>{title}</h3>
      <ul className={css.steps}>
        {shown.map((step) => {
          const state = done.includes(step.name) ? "ok" : step.name === failed ? "failed" : "open";
          return (
            <li key={step.name}>
              <Step state={state}>{step.title}</Step>
            </li>
          );
        })}
        {shown.length === 0 && ok && (
          <li>
            <Step state="ok">{t("Ready: nothing has to be connected for it")}</Step>
          </li>
        )}
      </ul>
      {error && <Notice tone="danger">{error}</Notice>}
    </div>
  );
}

const STATES = {
  ok: { icon: CircleCheck, word: t("Done") },
  failed: { icon: CircleAlert, word: t("Failed") },
  open: { icon: CircleDashed, word: t("Not checked") },
} as const;

function Step({ state, children }: { state: keyof typeof STATES; children: ReactNode }) {
  const { icon: Icon, word } = STATES[state];
  return (
    <span className={css.step} data-state={state}>
      <Icon size={16} role="img" aria-label={word} />
      <span>{children}</span>
    </span>
  );
}

const RECORDS = [
  { name: "spf", title: "SPF", purpose: t("says which servers may send for the domain") },
  { name: "dkim", title: "DKIM", purpose: t("has the key that signatures are verified with") },
  { name: "dmarc", title: "DMARC", purpose: t("says what receivers do with mail that fails both") },
  { name: "mx", title: "MX", purpose: t("says where mail for the domain is delivered") },
] as const;

interface RecordProps {
  title: string;
  purpose: string;
  finding: MailboxCheck["dns"]["spf"];
}

const Record = ({ title, purpose, finding: { ok, found, expected } }: RecordProps) => (
  <div className={css.record}>
    <Step state={ok ? (found === null ? "open" : "ok") : "failed"}>
      <strong>{title}</strong> {purpose}
    </Step>
    {found ? (
      <CodeBlock code={found} what={t("{title} record that was found", { title })} wrap />
    ) : (
      <p className={css.hint}>
        {ok ? t("Not checked: your mail server signs with a key of its own.") : t("No record was found.")}
      </p>
    )}
    {!ok && expected && (
      <>
        <p className={css.hint}>{t("The record that would be right:")}</p>
        <CodeBlock code={expected} what={t("{title} record that would be right", { title })} wrap />
      </>
    )}
  </div>
);

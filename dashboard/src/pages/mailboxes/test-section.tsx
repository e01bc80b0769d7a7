import { Send } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { type Mailbox, type MailboxTest, useMailboxTest, useSendMailboxTest } from "../../api/mailboxes.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import css from "./mailboxes.module.css";

/** The whole way of a mail: out through one server, in through the other. */
export function TestSection({ mailbox }: { mailbox: Mailbox }) {
  const [isWaiting, setWaiting] = useState(false);
  const send = useSendMailboxTest(mailbox.id);
  const test = useMailboxTest(mailbox.id, { isWaiting });
  const { data } = test;
  const error = send.error ?? test.error;
  const begin = () => send.mutate(undefined, { onSuccess: () => setWaiting(true) });
  return (
    <Section
      title={t("Test mail")}
      description={t("Sends a mail from {address} to itself and waits until it has come in.", {
        address: mailbox.address,
      })}
      actions={
        <Button icon={<Send size={14} aria-hidden />} busy={send.isPending} onClick={begin}>
          {t("Send test mail")}
        </Button>
      }
    >
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div role="status">
        {data ? <Result test={data} /> : <p className={css.hint}>{t("No test mail was sent yet.")}</p>}
      </div>
    </Section>
  );
}

function Result({ test: { state, error, created_at, seen_at, conversation_id } }: { test: MailboxTest }) {
  if (seen_at !== null)
    return (
      <Notice tone="success">
        {rich("The test mail came in {time}.", { time: <Time at={seen_at} /> })}{" "}
        {conversation_id !== null && <Link href={`/inbox/${conversation_id}`}>{t("Open it")}</Link>}
      </Notice>
    );
  if (state === "pending" || state === "sending")
    return (
      <Notice>
        {rich("The test mail of {time} is being sent.", { time: <Time at={created_at} /> })} {error}
      </Notice>
    );
  if (state === "sent")
    return (
      <Notice>
        {rich(
          "The mail server has accepted the test mail {time}. It has not come in yet: some servers take a few minutes.",
          { time: <Time at={created_at} /> },
        )}
      </Notice>
    );
  return (
    <Notice tone="danger">
      {t("The test mail was not sent.")} {error}
    </Notice>
  );
}

import { Send } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { type Mailbox, type MailboxTest, useMailboxTest, useSendMailboxTest } from "../../api/mailboxes.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
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
      title="Test mail"
      description={`Sends a mail from ${mailbox.address} to itself and waits until it has come in.`}
      actions={
        <Button icon={<Send size={14} aria-hidden />} busy={send.isPending} onClick={begin}>
          Send test mail
        </Button>
      }
    >
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div role="status">{data ? <Result test={data} /> : <p className={css.hint}>No test mail was sent yet.</p>}</div>
    </Section>
  );
}

function Result({ test: { state, error, created_at, seen_at, conversation_id } }: { test: MailboxTest }) {
  if (seen_at !== null)
    return (
      <Notice tone="success">
        The test mail came in <Time at={seen_at} />.{" "}
        {conversation_id !== null && <Link href={`/inbox/${conversation_id}`}>Open it</Link>}
      </Notice>
    );
  if (state === "pending" || state === "sending")
    return (
      <Notice>
        The test mail of <Time at={created_at} /> is being sent. {error}
      </Notice>
    );
  if (state === "sent")
    return (
      <Notice>
        The mail server has accepted the test mail <Time at={created_at} />. It has not come in yet: some servers take a
        few minutes.
      </Notice>
    );
  return <Notice tone="danger">The test mail was not sent. {error}</Notice>;
}

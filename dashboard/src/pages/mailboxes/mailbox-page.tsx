import { Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { type Mailbox, useDeleteMailbox, useMailbox, usePauseMailbox } from "../../api/mailboxes.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { Card, Facts, Page, Section } from "../../components/page.tsx";
import { Said } from "../../components/said.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { CheckSection } from "./check-section.tsx";
import { MailboxForm } from "./mailbox-form.tsx";
import css from "./mailboxes.module.css";
import { StateBadge, wayInOf } from "./state.tsx";
import { TestSection } from "./test-section.tsx";

const BACK = { href: "/settings/mailboxes", title: t("Mailboxes") };

export function MailboxPage({ id }: { id: string }) {
  const mailbox = useMailbox(id);
  const [round, setRound] = useState(0);
  const reload = async () => {
    await mailbox.refetch();
    setRound((before) => before + 1);
  };
  if (!mailbox.data)
    return (
      <Page title={t("Mailbox")} back={BACK}>
        <Card>
          {mailbox.error ? (
            <ErrorState error={mailbox.error} onRetry={() => mailbox.refetch()} />
          ) : (
            <SkeletonRows rows={6} />
          )}
        </Card>
      </Page>
    );
  const { record } = mailbox.data;
  return (
    <Page
      title={record.name}
      badge={<StateBadge mailbox={record} />}
      back={BACK}
      narrow
      actions={<Actions mailbox={record} />}
    >
      <div className={css.form}>
        <StatusSection mailbox={record} />
        <CheckSection mailbox={record} />
        <TestSection mailbox={record} />
        <MailboxForm key={round} loaded={mailbox.data} onReload={reload} />
      </div>
    </Page>
  );
}

function Actions({ mailbox }: { mailbox: Mailbox }) {
  const [deleting, setDeleting] = useState(false);
  const pause = usePauseMailbox(mailbox.id);
  const isPaused = mailbox.status.state === "paused";
  const toggle = () =>
    pause.mutate(isPaused ? "resume" : "pause", {
      onSuccess: () => toast(isPaused ? t("Mailbox resumed.") : t("Mailbox paused.")),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <>
      <Button
        icon={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        busy={pause.isPending}
        onClick={toggle}
      >
        {isPaused ? t("Resume") : t("Pause")}
      </Button>
      <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => setDeleting(true)}>
        {t("Delete…")}
      </Button>
      {deleting && <DeleteDialog mailbox={mailbox} onClose={() => setDeleting(false)} />}
    </>
  );
}

function StatusSection({ mailbox }: { mailbox: Mailbox }) {
  const { state, error, last_synced_at, last_message_at, unseen_on_server, import: progress } = mailbox.status;
  return (
    <Section title={t("State")}>
      {error && (
        <Notice tone="danger">
          <Said text={error} />
        </Notice>
      )}
      {state === "paused" && (
        <Notice>
          {t("Nothing is fetched or sent until it is resumed. Mail handed over by HTTP is still stored.")}
        </Notice>
      )}
      {progress && (
        <Notice>
          {t("Importing older mail: {done} of {total} looked at. New mail does not wait for it.", {
            done: progress.done,
            total: progress.total,
          })}
        </Notice>
      )}
      <Facts
        facts={[
          { name: t("Address"), value: mailbox.address },
          { name: t("Comes in by"), value: wayInOf(mailbox) },
          { name: t("Last in touch"), value: last_synced_at ? <Time at={last_synced_at} /> : t("Not yet") },
          { name: t("Last mail"), value: last_message_at ? <Time at={last_message_at} /> : t("None yet") },
          ...(unseen_on_server === null ? [] : [{ name: t("Unread on the server"), value: unseen_on_server }]),
        ]}
      />
    </Section>
  );
}

function DeleteDialog({ mailbox, onClose }: { mailbox: Mailbox; onClose: () => void }) {
  const remove = useDeleteMailbox(mailbox.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast(t("{name} deleted.", { name: mailbox.name }));
    navigate("/settings/mailboxes");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("Delete {name}?", { name: mailbox.name })}
      confirm={t("Delete mailbox")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      <p>{t("Its conversations stay, but nobody can reply to them by mail. Mail on the server stays as it is.")}</p>
      {mailbox.status.state !== "paused" && <p>{t("To stop it for a while, pause it instead.")}</p>}
    </ConfirmDialog>
  );
}

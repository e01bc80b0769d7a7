import { useState } from "react";
import type { Webhook } from "../../../api/webhooks.ts";
import { useMissed, useRecover } from "../../../api/webhooks.ts";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Field, Input, Select } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { plural, t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import { localInputValue, localInputZone } from "../local-time.ts";

const HOUR = 3_600_000;
const SPANS = [
  { value: "1", title: t("The last hour"), ms: HOUR },
  { value: "24", title: t("The last 24 hours"), ms: 24 * HOUR },
  { value: "168", title: t("The last 7 days"), ms: 168 * HOUR },
  { value: "created", title: t("Since the webhook was created"), ms: 0 },
  { value: "other", title: t("Another time…"), ms: 0 },
];

/** Counts what was missed first; only then can it be sent. */
export function RecoverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [opened] = useState(() => Date.now());
  const [span, setSpan] = useState("24");
  const [other, setOther] = useState(() => localInputValue(new Date(opened - 48 * HOUR)));
  const since = sinceOf(span, other, opened, webhook);
  const missed = useMissed(webhook.id, since);
  const recover = useRecover(webhook.id);
  const count = missed.isFetching ? null : (missed.data?.events ?? null);
  const done = ({ events }: { events: number }) => {
    toast(plural(events, "{n} event will be sent.", "{n} events will be sent."));
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Recover missed events")}
      description={t(
        "Sends again what has no more retries, and what happened while the webhook was disabled. Events that were delivered or are still being retried are left alone.",
      )}
      onSubmit={() => since !== null && count && recover.mutate(since, { onSuccess: done })}
      footer={
        <SubmitFooter onCancel={onClose} busy={recover.isPending} disabled={!count || !webhook.is_active}>
          {count ? plural(count, "Send {n} event", "Send {n} events") : t("Send events")}
        </SubmitFooter>
      }
    >
      <Field label={t("Missed in")}>
        {(control) => (
          <Select {...control} autoFocus name="span" value={span} onChange={(event) => setSpan(event.target.value)}>
            {SPANS.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {span === "other" && (
        <Field
          label={t("Since")}
          hint={t("In your time zone, {localInputZone}.", { localInputZone: localInputZone() })}
          error={since ? null : t("Choose a day and a time.")}
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              name="since"
              max={localInputValue(new Date())}
              value={other}
              onChange={(event) => setOther(event.target.value)}
            />
          )}
        </Field>
      )}
      <div role="status" data-missed>
        <Missed count={count} since={since} error={missed.error} isActive={webhook.is_active} />
      </div>
      {recover.error && <Notice tone="danger">{recover.error.message}</Notice>}
    </Dialog>
  );
}

interface MissedProps {
  count: number | null;
  since: string | null;
  error: Error | null;
  isActive: boolean;
}

function Missed({ count, since, error, isActive }: MissedProps) {
  if (since === null) return null;
  if (error) return <Notice tone="danger">{error.message}</Notice>;
  if (count === null) return <Notice>{t("Counting what was missed…")}</Notice>;
  const moment = formatExact(new Date(since));
  if (count === 0) return <Notice tone="success">{t("Nothing was missed since {moment}.", { moment })}</Notice>;
  return (
    <Notice tone={isActive ? "info" : "warning"} title={t("{count} missed", { count })}>
      {plural(count, "{n} event since {moment}.", "{n} events since {moment}.", { moment })}
      {!isActive && <> {t("Enable the webhook to send them.")}</>}
    </Notice>
  );
}

function sinceOf(span: string, other: string, opened: number, webhook: Webhook): string | null {
  if (span === "created") return webhook.created_at;
  if (span !== "other") return new Date(opened - (SPANS.find(({ value }) => value === span)?.ms ?? 0)).toISOString();
  const date = new Date(other);
  return other === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { DeliveryLog, DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import { readLogPage, useRedeliver, useRedelivery } from "../../../api/webhook-logs.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { formatDuration, outcomeOf } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import css from "./attempt.module.css";

/** Sends the event once more and shows the outcome. */
export function Redeliver({ webhook, attempt }: { webhook: Webhook; attempt: DeliveryLogDetail }) {
  const redeliver = useRedeliver(webhook.id, attempt.id);
  const [after, setAfter] = useState<number | null>(null);
  const outcome = useRedelivery(webhook.id, attempt, redeliver.isSuccess ? after : null).data;
  const send = async () => {
    const [newest] = (await readLogPage(webhook.id, { per_page: 1 })).data;
    setAfter(newest?.id ?? 0);
    redeliver.mutate();
  };
  return (
    <div className={css.stack}>
      <div className={css.row}>
        <Button
          icon={<RotateCw size={14} aria-hidden />}
          busy={redeliver.isPending}
          disabled={!webhook.is_active}
          onClick={() => void send().catch(() => redeliver.mutate())}
        >
          {t("Redeliver")}
        </Button>
        <span className={css.muted}>
          {webhook.is_active
            ? t("Sends this event again with the same id, and retries it on schedule.")
            : t("Enable the webhook to send it again.")}
        </span>
      </div>
      <div role="status" data-redelivered>
        {redeliver.error ? (
          <Notice tone="danger">{redeliver.error.message}</Notice>
        ) : outcome ? (
          <Outcome log={outcome} />
        ) : redeliver.isSuccess ? (
          <Notice>{t("Queued. The outcome appears here.")}</Notice>
        ) : null}
      </div>
    </div>
  );
}

function Outcome({ log }: { log: DeliveryLog }) {
  const [path] = useLocation();
  const search = new URLSearchParams(window.location.search);
  search.set("attempt", String(log.id));
  const delivered = log.status === "success";
  const what = t("{code} in {time}", {
    code: outcomeOf(log.response_code),
    time: formatDuration(log.response_time_ms),
  });
  return (
    <Notice tone={delivered ? "success" : "danger"} title={delivered ? t("Delivered again") : t("It failed again")}>
      {what}. <Link href={`${path}?${search}`}>{t("Open that attempt")}</Link>
    </Notice>
  );
}

import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import type { Webhook } from "../../../api/webhooks.ts";
import { Badge } from "../../../components/badge.tsx";
import { CopyButton } from "../../../components/code.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Facts } from "../../../components/page.tsx";
import { useSaid } from "../../../components/said.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { asSentence, formatDuration, outcomeOf } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import css from "./attempt.module.css";
import { EventAttempts } from "./event-attempts.tsx";
import { HeaderList } from "./header-list.tsx";
import { NextAttempt } from "./next-attempt.tsx";
import { Redeliver } from "./redeliver.tsx";
import { TextBlock } from "./text-block.tsx";
import { Waterfall } from "./waterfall.tsx";

export function AttemptDetail({ webhook, attempt }: { webhook: Webhook; attempt: DeliveryLogDetail }) {
  const said = useSaid();
  const delivered = attempt.status === "success";
  return (
    <>
      <div className={css.summary}>
        <h3>{attempt.event_type}</h3>
        <Badge tone={delivered ? "success" : "danger"}>{outcomeOf(attempt.response_code)}</Badge>
        <span className={css.muted}>
          <time dateTime={attempt.created_at} title={attempt.created_at}>
            {formatExact(new Date(attempt.created_at))}
          </time>{" "}
          (<Time at={attempt.created_at} />)
        </span>
        <span className={css.copyable}>
          <code>{attempt.event_id}</code>
          <CopyButton text={attempt.event_id} what={t("event id")} />
        </span>
      </div>
      {delivered ? (
        <Notice tone="success">
          {t("Delivered in {response_time_ms}.", { response_time_ms: formatDuration(attempt.response_time_ms) })}
        </Notice>
      ) : (
        <Notice
          tone="danger"
          title={asSentence(attempt.error_message === null ? t("Not delivered") : said(attempt.error_message))}
        >
          <NextAttempt attempt={attempt} />
        </Notice>
      )}
      <Redeliver webhook={webhook} attempt={attempt} />
      <EventAttempts webhook={webhook} attempt={attempt} />
      <Facts
        facts={[
          { name: t("Attempt number"), value: attempt.attempt },
          { name: t("Connected address"), value: attempt.address ? <code>{attempt.address}</code> : t("None") },
          { name: t("Delivery"), value: <code>{attempt.delivery_id}</code> },
        ]}
      />
      <section className={css.part} aria-labelledby="attempt-timing">
        <h3 id="attempt-timing">{t("Timing")}</h3>
        <Waterfall timings={attempt.timings} />
      </section>
      <Tabs
        label={t("Request and response")}
        tabs={[
          { value: "response", title: t("Response"), content: <Response attempt={attempt} /> },
          { value: "request", title: t("Request"), content: <Request attempt={attempt} /> },
        ]}
      />
    </>
  );
}

function Response({ attempt: { response, response_code: code } }: { attempt: DeliveryLogDetail }) {
  if (code === 0 && response.headers.length === 0 && response.body === "")
    return <p className={css.muted}>{t("There was no HTTP response.")}</p>;
  return (
    <div className={css.stack}>
      <HeaderList headers={response.headers} label={t("Response headers")} />
      <h4>{t("Body")}</h4>
      {response.body === "" ? (
        <p className={css.muted}>{t("The body was empty.")}</p>
      ) : (
        <TextBlock text={response.body} what={t("response body")} />
      )}
      {response.body_truncated && (
        <p className={css.muted}>{t("The response was longer; its first 16 KiB are kept.")}</p>
      )}
    </div>
  );
}

const Request = ({ attempt: { request } }: { attempt: DeliveryLogDetail }) => (
  <div className={css.stack}>
    <p className={css.line}>
      <code>
        {request.method} {request.url}
      </code>
    </p>
    <HeaderList headers={request.headers} label={t("Request headers")} />
    <h4>{t("Body")}</h4>
    {request.body === null ? (
      <p className={css.muted}>{t("The event is past its retention period, and its body was deleted.")}</p>
    ) : (
      <TextBlock text={request.body} what={t("request body")} />
    )}
  </div>
);

import { MessagesSquare } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import {
  conversationOf,
  type EventDelivery,
  type EventWithDeliveries,
  subjectOf,
  useEvent,
  useRedeliverEvent,
} from "../../api/events.ts";
import { useIsManager } from "../../api/session.ts";
import { webhookHref } from "../../api/webhooks.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Said } from "../../components/said.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { formatDuration, outcomeOf } from "../../lib/format.ts";
import { rich } from "../../lib/rich.ts";
import { plural, t } from "../../lib/texts.ts";
import { SidePanel } from "../webhooks/attempt/side-panel.tsx";
import css from "./events.module.css";

/** Next to the list, at an address of its own: `?event=evt_…`. */
export function EventPanel() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const id = new URLSearchParams(search).get("event");
  if (!id) return null;
  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete("event");
    navigate(rest.size === 0 ? path : `${path}?${rest}`, { replace: true });
  };
  const row = () => document.querySelector<HTMLElement>(`[data-event="${CSS.escape(id)}"] a`);
  return (
    <SidePanel title={t("Event")} onClose={close} focusAfter={row}>
      <Detail key={id} id={id} />
    </SidePanel>
  );
}

function Detail({ id }: { id: string }) {
  const event = useEvent(id);
  return (
    <Loaded query={event} skeleton={<SkeletonRows rows={6} />}>
      {(loaded) => <LoadedEvent event={loaded} />}
    </Loaded>
  );
}

function LoadedEvent({ event }: { event: EventWithDeliveries }) {
  const conversation = conversationOf(event);
  const { deliveries, ...payload } = event;
  const isManager = useIsManager();
  const redeliver = useRedeliverEvent(event.id);
  // A webhook that was deleted cannot get it again.
  const sent = deliveries.filter(({ webhook_name, log }) => webhook_name !== null && log.length > 0);
  const send = (to: readonly EventDelivery[]) =>
    redeliver.mutate(to, {
      onSuccess: () => toast(plural(to.length, "{n} delivery queued.", "{n} deliveries queued.")),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <div className={css.detail}>
      <div>
        <h3>{event.type}</h3>
        <p className={css.quiet}>
          {subjectOf(event)} · <Time at={event.timestamp} />
        </p>
      </div>
      {conversation !== null && (
        <div>
          <LinkButton href={`/inbox/${conversation}`} icon={<MessagesSquare size={14} aria-hidden />}>
            {t("Open the conversation")}
          </LinkButton>
        </div>
      )}
      <section aria-labelledby="event-deliveries">
        <div className={css.head}>
          <h3 id="event-deliveries">{t("Deliveries")}</h3>
          {isManager && sent.length > 1 && (
            <Button size="small" busy={redeliver.isPending} onClick={() => send(sent)}>
              {t("Redeliver to all")}
            </Button>
          )}
        </div>
        {deliveries.length === 0 ? (
          <p className={css.quiet}>{t("No webhook subscribes to this event.")}</p>
        ) : (
          <ul className={css.deliveries}>
            {deliveries.map((delivery) => (
              <Delivery
                key={delivery.webhook_id}
                delivery={delivery}
                onRedeliver={redeliver.isPending ? undefined : () => send([delivery])}
              />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="event-payload">
        <h3 id="event-payload">{t("Payload")}</h3>
        <CodeBlock code={JSON.stringify(payload, null, 2)} what={t("payload")} />
      </section>
    </div>
  );
}

const STATES: Record<EventDelivery["status"], { title: string; tone: BadgeTone }> = {
  delivered: { title: t("Delivered"), tone: "success" },
  pending: { title: t("Pending"), tone: "warning" },
  failed: { title: t("Failed"), tone: "danger" },
  canceled: { title: t("Canceled"), tone: "neutral" },
};

interface DeliveryProps {
  delivery: EventDelivery;
  onRedeliver: (() => void) | undefined;
}

function Delivery({ delivery, onRedeliver }: DeliveryProps) {
  const isManager = useIsManager();
  const { title, tone } = STATES[delivery.status];
  const name = delivery.webhook_name ?? t("Webhook {webhook_id}", { webhook_id: delivery.webhook_id });
  const canRedeliver = isManager && delivery.webhook_name !== null && delivery.log.length > 0;
  return (
    <li>
      <Badge tone={tone}>{title}</Badge>
      <span className={css.webhook}>
        {isManager ? <Link href={webhookHref(delivery.webhook_id)}>{name}</Link> : name}
      </span>
      <span className={css.quiet}>
        {delivery.status === "canceled" && delivery.attempts === 0
          ? t("the webhook was disabled before an attempt")
          : plural(delivery.attempts, "{n} attempt", "{n} attempts")}
        {delivery.next_attempt_at && (
          <>
            {" · "}
            {Date.parse(delivery.next_attempt_at) > Date.now()
              ? rich("next attempt {time}", { time: <Time at={delivery.next_attempt_at} /> })
              : rich("was due {time}", { time: <Time at={delivery.next_attempt_at} /> })}
          </>
        )}
      </span>
      {canRedeliver && (
        <Button
          size="small"
          disabled={!onRedeliver}
          onClick={onRedeliver}
          aria-label={t("Redeliver to {name}", { name })}
        >
          {t("Redeliver")}
        </Button>
      )}
      {isManager && delivery.log.length > 0 && <Attempts delivery={delivery} />}
    </li>
  );
}

const Attempts = ({ delivery: { webhook_id, webhook_name, log } }: { delivery: EventDelivery }) => (
  <ol className={css.attempts} aria-label={t("Attempts")}>
    {log.map(({ id, attempt, response_code, error_message, response_time_ms, created_at }) => (
      <li key={id}>
        {webhook_name === null ? (
          t("Attempt {attempt}", { attempt })
        ) : (
          <Link href={`${webhookHref(webhook_id)}?attempt=${id}`}>{t("Attempt {attempt}", { attempt })}</Link>
        )}
        <span>{error_message === null ? outcomeOf(response_code) : <Said text={error_message} />}</span>
        <span>{formatDuration(response_time_ms)}</span>
        <Time at={created_at} />
      </li>
    ))}
  </ol>
);

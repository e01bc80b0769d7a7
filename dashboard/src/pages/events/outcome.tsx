import type { EventOutcome } from "../../api/events.ts";
import { cx } from "../../lib/cx.ts";
import { plural, t } from "../../lib/texts.ts";
import css from "./events.module.css";

/** `4/5`: at how many webhooks an event has arrived. Nothing where no webhook subscribes to it. */
export function Outcome({ outcome }: { outcome: EventOutcome | undefined }) {
  if (!outcome) return <span />;
  const { delivered, pending, canceled, webhooks } = outcome;
  const failed = webhooks - delivered - pending - canceled;
  const state = delivered === webhooks ? "delivered" : pending > 0 ? "pending" : failed > 0 ? "failed" : "canceled";
  const title = [
    plural(webhooks, "Delivered to {delivered} of {n} webhook", "Delivered to {delivered} of {n} webhooks", {
      delivered,
    }),
    ...(pending > 0 ? [t("{count} pending", { count: pending })] : []),
    ...(failed > 0 ? [t("{count} failed", { count: failed })] : []),
    ...(canceled > 0 ? [t("{count} canceled", { count: canceled })] : []),
  ].join(", ");
  return (
    <span className={cx(css.outcome)} data-outcome={state} title={title}>
      <span aria-hidden>{`${delivered}/${webhooks}`}</span>
      <span className="visually-hidden">{title}</span>
    </span>
  );
}

import type { HealthPoint, WebhookHealth } from "../../../api/webhooks.ts";
import { formatRate } from "../../../lib/format.ts";
import { plural, t } from "../../../lib/texts.ts";
import css from "./health.module.css";
import { triedEvents } from "./tried-events.ts";

const BAR = 4;
const GAP = 1.5;
const HEIGHT = 24;

/** The share of successes hour by hour: delivered from below, failed on top, a dot where nothing was sent. */
export function Sparkline({ health }: { health: WebhookHealth }) {
  const { points } = health;
  const width = points.length * (BAR + GAP) - GAP;
  return (
    <svg
      className={css.spark}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={summaryOf(health)}
    >
      {points.map((point, index) => (
        <SparkBar key={point.at} point={point} x={index * (BAR + GAP)} />
      ))}
    </svg>
  );
}

function SparkBar({ point: { attempts, successes }, x }: { point: HealthPoint; x: number }) {
  if (attempts === 0) return <rect className={css.nothing} x={x} y={HEIGHT - 2} width={BAR} height={2} rx={1} />;
  const good = Math.round((successes / attempts) * HEIGHT);
  // One failure among thousands is still to be seen, and one success too.
  const height = successes === attempts ? HEIGHT : successes === 0 ? 0 : Math.min(HEIGHT - 4, Math.max(3, good));
  return (
    <>
      {height < HEIGHT && (
        <rect className={css.failed} x={x} y={0} width={BAR} height={HEIGHT - height - (height > 0 ? 1 : 0)} rx={1} />
      )}
      {height > 0 && <rect className={css.delivered} x={x} y={HEIGHT - height} width={BAR} height={height} rx={1} />}
    </>
  );
}

function summaryOf(health: WebhookHealth): string {
  const { points, attempts, delivered } = health;
  if (attempts === 0) return t("Nothing was sent in the last 24 hours.");
  const events = triedEvents(health);
  const failing = points.filter((point) => point.successes < point.attempts).length;
  const share = plural(
    events,
    "Last 24 hours: {delivered} of {n} event delivered, {rate}.",
    "Last 24 hours: {delivered} of {n} events delivered, {rate}.",
    { delivered, rate: formatRate(delivered, events) },
  );
  return failing === 0 ? share : `${share} ${t("Failed attempts in {failing} of 24 hours.", { failing })}`;
}

import { useEffect, useState } from "react";
import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import { formatExact, formatWait } from "../../../lib/time.ts";

/** When the next retry is due, counted down by the second. */
export function NextAttempt({ attempt }: { attempt: DeliveryLogDetail }) {
  const [now, setNow] = useState(() => Date.now());
  const next = attempt.next_attempt_at === null ? null : new Date(attempt.next_attempt_at);
  const waits = next !== null && next.getTime() > now;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [waits]);
  if (next === null)
    return attempt.event_type === "webhook.test"
      ? "A test is sent once, without retries."
      : "No more retries. Redeliver it, or recover everything that was missed.";
  const time = (
    <time dateTime={next.toISOString()} title={formatExact(next)}>
      {waits ? `in ${formatWait(Math.ceil((next.getTime() - now) / 1000))}` : formatExact(next)}
    </time>
  );
  return waits ? <>Next attempt {time}.</> : <>The next attempt was due {time}.</>;
}

import { useEffect, useState } from "react";
import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import { rich } from "../../../lib/rich.ts";
import { t } from "../../../lib/texts.ts";
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
      ? t("A test is sent once, without retries.")
      : t("No more retries. Redeliver it, or recover everything that was missed.");
  const time = (
    <time dateTime={next.toISOString()} title={formatExact(next)}>
      {waits ? t("in {wait}", { wait: formatWait(Math.ceil((next.getTime() - now) / 1000)) }) : formatExact(next)}
    </time>
  );
  return waits ? rich("Next attempt {time}.", { time }) : rich("The next attempt was due {time}.", { time });
}

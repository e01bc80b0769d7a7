import { useEffect, useState } from "react";
import type { ApiError } from "../../api/client.ts";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";
import { formatWait } from "../../lib/time.ts";

/** Why signing in failed. After too many tries it counts down what is left of the wait. */
export function SignInError({ error }: { error: ApiError }) {
  const [left, setLeft] = useState(error.retryAfter ?? 0);
  const waiting = left > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, [waiting]);
  if (error.status === 429)
    return waiting ? (
      <Notice tone="warning" title={t("Too many attempts")}>
        {t("Try again in {left}.", { left: formatWait(left) })}
      </Notice>
    ) : (
      <Notice tone="info">{t("You can try again now.")}</Notice>
    );
  if (Object.keys(error.details).length > 0) return null;
  return <Notice tone="danger">{error.message}</Notice>;
}

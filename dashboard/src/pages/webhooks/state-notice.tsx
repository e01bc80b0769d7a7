import { useState } from "react";
import type { Webhook } from "../../api/webhooks.ts";
import { useEnableWebhook } from "../../api/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Said } from "../../components/said.tsx";
import { Time } from "../../components/time.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { RecoverDialog } from "./dialogs/recover-dialog.tsx";
import { useFailureState } from "./failing.ts";

/** Why nothing arrives, and what to do about it. */
export function StateNotice({ webhook, failingSince }: { webhook: Webhook; failingSince: string | null }) {
  const enable = useEnableWebhook(webhook.id);
  const [enabled, setEnabled] = useState(false);
  const [recovering, setRecovering] = useState(false);
  const failure = useFailureState(failingSince);
  if (!webhook.is_active)
    return (
      <Notice
        tone="warning"
        title={t("Disabled: nothing is sent")}
        actions={
          <Button
            size="small"
            busy={enable.isPending}
            onClick={() => enable.mutate(undefined, { onSuccess: () => setEnabled(true) })}
          >
            {t("Enable")}
          </Button>
        }
      >
        <p>{webhook.disabled_reason ? <Said text={webhook.disabled_reason} /> : t("No reason was given.")}</p>
        <p>{t("You can send what it misses once it is enabled again.")}</p>
        {enable.error && <p role="alert">{enable.error.message}</p>}
      </Notice>
    );
  if (enabled)
    return (
      <>
        <Notice
          tone="info"
          title={t("Enabled again")}
          actions={
            <>
              <Button size="small" onClick={() => setRecovering(true)}>
                {t("Recover missed events")}
              </Button>
              <Button size="small" variant="ghost" onClick={() => setEnabled(false)}>
                {t("Not now")}
              </Button>
            </>
          }
        >
          {t("New events are sent from now on. Events from the time it was disabled are not sent automatically.")}
        </Notice>
        {recovering && <RecoverDialog webhook={webhook} onClose={() => setRecovering(false)} />}
      </>
    );
  if (failure === "failing" && failingSince !== null)
    return (
      <Notice tone="warning" title={t("Failing")}>
        {rich(
          "Deliveries have failed since {time}. Events are retried on schedule; after five days without a success the webhook is disabled.",
          { time: <Time at={failingSince} /> },
        )}
      </Notice>
    );
  return null;
}

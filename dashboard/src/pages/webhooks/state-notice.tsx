import { useState } from "react";
import type { Webhook } from "../../api/webhooks.ts";
import { useEnableWebhook } from "../../api/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { RecoverDialog } from "./dialogs/recover-dialog.tsx";

/** Why nothing arrives, where that is so, and the way out of it. */
export function StateNotice({ webhook, failingSince }: { webhook: Webhook; failingSince: string | null }) {
  const enable = useEnableWebhook(webhook.id);
  const [enabled, setEnabled] = useState(false);
  const [recovering, setRecovering] = useState(false);
  if (!webhook.is_active)
    return (
      <Notice
        tone="warning"
        title="Disabled: nothing is sent"
        actions={
          <Button
            size="small"
            busy={enable.isPending}
            onClick={() => enable.mutate(undefined, { onSuccess: () => setEnabled(true) })}
          >
            Enable
          </Button>
        }
      >
        <p>{webhook.disabled_reason ?? "No reason was given."}</p>
        <p>What it misses meanwhile can be sent once it is enabled.</p>
        {enable.error && <p role="alert">{enable.error.message}</p>}
      </Notice>
    );
  if (enabled)
    return (
      <>
        <Notice
          tone="info"
          title="Enabled again"
          actions={
            <>
              <Button size="small" onClick={() => setRecovering(true)}>
                Recover missed events
              </Button>
              <Button size="small" variant="ghost" onClick={() => setEnabled(false)}>
                Not now
              </Button>
            </>
          }
        >
          New events are sent from now on. What happened while it was disabled does not come by itself.
        </Notice>
        {recovering && <RecoverDialog webhook={webhook} onClose={() => setRecovering(false)} />}
      </>
    );
  if (failingSince !== null)
    return (
      <Notice tone="warning" title="Failing">
        It began to fail <Time at={failingSince} />, and nothing was delivered since. Events are tried again on
        schedule; after five days of this the webhook is disabled.
      </Notice>
    );
  return null;
}

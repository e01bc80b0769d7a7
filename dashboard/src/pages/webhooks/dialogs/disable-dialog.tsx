import { useState } from "react";
import type { Webhook } from "../../../api/webhooks.ts";
import { useDisableWebhook } from "../../../api/webhooks.ts";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";

export function DisableDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const disable = useDisableWebhook(webhook.id);
  const done = () => {
    toast(t("Webhook disabled."));
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Disable {name}?", { name: webhook.name })}
      description={t(
        "Nothing is sent until it is enabled again, and waiting retries are canceled. You can recover what it missed then.",
      )}
      onSubmit={() => disable.mutate(reason.trim(), { onSuccess: done })}
      footer={
        <SubmitFooter onCancel={onClose} variant="danger" busy={disable.isPending}>
          {t("Disable webhook")}
        </SubmitFooter>
      }
    >
      <Field
        label={t("Reason")}
        optional
        hint={t("Shown here and in the webhook.disabled event.")}
        error={disable.error?.details.reason}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            name="reason"
            maxLength={500}
            placeholder={t("Moving to a new server")}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {disable.error && !disable.error.details.reason && <Notice tone="danger">{disable.error.message}</Notice>}
    </Dialog>
  );
}

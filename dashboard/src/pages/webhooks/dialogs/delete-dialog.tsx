import { useLocation } from "wouter";
import type { Webhook } from "../../../api/webhooks.ts";
import { useDeleteWebhook } from "../../../api/webhooks.ts";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { toast } from "../../../components/toast.tsx";
import { rich } from "../../../lib/rich.ts";
import { t } from "../../../lib/texts.ts";

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(webhook.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast(t("{name} deleted.", { name: webhook.name }));
    navigate("/settings/webhooks");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("Delete {name}?", { name: webhook.name })}
      confirm={t("Delete webhook")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      <p>
        {rich(
          "Nothing more is sent to {url}, not even what is waiting for a retry. Its secret is deleted permanently, and its log can no longer be opened; its attempts stay visible in Events until they expire.",
          { url: <code>{webhook.url}</code> },
        )}
      </p>
      {webhook.is_active && <p>{t("To stop it for a while, disable it instead: nothing is lost then.")}</p>}
    </ConfirmDialog>
  );
}

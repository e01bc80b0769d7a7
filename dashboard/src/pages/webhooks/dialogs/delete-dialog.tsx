import { useLocation } from "wouter";
import type { Webhook } from "../../../api/webhooks.ts";
import { useDeleteWebhook } from "../../../api/webhooks.ts";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { toast } from "../../../components/toast.tsx";

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(webhook.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast(`${webhook.name} deleted.`);
    navigate("/settings/webhooks");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${webhook.name}?`}
      confirm="Delete webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      <p>
        Nothing more is sent to <code>{webhook.url}</code>, not even what is waiting for a retry. Its secret is deleted
        permanently, and its log can no longer be opened; its attempts stay visible in Events until they expire.
      </p>
      {webhook.is_active && <p>To stop it for a while, disable it instead: nothing is lost then.</p>}
    </ConfirmDialog>
  );
}

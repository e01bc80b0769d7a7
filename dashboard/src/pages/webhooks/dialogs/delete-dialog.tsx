import { useLocation } from "wouter";
import type { Webhook } from "../../../api/webhooks.ts";
import { useDeleteWebhook } from "../../../api/webhooks.ts";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { toast } from "../../../components/toast.tsx";

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(webhook.id);
  const [, navigate] = useLocation();
  const done = () => {
    toast(`${webhook.name} is deleted.`);
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
        Nothing more is sent to <code>{webhook.url}</code>, not even what waits for its next attempt. Its log and its
        secret are gone for good.
      </p>
      {webhook.is_active && <p>To stop it for a while, disable it instead: then nothing is lost.</p>}
    </ConfirmDialog>
  );
}

import { type ApiKey, useRevokeKey } from "../../api/api-keys.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { LastUse } from "./last-use.tsx";

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey(apiKey.id);
  const confirm = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        toast(t("Key revoked."));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={confirm}
      busy={revoke.isPending}
      error={revoke.error}
      title={t("Revoke “{name}”?", { name: apiKey.name })}
      confirm={t("Revoke key")}
    >
      <Notice tone={apiKey.last_used_at ? "warning" : "info"}>
        <LastUse apiKey={apiKey} />
      </Notice>
      <p>
        {t(
          "Everything that uses this key receives a 401 at once, and this cannot be undone. To try it first, pause the key instead: you can resume it.",
        )}
      </p>
    </ConfirmDialog>
  );
}

import { Ellipsis, History, KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../api/webhooks.ts";
import { useEnableWebhook, type useTestWebhook, webhookHref } from "../../api/webhooks.ts";
import { IconButton, LinkButton } from "../../components/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/menu.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./detail.module.css";
import { DeleteDialog } from "./dialogs/delete-dialog.tsx";
import { DisableDialog } from "./dialogs/disable-dialog.tsx";
import { RecoverDialog } from "./dialogs/recover-dialog.tsx";
import { RotateDialog } from "./dialogs/rotate-dialog.tsx";
import { TestWithChoice } from "./test-send.tsx";

interface WebhookActionsProps {
  webhook: Webhook;
  test: ReturnType<typeof useTestWebhook>;
}

/** Next to the title: what is done often as buttons, the rest in a menu. */
export function WebhookActions({ webhook, test }: WebhookActionsProps) {
  const enable = useEnableWebhook(webhook.id);
  const [open, setOpen] = useState<"recover" | "rotate" | "disable" | "delete" | null>(null);
  const close = () => setOpen(null);
  const enableNow = () =>
    enable.mutate(undefined, {
      onSuccess: () => toast(t("Webhook enabled.")),
      onError: (error) => toast(error.message, { failed: true }),
    });
  return (
    <div className={css.actions}>
      <TestWithChoice webhook={webhook} test={test} />
      <LinkButton href={`${webhookHref(webhook.id)}/edit`} icon={<Pencil size={14} aria-hidden />}>
        {t("Edit")}
      </LinkButton>
      <Menu
        trigger={<IconButton label={t("More actions")} variant="secondary" icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <MenuItem icon={<History size={16} aria-hidden />} onSelect={() => setOpen("recover")}>
          {t("Recover missed events…")}
        </MenuItem>
        <MenuItem icon={<KeyRound size={16} aria-hidden />} onSelect={() => setOpen("rotate")}>
          {t("Rotate secret…")}
        </MenuItem>
        {webhook.is_active ? (
          <MenuItem icon={<Pause size={16} aria-hidden />} onSelect={() => setOpen("disable")}>
            {t("Disable…")}
          </MenuItem>
        ) : (
          <MenuItem icon={<Play size={16} aria-hidden />} onSelect={enableNow}>
            {t("Enable")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} aria-hidden />} danger onSelect={() => setOpen("delete")}>
          {t("Delete…")}
        </MenuItem>
      </Menu>
      {open === "recover" && <RecoverDialog webhook={webhook} onClose={close} />}
      {open === "rotate" && <RotateDialog webhookId={webhook.id} onClose={close} />}
      {open === "disable" && <DisableDialog webhook={webhook} onClose={close} />}
      {open === "delete" && <DeleteDialog webhook={webhook} onClose={close} />}
    </div>
  );
}

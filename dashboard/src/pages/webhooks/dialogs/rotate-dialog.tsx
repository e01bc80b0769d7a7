import { webhookPath } from "../../../api/webhooks.ts";
import { RotateSecretDialog } from "../../../components/hidden-secret.tsx";
import { t } from "../../../lib/texts.ts";
import { formatWait } from "../../../lib/time.ts";
import { SnippetTabs } from "../snippet-tabs.tsx";

const OVERLAPS = [
  { value: "0", title: t("At once"), hint: t("The old secret stops signing now. For a secret that leaked.") },
  { value: "3600", title: t("After an hour"), hint: t("Both secrets sign until then.") },
  { value: "86400", title: t("After a day"), hint: t("Both secrets sign until then, so you can switch at any time.") },
  { value: "604800", title: t("After a week"), hint: t("Both secrets sign until then.") },
] as const;

export const RotateDialog = ({ webhookId, onClose }: { webhookId: number; onClose: () => void }) => (
  <RotateSecretDialog
    path={webhookPath(webhookId)}
    what={t("signing secret")}
    title={t("Rotate the signing secret")}
    description={t("A new secret signs from now on. When does the old one stop?")}
    overlaps={OVERLAPS}
    rotated={(overlap) => ({
      title: t("The new signing secret"),
      description:
        overlap === 0
          ? t("The old secret no longer signs. Deliveries fail verification until your server has the new one.")
          : t("Deliveries carry both signatures for {overlap}; put the new secret in place before that.", {
              overlap: formatWait(overlap),
            }),
    })}
    wide
    onClose={onClose}
  >
    <SnippetTabs />
  </RotateSecretDialog>
);

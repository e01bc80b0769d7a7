import { webhookPath } from "../../api/webhooks.ts";
import { HiddenSecret } from "../../components/hidden-secret.tsx";
import { Section } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import { RotateDialog } from "./dialogs/rotate-dialog.tsx";
import { SnippetTabs } from "./snippet-tabs.tsx";

export const SecretSection = ({ webhookId }: { webhookId: number }) => (
  <Section
    title={t("Signing secret")}
    description={t("Signs each delivery, so that your server can verify where it came from.")}
  >
    <HiddenSecret
      path={webhookPath(webhookId)}
      what={t("signing secret")}
      prefix="whsec_"
      rotateDialog={(onClose) => <RotateDialog webhookId={webhookId} onClose={onClose} />}
    />
    <h3>{t("Verify deliveries")}</h3>
    <SnippetTabs />
  </Section>
);

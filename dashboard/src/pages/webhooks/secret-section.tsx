import { Eye, EyeOff, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useRevealSecret } from "../../api/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { SecretText } from "../../components/code.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import css from "./detail.module.css";
import { RotateDialog } from "./dialogs/rotate-dialog.tsx";
import { SnippetTabs } from "./snippet-tabs.tsx";

/** Hidden until asked for: reading it is audited, and the page says so first. */
export function SecretSection({ webhookId }: { webhookId: number }) {
  const reveal = useRevealSecret(webhookId);
  const [rotating, setRotating] = useState(false);
  const close = () => {
    setRotating(false);
    reveal.reset();
  };
  return (
    <Section
      title={t("Signing secret")}
      description={t("Signs each delivery, so that your server can verify where it came from.")}
    >
      {reveal.data ? (
        <SecretText secret={reveal.data.secret} what={t("signing secret")} />
      ) : (
        <p className={css.hidden} aria-hidden>
          whsec_••••••••••••••••••••••••••••••••
        </p>
      )}
      {reveal.error && <Notice tone="danger">{reveal.error.message}</Notice>}
      <div className={css.row}>
        {reveal.data ? (
          <Button icon={<EyeOff size={14} aria-hidden />} onClick={() => reveal.reset()}>
            {t("Hide")}
          </Button>
        ) : (
          <Button icon={<Eye size={14} aria-hidden />} busy={reveal.isPending} onClick={() => reveal.mutate()}>
            {t("Reveal secret")}
          </Button>
        )}
        <Button icon={<RefreshCw size={14} aria-hidden />} onClick={() => setRotating(true)}>
          {t("Rotate…")}
        </Button>
        <span className={css.hint}>{t("Revealing it adds an entry with your name to the audit log.")}</span>
      </div>
      <h3>{t("Verify deliveries")}</h3>
      <SnippetTabs />
      {rotating && <RotateDialog webhookId={webhookId} onClose={close} />}
    </Section>
  );
}

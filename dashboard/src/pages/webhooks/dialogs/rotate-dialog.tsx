import { useState } from "react";
import { useRotateSecret } from "../../../api/webhooks.ts";
import { Button } from "../../../components/button.tsx";
import { SecretText } from "../../../components/code.tsx";
import { Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { Choices } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { t } from "../../../lib/texts.ts";
import { formatWait } from "../../../lib/time.ts";
import { SnippetTabs } from "../snippet-tabs.tsx";

const OVERLAPS = [
  { value: "0", title: t("At once"), hint: t("The old secret stops signing now. For a secret that leaked.") },
  { value: "3600", title: t("After an hour"), hint: t("Both secrets sign until then.") },
  { value: "86400", title: t("After a day"), hint: t("Both secrets sign until then, so you can switch at any time.") },
  { value: "604800", title: t("After a week"), hint: t("Both secrets sign until then.") },
] as const;

type Overlap = (typeof OVERLAPS)[number]["value"];

/** First how long the old secret stays valid, then the new one. */
export function RotateDialog({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const rotate = useRotateSecret(webhookId);
  if (rotate.data) return <Rotated secret={rotate.data.secret} overlap={Number(overlap)} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Rotate the signing secret")}
      description={t("A new secret signs from now on. When does the old one stop?")}
      onSubmit={() => rotate.mutate(Number(overlap))}
      footer={
        <SubmitFooter onCancel={onClose} variant={overlap === "0" ? "danger" : "primary"} busy={rotate.isPending}>
          {t("Rotate secret")}
        </SubmitFooter>
      }
    >
      <Choices
        label={t("When the old secret stops")}
        name="overlap"
        value={overlap}
        options={OVERLAPS}
        onChange={setOverlap}
      />
      {rotate.error && <Notice tone="danger">{rotate.error.message}</Notice>}
    </Dialog>
  );
}

interface RotatedProps {
  secret: string;
  overlap: number;
  onClose: () => void;
}

const Rotated = ({ secret, overlap, onClose }: RotatedProps) => (
  <Dialog
    open
    wide
    sticky
    onClose={onClose}
    title={t("The new signing secret")}
    description={
      overlap === 0
        ? t("The old secret no longer signs. Deliveries fail verification until your server has the new one.")
        : t("Deliveries carry both signatures for {overlap}; put the new secret in place before that.", {
            overlap: formatWait(overlap),
          })
    }
    footer={
      <Button variant="primary" onClick={onClose}>
        {t("Done")}
      </Button>
    }
  >
    <SecretText secret={secret} what={t("signing secret")} />
    <SnippetTabs />
  </Dialog>
);

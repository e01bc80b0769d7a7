import { useState } from "react";
import { type ApiKey, useRotateKey } from "../../api/api-keys.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Choices } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";
import { LastUse } from "./last-use.tsx";
import { NewSecret } from "./new-secret.tsx";

const OVERLAPS = [
  { value: "3600", title: t("In an hour"), hint: t("Time to deploy the new secret step by step.") },
  { value: "86400", title: t("In 24 hours"), hint: t("For apps that are deployed once a day.") },
  { value: "0", title: t("At once"), hint: t("Use this if the old secret may have leaked.") },
] as const;

type Overlap = (typeof OVERLAPS)[number]["value"];

const WORDS: Record<Overlap, string> = {
  "0": t("The old secret stopped working."),
  "3600": t("The old secret works for another hour."),
  "86400": t("The old secret works for another 24 hours."),
};

export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState<Overlap>("3600");
  const rotate = useRotateKey(apiKey.id);
  if (rotate.data)
    return (
      <Dialog
        open
        wide
        sticky
        onClose={onClose}
        title={t("New secret")}
        description={WORDS[overlap]}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("I have stored it")}
          </Button>
        }
      >
        <NewSecret secret={rotate.data.key} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Rotate “{name}”?", { name: apiKey.name })}
      description={t("It gets a new secret and keeps its name, abilities and history.")}
      onSubmit={() => rotate.mutate(Number(overlap))}
      footer={
        <SubmitFooter onCancel={onClose} busy={rotate.isPending}>
          {t("Rotate key")}
        </SubmitFooter>
      }
    >
      <h3>{t("When should the old secret stop working?")}</h3>
      <Choices
        label={t("When the old secret stops")}
        name="overlap"
        value={overlap}
        options={OVERLAPS}
        onChange={setOverlap}
      />
      {overlap === "0" && (
        <Notice tone="warning">
          <LastUse apiKey={apiKey} /> {t("Everything that uses it receives a 401 until it has the new secret.")}
        </Notice>
      )}
      {rotate.error && <Notice tone="danger">{rotate.error.message}</Notice>}
    </Dialog>
  );
}

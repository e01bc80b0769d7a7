import { Eye, EyeOff, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useRevealIdentitySecret, useRotateIdentitySecret, type Widget } from "../../api/widgets.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock, SecretText } from "../../components/code.tsx";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Choices } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { t } from "../../lib/texts.ts";
import { IDENTITY_SNIPPETS } from "./snippets.ts";
import css from "./widgets.module.css";

/** Who a visitor is, where your site knows it. The secret is hidden until asked for: reading it is audited. */
export function IdentitySection({ widget }: { widget: Widget }) {
  const reveal = useRevealIdentitySecret(widget.id);
  const [rotating, setRotating] = useState(false);
  const close = () => {
    setRotating(false);
    reveal.reset();
  };
  return (
    <Section
      title={t("Signed-in visitors")}
      description={t(
        "Your server signs who the visitor is, for at most an hour. The token goes into the snippet as data-token, or to Parley('identify', token).",
      )}
    >
      {reveal.data ? (
        <SecretText secret={reveal.data.secret} what={t("identity secret")} />
      ) : (
        <p className={css.hidden} aria-hidden>
          wis_••••••••••••••••••••••••••••••••
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
      <div className={css.snippet}>
        <Tabs
          label={t("Language")}
          tabs={IDENTITY_SNIPPETS.map(({ name, code }) => ({
            value: name,
            title: name,
            content: <CodeBlock code={code} what={t("identity token in {name}", { name })} />,
          }))}
        />
      </div>
      {rotating && <RotateDialog widgetId={widget.id} onClose={close} />}
    </Section>
  );
}

const OVERLAPS = [
  { value: "0", title: t("At once"), hint: t("Tokens of the old secret are refused now. For a secret that leaked.") },
  { value: "3600", title: t("After an hour"), hint: t("Both secrets are accepted until then.") },
  { value: "86400", title: t("After a day"), hint: t("Both secrets are accepted until then.") },
] as const;

function RotateDialog({ widgetId, onClose }: { widgetId: number; onClose: () => void }) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]["value"]>("86400");
  const rotate = useRotateIdentitySecret(widgetId);
  if (rotate.data)
    return (
      <Dialog
        open
        sticky
        onClose={onClose}
        title={t("The new identity secret")}
        description={t("Put it in place on your server.")}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        }
      >
        <SecretText secret={rotate.data.secret} what={t("identity secret")} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Rotate the identity secret")}
      description={t("When do tokens of the old secret stop being accepted?")}
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

import { Eye, EyeOff, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useRevealSecret, useRotateSecret } from "../api/records.ts";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { SecretText } from "./code.tsx";
import { Dialog, SubmitFooter } from "./dialog.tsx";
import { Choices } from "./field.tsx";
import css from "./hidden-secret.module.css";
import { Notice } from "./notice.tsx";

interface HiddenSecretProps {
  /** Of its resource in the API. */
  path: string;
  what: string;
  prefix: string;
  rotateDialog: (onClose: () => void) => ReactNode;
}

/** Hidden until asked for: reading it is audited, and the page says so first. */
export function HiddenSecret({ path, what, prefix, rotateDialog }: HiddenSecretProps) {
  const reveal = useRevealSecret(path);
  const [rotating, setRotating] = useState(false);
  const close = () => {
    setRotating(false);
    reveal.reset();
  };
  return (
    <>
      {reveal.data ? (
        <SecretText secret={reveal.data.secret} what={what} />
      ) : (
        <p className={css.hidden} aria-hidden>
          {prefix}••••••••••••••••••••••••••••••••
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
      {rotating && rotateDialog(close)}
    </>
  );
}

interface RotateSecretProps {
  path: string;
  what: string;
  title: string;
  description: string;
  /** In seconds, as text. */
  overlaps: readonly { value: string; title: string; hint: string }[];
  /** What the dialog then says of the new secret. */
  rotated: (overlapSeconds: number) => { title: string; description: string };
  wide?: boolean;
  children?: ReactNode;
  onClose: () => void;
}

/** First how long the old secret stays valid, then the new one. */
export function RotateSecretDialog(props: RotateSecretProps) {
  const { path, what, title, description, overlaps, onClose } = props;
  const [overlap, setOverlap] = useState("86400");
  const rotate = useRotateSecret(path);
  if (rotate.data)
    return (
      <Dialog
        open
        wide={props.wide ?? false}
        sticky
        onClose={onClose}
        {...props.rotated(Number(overlap))}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t("Done")}
          </Button>
        }
      >
        <SecretText secret={rotate.data.secret} what={what} />
        {props.children}
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
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
        options={overlaps}
        onChange={setOverlap}
      />
      {rotate.error && <Notice tone="danger">{rotate.error.message}</Notice>}
    </Dialog>
  );
}

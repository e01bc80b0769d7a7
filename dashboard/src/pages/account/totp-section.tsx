import { useState } from "react";
import { useConfirmTotp, useRemoveTotp, useStartTotp } from "../../api/account.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/code.tsx";
import { ConfirmDialog, Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./account.module.css";
import { useRecoveryCodes } from "./recovery-codes-dialog.tsx";

export function TotpSection({ enabled }: { enabled: boolean }) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState(false);
  const recoveryCodes = useRecoveryCodes();
  const remove = useRemoveTotp();
  return (
    <Section
      title={t("Authenticator app")}
      description={t("A code from an app on your phone, after the password.")}
      actions={
        enabled ? (
          <Button onClick={() => setRemoving(true)}>{t("Remove")}</Button>
        ) : (
          <Button variant="primary" onClick={() => setAdding(true)}>
            {t("Set up")}
          </Button>
        )
      }
    >
      {enabled ? <p className={css.quiet}>{t("It is set up.")}</p> : <p className={css.quiet}>{t("Not set up.")}</p>}
      {adding && (
        <EnrolDialog
          onClose={() => setAdding(false)}
          onDone={(codes) => {
            setAdding(false);
            recoveryCodes.show(codes);
            toast(t("Authenticator app set up."));
          }}
        />
      )}
      {recoveryCodes.dialog}
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setRemoving(false) })}
        busy={remove.isPending}
        error={remove.error}
        title={t("Remove the authenticator app?")}
        confirm={t("Remove")}
      >
        <p>{t("Its codes stop working at once. Without a passkey, your password alone signs you in.")}</p>
      </ConfirmDialog>
    </Section>
  );
}

interface EnrolDialogProps {
  onClose: () => void;
  onDone: (codes: string[] | null) => void;
}

function EnrolDialog({ onClose, onDone }: EnrolDialogProps) {
  const start = useStartTotp();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState("");
  const { data, error } = start;
  if (start.isIdle) start.mutate();
  return (
    <Dialog
      open
      sticky
      onClose={onClose}
      title={t("Set up an authenticator app")}
      description={t("Scan the picture with the app, then enter the code it shows.")}
      onSubmit={() => confirm.mutate(code, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) })}
      footer={
        <SubmitFooter onCancel={onClose} busy={confirm.isPending} disabled={!data}>
          {t("Confirm")}
        </SubmitFooter>
      }
    >
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div className={css.qr}>
        {data && (
          <img
            width={192}
            height={192}
            alt={t("QR code for the authenticator app")}
            src={`data:image/svg+xml;utf8,${encodeURIComponent(data.qr_svg)}`}
          />
        )}
      </div>
      {data && (
        <p className={css.secret}>
          {t("Or type this key:")} <code>{data.secret}</code> <CopyButton text={data.secret} what={t("key")} />
        </p>
      )}
      <Field label={t("Code")} error={confirm.error && (confirm.error.details.code ?? confirm.error.message)}>
        {(control) => (
          <Input
            {...control}
            mono
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}

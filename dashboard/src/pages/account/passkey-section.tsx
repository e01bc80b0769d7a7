import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type TwoFactor, useAddPasskey, useRemovePasskey } from "../../api/account.ts";
import { ApiError } from "../../api/client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog, Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { PasskeyError } from "../auth/passkey-error.tsx";
import { PasskeysElsewhere, passkeysWork } from "../auth/passkeys-elsewhere.tsx";
import css from "./account.module.css";
import { useRecoveryCodes } from "./recovery-codes-dialog.tsx";

type Passkey = TwoFactor["passkeys"][number];

export function PasskeySection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const recoveryCodes = useRecoveryCodes();
  const remove = useRemovePasskey();
  return (
    <Section
      title={t("Passkeys")}
      description={t("Your finger, face or device PIN instead of a code, or instead of the password.")}
      actions={
        <Button variant={passkeys.length === 0 ? "primary" : "secondary"} onClick={() => setAdding(true)}>
          {t("Add a passkey")}
        </Button>
      }
      flush={passkeys.length > 0}
    >
      {passkeys.length === 0 ? (
        <p className={css.quiet}>{t("None yet.")}</p>
      ) : (
        <Table label={t("Passkeys")} columns={[t("Name"), t("Added"), t("Last used"), ""]}>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <td className={css.name}>{passkey.name}</td>
              <td data-label={t("Added")} className={css.quiet}>
                <Time at={passkey.created_at} form="day" />
              </td>
              <td data-label={t("Last used")} className={css.quiet}>
                {passkey.last_used_at ? <Time at={passkey.last_used_at} /> : t("Never")}
              </td>
              <td data-corner className={css.end}>
                <IconButton
                  label={t("Remove {name}", { name: passkey.name })}
                  icon={<Trash2 size={16} aria-hidden />}
                  onClick={() => setLeaving(passkey)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {adding && !passkeysWork() && <ElsewhereDialog onClose={() => setAdding(false)} />}
      {adding && passkeysWork() && (
        <AddDialog
          onClose={() => setAdding(false)}
          onDone={(codes) => {
            setAdding(false);
            recoveryCodes.show(codes);
            toast(t("Passkey added."));
          }}
        />
      )}
      {recoveryCodes.dialog}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(null) })}
        busy={remove.isPending}
        error={remove.error}
        title={t("Remove {name}?", { name: leaving?.name ?? "" })}
        confirm={t("Remove passkey")}
      >
        <p>{t("It no longer signs you in. Delete it on your device too.")}</p>
      </ConfirmDialog>
    </Section>
  );
}

/** Before the browser is asked, which would refuse. */
const ElsewhereDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title={t("Add a passkey")}>
    <Notice tone="warning">
      <PasskeysElsewhere />
    </Notice>
  </Dialog>
);

interface AddDialogProps {
  onClose: () => void;
  onDone: (codes: string[] | null) => void;
}

function AddDialog({ onClose, onDone }: AddDialogProps) {
  const add = useAddPasskey();
  const [name, setName] = useState("");
  const fieldError = add.error instanceof ApiError ? add.error.details.name : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Add a passkey")}
      description={t("Your browser asks next. The name is for you: the device, or the password manager that keeps it.")}
      onSubmit={() => add.mutate(name, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) })}
      footer={
        <SubmitFooter onCancel={onClose} busy={add.isPending} disabled={name.trim() === ""}>
          {t("Continue")}
        </SubmitFooter>
      }
    >
      <Field label={t("Name")} error={fieldError}>
        {(control) => (
          <Input
            {...control}
            placeholder={t("My laptop")}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {add.error && !fieldError && <PasskeyError error={add.error} />}
    </Dialog>
  );
}

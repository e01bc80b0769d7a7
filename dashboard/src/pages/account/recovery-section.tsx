import { useState } from "react";
import { useReplaceRecoveryCodes } from "../../api/account.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { plural, t } from "../../lib/texts.ts";
import css from "./account.module.css";
import { useRecoveryCodes } from "./recovery-codes-dialog.tsx";

export function RecoverySection({ left }: { left: number }) {
  const [asking, setAsking] = useState(false);
  const recoveryCodes = useRecoveryCodes();
  const replace = useReplaceRecoveryCodes();
  const confirm = () =>
    replace.mutate(undefined, {
      onSuccess: ({ recovery_codes }) => {
        setAsking(false);
        recoveryCodes.show(recovery_codes);
      },
    });
  return (
    <Section
      title={t("Recovery codes")}
      description={t("In case you lose your phone or passkey.")}
      actions={<Button onClick={() => setAsking(true)}>{t("Replace")}</Button>}
    >
      <p className={css.quiet}>{plural(left, "{n} code is left.", "{n} codes are left.")}</p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        busy={replace.isPending}
        error={replace.error}
        title={t("Replace your recovery codes?")}
        confirm={t("Replace codes")}
        variant="primary"
      >
        <p>{t("You get ten new codes. The codes you have now stop working.")}</p>
      </ConfirmDialog>
      {recoveryCodes.dialog}
    </Section>
  );
}

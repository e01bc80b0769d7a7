import { useState } from "react";
import { useReplaceRecoveryCodes } from "../../api/account.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
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
      title="Recovery codes"
      description="In case you lose your phone or passkey."
      actions={<Button onClick={() => setAsking(true)}>Replace</Button>}
    >
      <p className={css.quiet}>{left === 1 ? "1 code is left." : `${left} codes are left.`}</p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        busy={replace.isPending}
        error={replace.error}
        title="Replace your recovery codes?"
        confirm="Replace codes"
        variant="primary"
      >
        <p>You get ten new codes. The codes you have now stop working.</p>
      </ConfirmDialog>
      {recoveryCodes.dialog}
    </Section>
  );
}

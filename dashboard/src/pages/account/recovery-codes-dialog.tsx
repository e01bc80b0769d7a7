import { type ReactNode, useState } from "react";
import { useRefreshAccount } from "../../api/account.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/code.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";
import { SecretGuard } from "../../lib/unsaved-guard.tsx";
import css from "./account.module.css";

interface RecoveryCodes {
  /** Null where a change brought no new codes: then the account is read again at once. */
  show: (codes: string[] | null) => void;
  dialog: ReactNode;
}

/** Shows new codes once, and reads the account again when they are closed. */
export function useRecoveryCodes(): RecoveryCodes {
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = useRefreshAccount();
  const show = (shown: string[] | null) => {
    setCodes(shown);
    if (shown === null) refresh();
  };
  return { show, dialog: codes && <RecoveryCodesDialog codes={codes} onClose={() => show(null)} /> };
}

/** The codes are shown only here: it closes by its own button only. */
const RecoveryCodesDialog = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Dialog
    open
    locked
    onClose={onClose}
    title={t("Save your recovery codes")}
    footer={
      <>
        <CopyButton text={codes.join("\n")} what={t("recovery codes")} words large />
        <Button variant="primary" onClick={onClose}>
          {t("I have saved them")}
        </Button>
      </>
    }
  >
    <SecretGuard />
    <Notice tone="warning" title={t("They are shown only now")}>
      {t("Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.")}
    </Notice>
    <ul className={css.codes}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </Dialog>
);

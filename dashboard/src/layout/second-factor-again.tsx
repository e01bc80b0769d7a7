import type { TwoFactorChallenge } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { t } from "../lib/texts.ts";
import { SecondFactorFields } from "../pages/auth/second-factor-form.tsx";
import { leave, TITLE } from "./session-end.ts";

interface SecondFactorAgainProps {
  challenge: TwoFactorChallenge;
  onDone: () => void;
}

export const SecondFactorAgain = ({ challenge, onDone }: SecondFactorAgainProps) => (
  <SecondFactorFields challenge={challenge} onSignedIn={onDone}>
    {(fields, lead) => (
      <Dialog
        open
        locked
        onClose={leave}
        title={TITLE}
        description={lead}
        footer={<Button onClick={leave}>{t("Leave this page")}</Button>}
      >
        {fields}
      </Dialog>
    )}
  </SecondFactorFields>
);

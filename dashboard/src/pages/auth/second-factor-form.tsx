import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { type TwoFactorChallenge, useSecondFactor } from "../../api/account.ts";
import { ApiError } from "../../api/client.ts";
import { type Session, useEnter } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { t } from "../../lib/texts.ts";
import { PasskeyError } from "./passkey-error.tsx";
import { PasskeysElsewhere, passkeysWork } from "./passkeys-elsewhere.tsx";

interface SecondFactorFormProps {
  challenge: TwoFactorChallenge;
  onBack: () => void;
}

/** After a right password, as a page. */
export function SecondFactorForm({ challenge, onBack }: SecondFactorFormProps) {
  const enter = useEnter();
  return (
    <SecondFactorFields challenge={challenge} onSignedIn={enter}>
      {(fields, lead) => (
        <PublicPage
          title={t("One more step")}
          lead={lead}
          foot={
            <Button size="small" onClick={onBack}>
              {t("Back to the password")}
            </Button>
          }
        >
          {fields}
        </PublicPage>
      )}
    </SecondFactorFields>
  );
}

interface SecondFactorFieldsProps {
  challenge: TwoFactorChallenge;
  onSignedIn: (session: Session) => void;
  /** Puts the form, and the sentence about what it asks for, where they belong. */
  children: (fields: ReactNode, lead: string) => ReactNode;
}

/** A code, a passkey, or a recovery code. */
export function SecondFactorFields({ challenge, onSignedIn, children }: SecondFactorFieldsProps) {
  const { token, methods, passkey_options } = challenge;
  const factor = useSecondFactor();
  const [recovering, setRecovering] = useState(!methods.includes("totp") && !methods.includes("passkey"));
  const [code, setCode] = useState("");
  const asksForCode = recovering || methods.includes("totp");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    factor.mutate({ token, ...(recovering ? { recovery_code: code } : { code }) }, { onSuccess: onSignedIn });
  };
  const askPasskey = () =>
    factor.mutate(
      { token, passkey_options: (passkey_options ?? {}) as Record<string, unknown> },
      { onSuccess: onSignedIn },
    );
  const recover = () => {
    setRecovering(true);
    setCode("");
    factor.reset();
  };
  // A refused code is shown at its field; where there is no field, above the buttons.
  const isShownAtField = factor.error instanceof ApiError && asksForCode;
  const lead = recovering
    ? t("Enter one of the recovery codes that you saved. Each works once.")
    : asksForCode
      ? t("Enter the code that your authenticator app shows now.")
      : t("Confirm with your passkey that it is you.");
  return children(
    <form noValidate onSubmit={submit}>
      {factor.error && !isShownAtField && <PasskeyError error={factor.error} />}
      {asksForCode && (
        <Field
          label={recovering ? t("Recovery code") : t("Code")}
          error={factor.error instanceof ApiError ? messageOf(factor.error) : null}
        >
          {(control) => (
            <Input
              {...control}
              key={String(recovering)}
              name="code"
              mono
              autoFocus
              autoComplete="one-time-code"
              inputMode={recovering ? "text" : "numeric"}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
      )}
      {asksForCode && (
        <Button type="submit" variant="primary" size="wide" busy={factor.isPending}>
          {t("Continue")}
        </Button>
      )}
      {!recovering && methods.includes("passkey") && !passkeysWork() && (
        <Notice tone="warning">
          <PasskeysElsewhere />
        </Notice>
      )}
      {!recovering && methods.includes("passkey") && passkeysWork() && (
        <Button
          variant={asksForCode ? "secondary" : "primary"}
          size="wide"
          icon={<KeyRound size={16} aria-hidden />}
          busy={factor.isPending}
          onClick={askPasskey}
        >
          {t("Use a passkey")}
        </Button>
      )}
      {!recovering && methods.includes("recovery_code") && (
        <Button size="wide" onClick={recover}>
          {t("Use a recovery code")}
        </Button>
      )}
    </form>,
    lead,
  );
}

const messageOf = (error: ApiError): string =>
  error.details.code?.[0] ?? error.details.recovery_code?.[0] ?? error.message;

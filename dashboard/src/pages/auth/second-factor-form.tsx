import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type TwoFactorChallenge, useSecondFactor } from "../../api/account.ts";
import { ApiError } from "../../api/client.ts";
import { useEnter } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { PasskeyError } from "./passkey-error.tsx";

interface SecondFactorFormProps {
  challenge: TwoFactorChallenge;
  onBack: () => void;
}

/** After a right password: a code, a passkey, or a recovery code. */
export function SecondFactorForm({ challenge, onBack }: SecondFactorFormProps) {
  const { token, methods, passkey_options } = challenge;
  const enter = useEnter();
  const factor = useSecondFactor();
  const [recovering, setRecovering] = useState(!methods.includes("totp") && !methods.includes("passkey"));
  const [code, setCode] = useState("");
  const asksForCode = recovering || methods.includes("totp");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    factor.mutate({ token, ...(recovering ? { recovery_code: code } : { code }) }, { onSuccess: enter });
  };
  const askPasskey = () =>
    factor.mutate({ token, passkey_options: (passkey_options ?? {}) as Record<string, unknown> }, { onSuccess: enter });
  return (
    <PublicPage
      title="One more step"
      lead={
        recovering
          ? "Enter one of the recovery codes that you saved. Each works once."
          : asksForCode
            ? "Enter the code that your authenticator app shows now."
            : "Confirm with your passkey that it is you."
      }
      foot={
        <Button size="small" onClick={onBack}>
          Back to the password
        </Button>
      }
    >
      <form noValidate onSubmit={submit}>
        {factor.error && !(factor.error instanceof ApiError) && <PasskeyError error={factor.error} />}
        {asksForCode && (
          <Field
            label={recovering ? "Recovery code" : "Code"}
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
            Continue
          </Button>
        )}
        {!recovering && methods.includes("passkey") && (
          <Button
            variant={asksForCode ? "secondary" : "primary"}
            size="wide"
            icon={<KeyRound size={16} aria-hidden />}
            busy={factor.isPending}
            onClick={askPasskey}
          >
            Use a passkey
          </Button>
        )}
        {!recovering && methods.includes("recovery_code") && (
          <Button
            size="wide"
            onClick={() => {
              setRecovering(true);
              setCode("");
              factor.reset();
            }}
          >
            Use a recovery code
          </Button>
        )}
      </form>
    </PublicPage>
  );
}

const messageOf = (error: ApiError): string =>
  error.details.code?.[0] ?? error.details.recovery_code?.[0] ?? error.message;

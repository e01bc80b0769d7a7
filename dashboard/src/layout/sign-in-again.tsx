import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { TwoFactorChallenge } from "../api/account.ts";
import { useSession, useSessionElsewhere, useSignIn } from "../api/session.ts";
import { useSignInOptions } from "../api/sso.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field, Input } from "../components/field.tsx";
import { t } from "../lib/texts.ts";
import { SignInError } from "../pages/auth/sign-in-error.tsx";
import { leave, TITLE } from "./session-end.ts";

/** The code for passkeys and one-time codes is rarely needed, and the server has just responded when it is. */
const SecondFactorAgain = lazy(async () => ({
  default: (await import("./second-factor-again.tsx")).SecondFactorAgain,
}));

export function SignInAgain({ onDone }: { onDone: () => void }) {
  const { user, has_password } = useSession();
  const client = useQueryClient();
  const options = useSignInOptions();
  const [challenge, setChallenge] = useState<TwoFactorChallenge | null>(null);
  const done = () => {
    onDone();
    void client.invalidateQueries();
  };
  useSignedInElsewhere(user.id, done);
  if (challenge)
    return (
      <Suspense fallback={null}>
        <SecondFactorAgain challenge={challenge} onDone={done} />
      </Suspense>
    );
  if (!has_password || options.data?.password === false) return <InAnotherTab />;
  return <PasswordAgain onDone={done} onChallenge={setChallenge} />;
}

/** Another tab may sign the same person in again; the page of one person is never continued by another. */
function useSignedInElsewhere(userId: number, onDone: () => void): void {
  const { data: session } = useSessionElsewhere();
  useEffect(() => {
    if (!session) return;
    if (session.user.id === userId) onDone();
    else leave();
  }, [session, userId, onDone]);
}

interface PasswordAgainProps {
  onDone: () => void;
  onChallenge: (challenge: TwoFactorChallenge) => void;
}

function PasswordAgain({ onDone, onChallenge }: PasswordAgainProps) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  const submit = () =>
    signIn.mutate(
      { email: user.email, password },
      { onSuccess: ({ two_factor }) => (two_factor ? onChallenge(two_factor) : onDone()) },
    );
  const action = (
    <Button type="submit" variant="primary" busy={signIn.isPending}>
      {t("Sign in")}
    </Button>
  );
  return (
    <EndedDialog onSubmit={submit} action={action}>
      {signIn.error && <SignInError key={signIn.submittedAt} error={signIn.error} />}
      <input type="hidden" name="email" autoComplete="username" value={user.email} />
      <Field label={t("Password")} error={signIn.error?.details.password}>
        {(control) => (
          <Input
            {...control}
            type="password"
            name="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
    </EndedDialog>
  );
}

/** The identity provider has to be opened, and must not replace this page. */
function InAnotherTab() {
  const action = (
    <Button variant="primary" onClick={() => window.open("/sign-in", "_blank", "noopener")}>
      {t("Sign in in a new tab")}
    </Button>
  );
  return (
    <EndedDialog action={action}>
      <p>{t("Once you have signed in there, this page continues by itself.")}</p>
    </EndedDialog>
  );
}

interface EndedDialogProps {
  /** Next to the button that leaves the page. */
  action: ReactNode;
  onSubmit?: () => void;
  children: ReactNode;
}

function EndedDialog({ action, children, ...form }: EndedDialogProps) {
  const { email } = useSession().user;
  return (
    <Dialog
      open
      locked
      onClose={leave}
      title={TITLE}
      description={t(
        "Sign in again as {email} to continue. This page stays as it is; what you were about to save was not saved yet.",
        { email },
      )}
      footer={
        <>
          <Button onClick={leave}>{t("Leave this page")}</Button>
          {action}
        </>
      }
      {...form}
    >
      {children}
    </Dialog>
  );
}

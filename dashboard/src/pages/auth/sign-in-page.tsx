import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link, Redirect, useSearchParams } from "wouter";
import { type TwoFactorChallenge, useSignInWithPasskey } from "../../api/account.ts";
import type { SignInOptions } from "../../api/dashboard-schema.ts";
import { useEnter, useSessionQuery, useSignIn } from "../../api/session.ts";
import { useSetupNeeded } from "../../api/setup.ts";
import { useSignInOptions } from "../../api/sso.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { rich } from "../../lib/rich.ts";
import { t } from "../../lib/texts.ts";
import { PasskeyError } from "./passkey-error.tsx";
import { PasskeysElsewhere, passkeysWork } from "./passkeys-elsewhere.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { SignInError } from "./sign-in-error.tsx";
import css from "./sign-in-page.module.css";
import { SsoButton } from "./sso-button.tsx";

export function SignInPage() {
  const session = useSessionQuery();
  const [search] = useSearchParams();
  const setup = useSetupNeeded({ enabled: session.data === null });
  // A link that names an account, as `parley demo` prints it, is for signing in.
  const [hasAccount, setHasAccount] = useState(search.has("email"));
  if (session.data) return <Redirect to={safePath(search.get("next"))} replace />;
  // A person who has started to type must not lose the form to the set-up page.
  if (session.isPending || (setup.isLoading && !hasAccount)) return null;
  return setup.data?.needed && !hasAccount ? <SetupNeeded onSignIn={() => setHasAccount(true)} /> : <SignInForm />;
}

function SignInForm() {
  const enter = useEnter();
  const [search] = useSearchParams();
  const named = search.get("email") ?? "";
  const [email, setEmail] = useState(named);
  const [password, setPassword] = useState("");
  const [challenge, setChallenge] = useState<TwoFactorChallenge | null>(null);
  const options = useSignInOptions();
  const signIn = useSignIn();
  const withPasskey = useSignInWithPasskey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { email, password },
      { onSuccess: ({ session, two_factor }) => (session ? enter(session) : setChallenge(two_factor ?? null)) },
    );
  };
  if (challenge) return <SecondFactorForm challenge={challenge} onBack={() => setChallenge(null)} />;
  return (
    <PublicPage title={t("Sign in")} foot={options.data && <LockedOut options={options.data} />}>
      {options.data?.sso && (
        <SsoButton
          name={options.data.sso.name}
          purpose={{ next: safePath(search.get("next")) }}
          primary={!options.data.password}
        />
      )}
      {options.data?.password !== false && (
        <form noValidate onSubmit={submit}>
          {signIn.error && <SignInError key={signIn.submittedAt} error={signIn.error} />}
          {withPasskey.error && <PasskeyError error={withPasskey.error} />}
          <Field label={t("E-mail")} error={signIn.error?.details.email}>
            {(control) => (
              <Input
                {...control}
                type="email"
                name="email"
                autoComplete="username"
                autoFocus={named === ""}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <Field label={t("Password")} error={signIn.error?.details.password}>
            {(control) => (
              <Input
                {...control}
                type="password"
                name="password"
                autoComplete="current-password"
                autoFocus={named !== ""}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="wide" busy={signIn.isPending}>
            {t("Sign in")}
          </Button>
          {passkeysWork() ? (
            <Button
              size="wide"
              icon={<KeyRound size={16} aria-hidden />}
              busy={withPasskey.isPending}
              onClick={() => withPasskey.mutate(undefined, { onSuccess: enter })}
            >
              {t("Use a passkey")}
            </Button>
          ) : (
            <p className={css.aside}>
              <PasskeysElsewhere />
            </p>
          )}
        </form>
      )}
    </PublicPage>
  );
}

function LockedOut({ options }: { options: SignInOptions }) {
  if (options.password_reset) return <Link href="/forgot-password">{t("Forgot your password?")}</Link>;
  if (!options.password)
    return (
      <>{t("Locked out? Ask the people who manage {name}.", { name: options.sso?.name ?? t("single sign-on") })}</>
    );
  return (
    <>
      {rich("Locked out? The operator of the server can reset your password with {code}.", {
        code: <code>node bin/parley.mjs users reset-password &lt;e-mail&gt;</code>,
      })}
    </>
  );
}

/** There may be accounts before there is an owner: those of `parley demo` and `parley users create`. */
const SetupNeeded = ({ onSignIn }: { onSignIn: () => void }) => (
  <PublicPage
    title={t("Set up Parley")}
    lead={t(
      "The first account is created with a one-time link. The server printed it when it started; look for “/setup?token=”.",
    )}
  >
    <p>{t("Lost it? Start the server again, and it prints a fresh one:")}</p>
    <CodeBlock code="npm start" what={t("command")} />
    <Button onClick={onSignIn}>{t("Sign in with an existing account")}</Button>
  </PublicPage>
);

/** Only a path of this dashboard: a link must not lead people away after they have signed in. */
function safePath(path: string | null): string {
  return path !== null && /^\/(?![/\\])/.test(path) ? path : "/";
}

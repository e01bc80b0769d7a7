import "../../components/preload-dialogs.ts";
import { type FormEvent, useState } from "react";
import { type TwoFactor, useConfirmPassword, useTwoFactor } from "../../api/account.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page, Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import css from "../forms.module.css";
import { PasskeySection } from "./passkey-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TotpSection } from "./totp-section.tsx";

/** How you sign in, and where you are signed in. */
export function SecurityPage() {
  const twoFactor = useTwoFactor();
  const { two_factor_needed: needed } = useSession();
  return (
    <Page title="Account security" description="How you sign in, and where you are signed in." narrow>
      {needed && (
        <Notice tone="warning" title="This workspace requires two-factor sign-in">
          Set up an authenticator app or a passkey. The other pages open as soon as it is done.
        </Notice>
      )}
      <Loaded query={twoFactor} skeleton={<SkeletonRows rows={3} />}>
        {(state) => <Factors state={state} />}
      </Loaded>
      <SessionsSection />
    </Page>
  );
}

function Factors({ state }: { state: TwoFactor }) {
  const { has_password } = useSession();
  if (!has_password)
    return (
      <Section title="Single sign-on">
        <p>
          You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity
          provider.
        </p>
      </Section>
    );
  if (!state.confirmed) return <ConfirmSection />;
  return (
    <>
      <TotpSection enabled={state.totp} />
      <PasskeySection passkeys={state.passkeys} />
      {state.enabled && <RecoverySection left={state.recovery_codes_left} />}
    </>
  );
}

/** An unlocked screen is not enough to change how a user signs in. */
function ConfirmSection() {
  const { user } = useSession();
  const confirm = useConfirmPassword();
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(password);
  };
  return (
    <Section title="Two-factor sign-in" description="Enter your password to see and change it.">
      <form className={css.row} noValidate onSubmit={submit}>
        <input type="hidden" name="email" autoComplete="username" value={user.email} />
        <Field label="Password" error={confirm.error && (confirm.error.details.password ?? confirm.error.message)}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={confirm.isPending}>
          Continue
        </Button>
      </form>
    </Section>
  );
}

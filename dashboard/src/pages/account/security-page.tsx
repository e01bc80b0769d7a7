import { rich } from "../../lib/rich.ts";
import { plural, t } from "../../lib/texts.ts";
import "../../components/preload-dialogs.ts";
import { type FormEvent, useState } from "react";
import { type TwoFactor, useConfirmPassword, useDismissWrongCodes, useTwoFactor } from "../../api/account.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page, Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
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
    <Page title={t("Account security")} description={t("How you sign in, and where you are signed in.")} narrow>
      {needed && (
        <Notice tone="warning" title={t("This workspace requires two-factor sign-in")}>
          {t("Set up an authenticator app or a passkey. The other pages open as soon as it is done.")}
        </Notice>
      )}
      <Loaded query={twoFactor} skeleton={<SkeletonRows rows={3} />}>
        {(state) => (
          <>
            {state.wrong_codes && <WrongCodesNotice {...state.wrong_codes} />}
            <Factors state={state} />
          </>
        )}
      </Loaded>
      <SessionsSection />
    </Page>
  );
}

/** The password alone did not let them in, but they have it. */
function WrongCodesNotice({ count, last_at, last_ip }: NonNullable<TwoFactor["wrong_codes"]>) {
  const dismiss = useDismissWrongCodes();
  return (
    <Notice
      tone="warning"
      title={plural(
        count,
        "{n} wrong codes were entered after your correct password",
        "{n} wrong codes were entered after your correct password",
      )}
      actions={
        <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate(undefined)}>
          {t("Dismiss")}
        </Button>
      }
    >
      {last_ip === null
        ? rich("The last one was entered {time}.", { time: <Time at={last_at} /> })
        : rich("The last one was entered {time} from the address {address}.", {
            time: <Time at={last_at} />,
            address: last_ip,
          })}{" "}
      {t("If that was not you, change your password under Profile.")}
    </Notice>
  );
}

function Factors({ state }: { state: TwoFactor }) {
  const { has_password } = useSession();
  if (!has_password)
    return (
      <Section title={t("Single sign-on")}>
        <p>
          {t(
            "You sign in through single sign-on, without a password of Parley. A second factor is set up at your identity provider.",
          )}
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
    <Section title={t("Two-factor sign-in")} description={t("Enter your password to see and change it.")}>
      <form className={css.row} noValidate onSubmit={submit}>
        <input type="hidden" name="email" autoComplete="username" value={user.email} />
        <Field label={t("Password")} error={confirm.error && (confirm.error.details.password ?? confirm.error.message)}>
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
          {t("Continue")}
        </Button>
      </form>
    </Section>
  );
}

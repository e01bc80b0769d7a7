import { useState } from "react";
import { useSearchParams } from "wouter";
import { usePasswordResetLink, useResetPassword } from "../../api/password-reset.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { t } from "../../lib/texts.ts";
import { AuthForm } from "./auth-form.tsx";
import { OneTimeLinkPage } from "./one-time-link-page.tsx";

export function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const link = usePasswordResetLink(token);
  return (
    <OneTimeLinkPage title={t("New password")} token={token} link={link} ended={<LinkEnded />}>
      {() => <NewPasswordForm token={token} />}
    </OneTimeLinkPage>
  );
}

const LinkEnded = () => (
  <PublicPage
    title={t("This link is no longer valid")}
    lead={t("It was already used, or it has expired. Request a new one.")}
  >
    <LinkButton href="/forgot-password" size="wide">
      {t("Request a new link")}
    </LinkButton>
  </PublicPage>
);

function NewPasswordForm({ token }: { token: string }) {
  const [password, setPassword] = useState("");
  const reset = useResetPassword();
  if (reset.isSuccess)
    return (
      <PublicPage
        title={t("Password changed")}
        lead={t("You were signed out everywhere. Sign in with your new password.")}
      >
        <LinkButton href="/sign-in" size="wide">
          {t("Sign in")}
        </LinkButton>
      </PublicPage>
    );
  return (
    <PublicPage title={t("Choose a new password")} lead={t("You will be signed out on every device.")}>
      <AuthForm request={reset} onSubmit={() => reset.mutate({ token, password })} button={t("Save password")}>
        <Field label={t("New password")} hint={t("At least 10 characters.")} error={reset.error?.details.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              name="password"
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </AuthForm>
    </PublicPage>
  );
}

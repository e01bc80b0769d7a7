import { useState } from "react";
import { Link } from "wouter";
import { useRequestPasswordReset } from "../../api/password-reset.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { t } from "../../lib/texts.ts";
import { AuthForm } from "./auth-form.tsx";

export function ForgotPasswordPage() {
  const [email, setEmail] = useState("");
  const request = useRequestPasswordReset();
  if (request.isSuccess)
    return (
      <PublicPage
        title={t("Check your e-mail")}
        lead={t(
          "If {email} has an account here, an e-mail with a link is on its way. The link works once, for 30 minutes.",
          { email },
        )}
      >
        <LinkButton href="/sign-in" size="wide">
          {t("Back to sign-in")}
        </LinkButton>
      </PublicPage>
    );
  return (
    <PublicPage
      title={t("Forgot your password?")}
      lead={t("Enter the address that you sign in with. You get an e-mail with a link to choose a new password.")}
      foot={<Link href="/sign-in">{t("Back to sign-in")}</Link>}
    >
      <AuthForm request={request} onSubmit={() => request.mutate(email)} button={t("Send the link")}>
        <Field label={t("E-mail")} error={request.error?.details.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      </AuthForm>
    </PublicPage>
  );
}

import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { ROLES } from "../../api/members.ts";
import { useEnter } from "../../api/session.ts";
import { type InvitationPreview, useAcceptInvitation, useInvitationPreview } from "../../api/setup.ts";
import { useSignInOptions } from "../../api/sso.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { rich } from "../../lib/rich.ts";
import { inSentence, t } from "../../lib/texts.ts";
import { AuthForm } from "./auth-form.tsx";
import { OneTimeLinkPage } from "./one-time-link-page.tsx";
import { SsoButton } from "./sso-button.tsx";

export function InvitationPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const preview = useInvitationPreview(token);
  return (
    <OneTimeLinkPage title={t("Invitation")} token={token} link={preview} ended={<InvitationEnded />}>
      {(data) => <AcceptForm token={token} preview={data} />}
    </OneTimeLinkPage>
  );
}

const InvitationEnded = () => (
  <PublicPage
    title={t("This invitation is no longer valid")}
    lead={t("It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link.")}
  >
    <LinkButton href="/sign-in" size="wide">
      {t("Sign in")}
    </LinkButton>
  </PublicPage>
);

function AcceptForm({ token, preview }: { token: string; preview: InvitationPreview }) {
  const options = useSignInOptions();
  const { role, email, workspace, signed_in_as_invited: here } = preview;
  if (!options.data && !options.error) return null;
  const { sso = null, password = true } = options.data ?? {};
  return (
    <PublicPage
      title={t("Join {name}", { name: workspace.name })}
      lead={
        <>
          {rich("You are invited as an {role}, with {email}.", {
            role: inSentence(ROLES[role].title),
            email: <strong>{email}</strong>,
          })}{" "}
          {!here && (password ? PASSWORD_LEAD : t("Sign in with the account of this address."))}
        </>
      }
    >
      {sso && !here && (
        <SsoButton name={sso.name} purpose={{ next: "/", invitation_token: token }} primary={!password} />
      )}
      {(here || password) && <JoinForm token={token} preview={preview} />}
    </PublicPage>
  );
}

const PASSWORD_LEAD = t("Choose a password. If you already have an account with this address, enter its password.");

function JoinForm({ token, preview }: { token: string; preview: InvitationPreview }) {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { email, signed_in_as_invited: here } = preview;
  const accept = useAcceptInvitation();
  const submit = () =>
    accept.mutate(
      { token, ...(here ? {} : { name, password }) },
      {
        onSuccess: (session) => {
          enter(session);
          navigate("/", { replace: true });
        },
      },
    );
  const details = accept.error?.details ?? {};
  return (
    <AuthForm request={accept} onSubmit={submit} button={t("Join workspace")}>
      <input type="hidden" name="email" autoComplete="username" value={email} />
      {!here && (
        <Field label={t("Your name")} error={details.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="name"
              autoFocus
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      )}
      {!here && (
        <Field label={t("Password")} hint={t("At least 10 characters.")} error={details.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              name="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      )}
    </AuthForm>
  );
}

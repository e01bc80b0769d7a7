import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useEnter } from "../../api/session.ts";
import { type InvitationPreview, useAcceptInvitation, useInvitationPreview } from "../../api/setup.ts";
import { useSignInOptions } from "../../api/sso.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { AuthForm } from "./auth-form.tsx";
import { OneTimeLinkPage } from "./one-time-link-page.tsx";
import { SsoButton } from "./sso-button.tsx";

export function InvitationPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const preview = useInvitationPreview(token);
  return (
    <OneTimeLinkPage title="Invitation" token={token} link={preview} ended={<InvitationEnded />}>
      {(data) => <AcceptForm token={token} preview={data} />}
    </OneTimeLinkPage>
  );
}

const InvitationEnded = () => (
  <PublicPage
    title="This invitation is no longer valid"
    lead="It was used, revoked or replaced by a newer one, or it has expired. Ask for a new link."
  >
    <LinkButton href="/sign-in" size="wide">
      Sign in
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
      title={`Join ${workspace.name}`}
      lead={
        <>
          You are invited as {role === "agent" ? "an agent" : `an ${role}`}, with <strong>{email}</strong>.{" "}
          {!here && (password ? PASSWORD_LEAD : "Sign in with the account of this address.")}
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

const PASSWORD_LEAD = "Choose a password. If you already have an account with this address, enter its password.";

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
    <AuthForm request={accept} onSubmit={submit} button="Join workspace">
      <input type="hidden" name="email" autoComplete="username" value={email} />
      {!here && (
        <Field label="Your name" error={details.name}>
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
        <Field label="Password" hint="At least 10 characters." error={details.password}>
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

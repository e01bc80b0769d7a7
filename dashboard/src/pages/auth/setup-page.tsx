import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useEnter } from "../../api/session.ts";
import { useSetup, useSetupLink, useSetupNeeded } from "../../api/setup.ts";
import { useSignInOptions } from "../../api/sso.ts";
import { LinkButton } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { t } from "../../lib/texts.ts";
import { AuthForm } from "./auth-form.tsx";
import { isEnded } from "./one-time-link-page.tsx";
import { SsoButton } from "./sso-button.tsx";

/** The first run: the person who opens the link that the server printed becomes the owner. */
export function SetupPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const setup = useSetupNeeded();
  const link = useSetupLink(token);
  const options = useSignInOptions();
  if (setup.isPending || link.isLoading || options.isPending) return null;
  if (setup.data?.needed === false)
    return (
      <PublicPage
        title={t("Parley is set up")}
        lead={t("The owner's account exists, so this link is no longer needed.")}
      >
        <LinkButton href="/sign-in" variant="primary" size="wide">
          {t("Sign in")}
        </LinkButton>
      </PublicPage>
    );
  if (isEnded(token, link.error))
    return (
      <PublicPage
        title={token === "" ? t("Open the set-up link") : t("This set-up link is not valid")}
        lead={t(
          "The server prints a one-time link each time it starts, until the owner exists; older links stop working. Look for “/setup?token=” in its output, or start it again.",
        )}
      >
        <CodeBlock code="npm start" what={t("command")} />
      </PublicPage>
    );
  const { sso = null, password = true } = options.data ?? {};
  return (
    <PublicPage
      title={t("Welcome to Parley")}
      lead={
        password
          ? t("Create the owner's account. Owners invite everyone else.")
          : t("The first account to sign in here becomes the owner. Owners invite everyone else.")
      }
    >
      {sso && password && <SsoButton name={sso.name} purpose={{ next: "/", setup_token: token }} primary={false} />}
      {password ? <SetupForm token={token} /> : sso && <SsoSetup token={token} name={sso.name} />}
    </PublicPage>
  );
}

/** Where single sign-on is the only way in: the identity provider knows name and address. */
function SsoSetup({ token, name }: { token: string; name: string }) {
  const [workspace, setWorkspace] = useState("");
  const named = workspace.trim() ? { workspace_name: workspace } : {};
  return (
    <>
      <Field label={t("Workspace")} optional hint={t("Your team or company.")}>
        {(control) => (
          <Input
            {...control}
            name="workspace_name"
            autoComplete="organization"
            placeholder={t("Acme")}
            maxLength={255}
            value={workspace}
            onChange={(event) => setWorkspace(event.target.value)}
          />
        )}
      </Field>
      <SsoButton name={name} purpose={{ next: "/", setup_token: token, ...named }} primary />
    </>
  );
}

function SetupForm({ token }: { token: string }) {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const [values, setValues] = useState({ name: "", email: "", password: "", workspace_name: "" });
  const create = useSetup();
  const submit = () => {
    const { workspace_name, ...rest } = values;
    const body = { token, ...rest, ...(workspace_name.trim() ? { workspace_name } : {}) };
    create.mutate(body, {
      onSuccess: (session) => {
        enter(session);
        navigate("/", { replace: true });
      },
    });
  };
  const bind = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  });
  const details = create.error?.details ?? {};
  return (
    <AuthForm
      request={create}
      onSubmit={submit}
      button={t("Create account")}
      notice={create.error?.status === 404 ? <LinkOutdated /> : undefined}
    >
      <Field label={t("Your name")} error={details.name}>
        {(control) => <Input {...control} {...bind("name")} autoComplete="name" autoFocus />}
      </Field>
      <Field label={t("E-mail")} error={details.email}>
        {(control) => <Input {...control} {...bind("email")} type="email" autoComplete="username" />}
      </Field>
      <Field label={t("Password")} hint={t("At least 10 characters.")} error={details.password}>
        {(control) => <Input {...control} {...bind("password")} type="password" autoComplete="new-password" />}
      </Field>
      <Field label={t("Workspace")} optional hint={t("Your team or company.")} error={details.workspace_name}>
        {(control) => (
          <Input {...control} {...bind("workspace_name")} autoComplete="organization" placeholder={t("Acme")} />
        )}
      </Field>
    </AuthForm>
  );
}

const LinkOutdated = () => (
  <Notice tone="danger" title={t("This link is not valid")}>
    {t("It is wrong or outdated: each start of the server prints a new one. Open the newest.")}
  </Notice>
);

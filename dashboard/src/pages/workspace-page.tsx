import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../api/session.ts";
import { useRenameWorkspace, useRequireTwoFactor } from "../api/workspaces.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/code.tsx";
import { Check, Field, Input } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { toast } from "../components/toast.tsx";
import { rich } from "../lib/rich.ts";
import { t } from "../lib/texts.ts";
import { useUnsavedGuard } from "../lib/unsaved-guard.tsx";
import { AlertsSection } from "./alerts-section.tsx";
import css from "./forms.module.css";

export function WorkspacePage() {
  const { workspace } = useSession();
  const [edited, setEdited] = useState<string | null>(null);
  const name = edited ?? workspace.name;
  const leave = useUnsavedGuard(name !== workspace.name);
  const rename = useRenameWorkspace();
  const done = () => {
    toast(t("Workspace renamed."));
    setEdited(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name, { onSuccess: done });
  };
  return (
    <Page
      title={t("Workspace")}
      description={t("The name of this workspace, and what your apps need to reach it.")}
      narrow
    >
      <Section title={t("Name")}>
        <form className={css.row} noValidate onSubmit={submit}>
          {leave}
          <Field
            label={t("Workspace name")}
            hint={t("Everybody in the workspace sees it.")}
            error={rename.error && (rename.error.details.name ?? rename.error.message)}
          >
            {(control) => <Input {...control} value={name} onChange={(event) => setEdited(event.target.value)} />}
          </Field>
          <Button type="submit" variant="primary" busy={rename.isPending} disabled={name === workspace.name}>
            {t("Save")}
          </Button>
        </form>
      </Section>
      <TwoFactorSection />
      <AlertsSection />
      <Section title={t("Addresses")} description={t("What your apps and scripts connect to.")}>
        <Facts
          long
          facts={[
            { name: "API", value: <Copyable text={`${window.location.origin}/api/v1`} what={t("API address")} /> },
            { name: t("Workspace id"), value: <Copyable text={workspace.uuid} what={t("workspace id")} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

function TwoFactorSection() {
  const { workspace, second_factor: hasOne } = useSession();
  const require = useRequireTwoFactor();
  return (
    <Section title={t("Two-factor sign-in")}>
      <Check
        title={t("Require it of every member")}
        hint={t("Members without an authenticator app or passkey only reach the page that sets one up.")}
        checked={workspace.require_two_factor}
        disabled={!hasOne && !workspace.require_two_factor}
        onChange={({ target }) => {
          if (!require.isPending) require.mutate(target.checked, { onSuccess: () => toast(t("Saved.")) });
        }}
      />
      {!hasOne && !workspace.require_two_factor && (
        <Notice>
          {rich("Set up your own second factor first, under {link}.", {
            link: <Link href="/security">{t("Account security")}</Link>,
          })}
        </Notice>
      )}
      {require.error && <Notice tone="danger">{require.error.message}</Notice>}
    </Section>
  );
}

const Copyable = ({ text, what }: { text: string; what: string }) => (
  <span className={css.copyable}>
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
);

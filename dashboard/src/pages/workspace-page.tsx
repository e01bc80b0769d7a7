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
    toast("Workspace renamed.");
    setEdited(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name, { onSuccess: done });
  };
  return (
    <Page title="Workspace" description="The name of this workspace, and what your apps need to reach it." narrow>
      <Section title="Name">
        <form className={css.row} noValidate onSubmit={submit}>
          {leave}
          <Field
            label="Workspace name"
            hint="Everybody in the workspace sees it."
            error={rename.error && (rename.error.details.name ?? rename.error.message)}
          >
            {(control) => <Input {...control} value={name} onChange={(event) => setEdited(event.target.value)} />}
          </Field>
          <Button type="submit" variant="primary" busy={rename.isPending} disabled={name === workspace.name}>
            Save
          </Button>
        </form>
      </Section>
      <TwoFactorSection />
      <AlertsSection />
      <Section title="Addresses" description="What your apps and scripts connect to.">
        <Facts
          long
          facts={[
            { name: "API", value: <Copyable text={`${window.location.origin}/api/v1`} what="API address" /> },
            { name: "Workspace id", value: <Copyable text={workspace.uuid} what="workspace id" /> },
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
    <Section title="Two-factor sign-in">
      <Check
        title="Require it of every member"
        hint="Members without an authenticator app or passkey only reach the page that sets one up."
        checked={workspace.require_two_factor}
        disabled={!hasOne && !workspace.require_two_factor}
        onChange={({ target }) => {
          if (!require.isPending) require.mutate(target.checked, { onSuccess: () => toast("Saved.") });
        }}
      />
      {!hasOne && !workspace.require_two_factor && (
        <Notice>
          Set up your own second factor first, under <Link href="/security">Account security</Link>.
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

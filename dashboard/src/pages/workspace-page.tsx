import { type FormEvent, useState } from "react";
import { useSession } from "../api/session.ts";
import { useRenameWorkspace } from "../api/workspaces.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/code.tsx";
import { Field, Input } from "../components/field.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { toast } from "../components/toast.tsx";
import css from "./forms.module.css";

export function WorkspacePage() {
  const { workspace } = useSession();
  const [name, setName] = useState(workspace.name);
  const rename = useRenameWorkspace();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name, { onSuccess: () => toast("Workspace renamed.") });
  };
  return (
    <Page title="Workspace" description="The name of this workspace, and what your apps need to reach it." narrow>
      <Section title="Name">
        <form className={css.row} noValidate onSubmit={submit}>
          <Field
            label="Workspace name"
            hint="Everybody in the workspace sees it."
            error={rename.error && (rename.error.details.name ?? rename.error.message)}
          >
            {(control) => <Input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
          <Button type="submit" variant="primary" busy={rename.isPending} disabled={name === workspace.name}>
            Save
          </Button>
        </form>
      </Section>
      <Section title="Addresses" description="What your apps and scripts connect to.">
        <Facts
          facts={[
            { name: "API", value: <Copyable text={`${window.location.origin}/api/v1`} what="API address" /> },
            { name: "Workspace id", value: <Copyable text={workspace.uuid} what="workspace id" /> },
          ]}
        />
      </Section>
    </Page>
  );
}

const Copyable = ({ text, what }: { text: string; what: string }) => (
  <span className={css.copyable}>
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
);

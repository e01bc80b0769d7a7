import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type ApiError, dashboardApi } from "../api/client.ts";
import { SESSION_KEY, useSession } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { CopyButton } from "../components/code.tsx";
import { Field, Input } from "../components/field.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { toast } from "../components/toast.tsx";
import css from "./forms.module.css";

export function WorkspacePage() {
  const { workspace } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState(workspace.name);
  const rename = useMutation<unknown, ApiError, void>({
    mutationFn: () => dashboardApi("PATCH", "/workspace", { body: { name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SESSION_KEY });
      toast("The workspace is renamed.");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Page title="Workspace" description="What this workspace is called, and how programs name it." narrow>
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
      <Section title="Addresses" description="Where programs find this installation.">
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

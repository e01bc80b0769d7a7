import { useState } from "react";
import { useCreateWorkspace } from "../api/workspaces.ts";
import { Dialog, SubmitFooter } from "../components/dialog.tsx";
import { Field, Input } from "../components/field.tsx";
import { t } from "../lib/texts.ts";

interface Props {
  onClose: () => void;
  onCreated: (id: number) => void;
}

export function NewWorkspaceDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const create = useCreateWorkspace();
  const submit = () =>
    create.mutate(name, {
      onSuccess: ({ id }) => {
        onClose();
        onCreated(id);
      },
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("New workspace")}
      description={t(
        "A workspace has its own members, keys, webhooks and conversations. Nothing is shared between two.",
      )}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={onClose} busy={create.isPending}>
          {t("Create workspace")}
        </SubmitFooter>
      }
    >
      <Field label={t("Name")} error={create.error && (create.error.details.name ?? create.error.message)}>
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder={t("Staging")}
          />
        )}
      </Field>
    </Dialog>
  );
}

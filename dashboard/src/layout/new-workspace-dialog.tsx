import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiError, dashboardApi } from "../api/client.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field, Input } from "../components/field.tsx";

interface Props {
  onClose: () => void;
  onCreated: (uuid: string) => Promise<void>;
}

export function NewWorkspaceDialog({ onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const create = useMutation<{ uuid: string }, ApiError, void>({
    mutationFn: () => dashboardApi("POST", "/workspaces", { body: { name } }),
    onSuccess: async ({ uuid }) => {
      onClose();
      await onCreated(uuid);
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="New workspace"
      description="A workspace has its own members, keys, webhooks and conversations. Nothing is shared between two."
      onSubmit={() => create.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create workspace
          </Button>
        </>
      }
    >
      <Field label="Name" error={create.error && (create.error.details.name ?? create.error.message)}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} placeholder="Staging" />
        )}
      </Field>
    </Dialog>
  );
}

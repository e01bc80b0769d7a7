import { useState } from "react";
import { useLocation } from "wouter";
import { useDeleteConsumer, useResetConsumer } from "../../api/consumers.ts";
import { ConfirmDialog, Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { toast } from "../../components/toast.tsx";
import { StartField, type StartValue, startOf } from "./start-field.tsx";

interface DialogProps {
  name: string;
  onClose: () => void;
}

export function ResetDialog({ name, onClose }: DialogProps) {
  const reset = useResetConsumer(name);
  const [start, setStart] = useState<StartValue>({ where: "now", cursor: "" });
  const done = () => {
    toast(`${name} was reset.`);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reset ${name}`}
      description="Its next read begins there, whatever it has acknowledged."
      onSubmit={() => reset.mutate(startOf(start), { onSuccess: done })}
      footer={
        <SubmitFooter onCancel={onClose} busy={reset.isPending}>
          Reset consumer
        </SubmitFooter>
      }
    >
      <StartField value={start} error={reset.error?.details.start ?? reset.error?.message} onChange={setStart} />
    </Dialog>
  );
}

export function DeleteDialog({ name, onClose }: DialogProps) {
  const remove = useDeleteConsumer(name);
  const [, navigate] = useLocation();
  const done = () => {
    toast(`${name} deleted.`);
    navigate("/settings/consumers");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      confirm="Delete consumer"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      Its position is lost, and its readers get a 404. The events stay.
    </ConfirmDialog>
  );
}

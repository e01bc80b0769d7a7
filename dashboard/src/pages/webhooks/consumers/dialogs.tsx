import { useState } from "react";
import { useLocation } from "wouter";
import { useDeleteConsumer, useResetConsumer } from "../../../api/consumers.ts";
import { ConfirmDialog, Dialog, SubmitFooter } from "../../../components/dialog.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { StartField, type StartValue, startOf } from "./start-field.tsx";

interface DialogProps {
  name: string;
  onClose: () => void;
}

export function ResetDialog({ name, onClose }: DialogProps) {
  const reset = useResetConsumer(name);
  const [start, setStart] = useState<StartValue>({ where: "now", cursor: "" });
  const done = () => {
    toast(t("{name} was reset.", { name }));
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Reset {name}", { name })}
      description={t("Its next read begins there, whatever it has acknowledged.")}
      onSubmit={() => reset.mutate(startOf(start), { onSuccess: done })}
      footer={
        <SubmitFooter onCancel={onClose} busy={reset.isPending}>
          {t("Reset consumer")}
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
    toast(t("{name} deleted.", { name }));
    navigate("/settings/consumers");
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("Delete {name}?", { name })}
      confirm={t("Delete consumer")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: done })}
    >
      {t("Its position is lost, and its readers get a 404. The events stay.")}
    </ConfirmDialog>
  );
}

import { useState } from "react";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { serverNow } from "../../lib/server-clock.ts";
import { fieldTime, latestSnooze, snoozeProblem } from "./snooze.ts";

interface SnoozeDialogProps {
  onChoose: (until: Date) => void;
  onClose: () => void;
}

/** Until a time of one's own, in the reader's time zone. */
export function SnoozeDialog({ onChoose, onClose }: SnoozeDialogProps) {
  const [value, setValue] = useState(() => fieldTime(new Date(serverNow().getTime() + 2 * 3_600_000)));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => {
    const until = new Date(value);
    const found = snoozeProblem(until, serverNow());
    setProblem(found);
    if (found) return;
    onChoose(until);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Snooze until"
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={onClose} busy={false}>
          Snooze
        </SubmitFooter>
      }
    >
      <Field label="Date and time" hint="In your time zone." error={problem ? [problem] : undefined}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={value}
            min={fieldTime(serverNow())}
            max={fieldTime(latestSnooze(serverNow()))}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}

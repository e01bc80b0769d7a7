import { useState } from "react";
import { Dialog, SubmitFooter } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { serverNow } from "../../lib/server-clock.ts";
import { t } from "../../lib/texts.ts";
import { fieldTime, latestSnooze, snoozeProblem } from "./snooze.ts";

const PROBLEMS = {
  missing: t("Give a date and a time."),
  past: t("This time has passed: choose one that is still to come."),
  "too-far": t("Choose a time within the next year."),
};

interface SnoozeDialogProps {
  onChoose: (until: Date) => void;
  onClose: () => void;
}

/** Until a time of one's own, in the reader's time zone. */
export function SnoozeDialog({ onChoose, onClose }: SnoozeDialogProps) {
  const [value, setValue] = useState(() => fieldTime(new Date(serverNow().getTime() + 2 * 3_600_000)));
  const [problem, setProblem] = useState<ReturnType<typeof snoozeProblem>>(null);
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
      title={t("Snooze until")}
      onSubmit={submit}
      footer={
        <SubmitFooter onCancel={onClose} busy={false}>
          {t("Snooze")}
        </SubmitFooter>
      }
    >
      <Field
        label={t("Date and time")}
        hint={t("In your time zone.")}
        error={problem ? [PROBLEMS[problem]] : undefined}
      >
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

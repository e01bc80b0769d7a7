import { useCatalogue } from "../../../api/catalogue.ts";
import { Check, Field, Input } from "../../../components/field.tsx";
import { formatSpan } from "../../../lib/time.ts";
import css from "./form.module.css";
import type { FormValues } from "./form-values.ts";

interface DeliveryFieldsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  onChange: (part: Partial<FormValues>, field: string) => void;
}

/** Retries, timeout, order, and which events to leave out. */
export function DeliveryFields({ values, problems, onChange }: DeliveryFieldsProps) {
  const schedule = useCatalogue().data?.retry_schedule_seconds;
  return (
    <>
      <div className={css.pair}>
        <Field label="Retries" error={problems.retry_count} hint={retryHint(values.retries, schedule)}>
          {(control) => (
            <Input
              {...control}
              name="retry_count"
              type="number"
              min={0}
              max={10}
              value={values.retries}
              onChange={(event) => onChange({ retries: event.target.value }, "retry_count")}
            />
          )}
        </Field>
        <Field label="Timeout in seconds" error={problems.timeout_seconds} hint="For the whole attempt, 5 to 60.">
          {(control) => (
            <Input
              {...control}
              name="timeout_seconds"
              type="number"
              min={5}
              max={60}
              value={values.timeout}
              onChange={(event) => onChange({ timeout: event.target.value }, "timeout_seconds")}
            />
          )}
        </Field>
      </div>
      <Check
        title="Keep the order of each conversation"
        hint="The next event of a conversation is sent when the one before it has succeeded or will not be retried. Conversations do not wait for each other."
        checked={values.ordered}
        onChange={(event) => onChange({ ordered: event.target.checked }, "ordered")}
      />
      <Check
        title="Skip own events"
        hint="Leaves out events caused by the API key that created this webhook, so that an integration does not receive its own changes. A webhook created here has no such key."
        checked={values.skipOwnEvents}
        onChange={(event) => onChange({ skipOwnEvents: event.target.checked }, "skip_own_events")}
      />
    </>
  );
}

/** When the last retry is made, by this installation's own schedule; its last step repeats. */
function retryHint(retries: string, schedule: readonly number[] | undefined): string {
  const count = Number(retries);
  if (retries === "0") return "A failed delivery is not retried.";
  if (!schedule?.length || !Number.isInteger(count) || count < 1 || count > 10)
    return "Retries after the first attempt, 0 to 10.";
  const steps = Array.from({ length: count }, (_, index) => schedule[Math.min(index, schedule.length - 1)] ?? 0);
  return `Retries after the first attempt, 0 to 10. The last one is about ${formatSpan(steps.reduce((sum, step) => sum + step, 0))} after it.`;
}

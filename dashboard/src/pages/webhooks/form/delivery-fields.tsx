import { Check, Field, Input } from "../../../components/field.tsx";
import css from "./form.module.css";
import type { FormValues } from "./form-values.ts";

interface DeliveryFieldsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  onChange: (part: Partial<FormValues>, field: string) => void;
}

/** How hard to try, how long to wait, and what to leave out. */
export const DeliveryFields = ({ values, problems, onChange }: DeliveryFieldsProps) => (
  <>
    <div className={css.pair}>
      <Field label="Retries" error={problems.retry_count} hint={retryWords(values.retries)}>
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
      title="Skip own events"
      hint="Leaves out what was caused by the API key that created this webhook, so that an integration does not hear its own echo. A webhook made here has no such key."
      checked={values.skipOwnEvents}
      onChange={(event) => onChange({ skipOwnEvents: event.target.checked }, "skip_own_events")}
    />
  </>
);

/** With the schedule the product comes with. */
const SPANS = [
  "",
  "5 seconds",
  "35 seconds",
  "3 minutes",
  "13 minutes",
  "43 minutes",
  "2 hours",
  "4 hours",
  "10 hours",
  "22 hours",
  "2 days",
];

function retryWords(retries: string): string {
  const count = Number(retries);
  if (retries === "0") return "A failed attempt is not repeated.";
  return SPANS[count]
    ? `Attempts after the first, 0 to 10. With ${count} it gives up after about ${SPANS[count]}.`
    : "Attempts after the first, 0 to 10.";
}

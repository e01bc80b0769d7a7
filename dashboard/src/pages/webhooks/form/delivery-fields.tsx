import { useCatalogue } from "../../../api/catalogue.ts";
import { Check, Field, Input } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import { formatSpan } from "../../../lib/time.ts";
import css from "./form.module.css";
import type { FormValues } from "./form-values.ts";

interface DeliveryFieldsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  onChange: (part: Partial<FormValues>, field: string) => void;
}

/** Retries, timeout, rate, order, and whether to leave out own events. */
export function DeliveryFields({ values, problems, onChange }: DeliveryFieldsProps) {
  const schedule = useCatalogue().data?.retry_schedule_seconds;
  return (
    <>
      <div className={css.pair}>
        <NumberField
          label={t("Retries")}
          name="retry_count"
          range={[0, 10]}
          value={values.retries}
          error={problems.retry_count}
          hint={retryHint(values.retries, schedule)}
          onChange={(retries) => onChange({ retries }, "retry_count")}
        />
        <NumberField
          label={t("Timeout in seconds")}
          name="timeout_seconds"
          range={[5, 60]}
          value={values.timeout}
          error={problems.timeout_seconds}
          hint={t("For the whole attempt, 5 to 60.")}
          onChange={(timeout) => onChange({ timeout }, "timeout_seconds")}
        />
        <NumberField
          label={t("Deliveries per second")}
          name="rate_limit"
          range={[1, 1_000]}
          optional
          placeholder={t("No limit")}
          value={values.rateLimit}
          error={problems.rate_limit}
          hint={t("At most, 1 to 1,000. What is above waits its turn.")}
          onChange={(rateLimit) => onChange({ rateLimit }, "rate_limit")}
        />
      </div>
      <Check
        title={t("Keep the order of each conversation")}
        hint={t(
          "The next event of a conversation is sent when the one before it has succeeded or will not be retried. Conversations do not wait for each other.",
        )}
        checked={values.ordered}
        onChange={(event) => onChange({ ordered: event.target.checked }, "ordered")}
      />
      <Check
        title={t("Skip own events")}
        hint={t(
          "Leaves out events caused by the API key that created this webhook, so that an integration does not receive its own changes. A webhook created here has no such key.",
        )}
        checked={values.skipOwnEvents}
        onChange={(event) => onChange({ skipOwnEvents: event.target.checked }, "skip_own_events")}
      />
    </>
  );
}

interface NumberFieldProps {
  label: string;
  name: string;
  range: readonly [least: number, most: number];
  optional?: boolean;
  placeholder?: string;
  value: string;
  error: readonly string[] | undefined;
  hint: string;
  onChange: (value: string) => void;
}

const NumberField = ({ label, name, range: [min, max], optional = false, ...rest }: NumberFieldProps) => (
  <Field label={label} optional={optional} error={rest.error} hint={rest.hint}>
    {(control) => (
      <Input
        {...control}
        name={name}
        type="number"
        min={min}
        max={max}
        placeholder={rest.placeholder}
        value={rest.value}
        onChange={(event) => rest.onChange(event.target.value)}
      />
    )}
  </Field>
);

/** When the last retry is made, by this installation's own schedule; its last step repeats. */
function retryHint(retries: string, schedule: readonly number[] | undefined): string {
  const count = Number(retries);
  if (retries === "0") return t("A failed delivery is not retried.");
  if (!schedule?.length || !Number.isInteger(count) || count < 1 || count > 10)
    return t("Retries after the first attempt, 0 to 10.");
  const steps = Array.from({ length: count }, (_, index) => schedule[Math.min(index, schedule.length - 1)] ?? 0);
  return t("Retries after the first attempt, 0 to 10. The last one is about {formatSpan} after it.", {
    formatSpan: formatSpan(steps.reduce((sum, step) => sum + step, 0)),
  });
}

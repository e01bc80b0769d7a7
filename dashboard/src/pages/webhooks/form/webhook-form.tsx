import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type ApiError, beyondFields } from "../../../api/client.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Section } from "../../../components/page.tsx";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import { t } from "../../../lib/texts.ts";
import { useUnsavedGuard } from "../../../lib/unsaved-guard.tsx";
import { ControlSections } from "./control-sections.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import { EventPicker } from "./event-picker.tsx";
import css from "./form.module.css";
import { FORM_FIELDS, type FormValues, problemsOf } from "./form-values.ts";
import { HeadersEditor } from "./headers-editor.tsx";
import { UrlField } from "./url-field.tsx";

interface WebhookFormProps {
  initial: FormValues;
  /** The verb on the button. */
  save: string;
  cancelHref: string;
  busy: boolean;
  /** Leaving needs no question any more. */
  saved: boolean;
  error: ApiError | null;
  /** Shown when another user changed it meanwhile. */
  conflict?: ReactNode;
  onSave: (values: FormValues) => void;
}

/** For creating and editing. Errors are shown at their field: the form's own at once, the server's with its response. */
export function WebhookForm({ initial, save, cancelHref, busy, saved, error, conflict, onSave }: WebhookFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const leave = useUnsavedGuard(values !== initial && !saved);
  const [problems, setProblems] = useState<Record<string, string[]>>({});
  const [shownError, setShownError] = useState<ApiError | null>(null);
  if (error !== shownError) {
    setShownError(error);
    setProblems(error?.details ?? {});
    if (error) focusFirstError(form.current);
  }
  const set = (part: Partial<FormValues>, field: string) => {
    setValues((before) => ({ ...before, ...part }));
    if (problems[field]) setProblems(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length === 0) onSave(values);
    else focusFirstError(form.current);
  };
  const elsewhere = error && beyondFields(error, FORM_FIELDS);
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      {leave}
      <Section title={t("Destination")}>
        <Field label={t("Name")} error={problems.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="off"
              maxLength={255}
              placeholder={t("Orders")}
              value={values.name}
              onChange={(event) => set({ name: event.target.value }, "name")}
            />
          )}
        </Field>
        <UrlField value={values.url} error={problems.url} onChange={(url) => set({ url }, "url")} />
      </Section>
      <Section title={t("Events")} description={t("Which events are sent to this destination.")}>
        <EventPicker value={values.events} error={problems.events} onChange={(events) => set({ events }, "events")} />
      </Section>
      <ControlSections values={values} problems={problems} onChange={set} />
      <Section
        title={t("Custom headers")}
        description={t(
          "Sent with each delivery, in addition to Parley's own. Stored encrypted; the log shows only their names.",
        )}
      >
        <HeadersEditor
          value={values.headers}
          error={problems.headers}
          onChange={(headers) => set({ headers }, "headers")}
        />
      </Section>
      <Section title={t("Delivery")}>
        <DeliveryFields values={values} problems={problems} onChange={set} />
      </Section>
      {error?.status === 412 && conflict ? (
        conflict
      ) : elsewhere ? (
        <Notice tone="danger" title={t("Not saved")}>
          {elsewhere}
        </Notice>
      ) : null}
      <div className={css.actions}>
        <Button type="submit" variant="primary" busy={busy}>
          {save}
        </Button>
        <LinkButton href={cancelHref} variant="ghost">
          {t("Cancel")}
        </LinkButton>
      </div>
    </form>
  );
}

import { type FormEvent, useRef, useState } from "react";
import type { ApiError } from "../../../api/client.ts";
import type { CreateWebhookBody } from "../../../api/webhooks.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Section } from "../../../components/page.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import { EventPicker } from "./event-picker.tsx";
import css from "./form.module.css";
import { bodyOf, type FormValues, problemsOf } from "./form-values.ts";
import { HeadersEditor } from "./headers-editor.tsx";
import { UrlField } from "./url-field.tsx";

interface WebhookFormProps {
  initial: FormValues;
  /** The verb on the button. */
  save: string;
  cancelHref: string;
  busy: boolean;
  error: ApiError | null;
  onSave: (body: CreateWebhookBody) => void;
}

/** Creating and editing alike. What is wrong is said at its field, ours at once and the server's when it answers. */
export function WebhookForm({ initial, save, cancelHref, busy, error, onSave }: WebhookFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Record<string, string[]>>({});
  const [answered, setAnswered] = useState<ApiError | null>(null);
  if (error !== answered) {
    setAnswered(error);
    setProblems(error?.details ?? {});
    if (error) focusFirstProblem(form);
  }
  const set = (part: Partial<FormValues>, field: string) => {
    setValues((before) => ({ ...before, ...part }));
    if (problems[field]) setProblems(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length === 0) onSave(bodyOf(values));
    else focusFirstProblem(form);
  };
  const elsewhere = error && Object.keys(error.details).length === 0 ? error : null;
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <Section title="Destination">
        <Field label="Name" error={problems.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="off"
              maxLength={255}
              placeholder="Orders"
              value={values.name}
              onChange={(event) => set({ name: event.target.value }, "name")}
            />
          )}
        </Field>
        <UrlField value={values.url} error={problems.url} onChange={(url) => set({ url }, "url")} />
      </Section>
      <Section title="Events" description="What this destination hears of.">
        <EventPicker value={values.events} error={problems.events} onChange={(events) => set({ events }, "events")} />
      </Section>
      <Section
        title="Custom headers"
        description="Sent with each delivery, beside Parley's own. Stored encrypted; the log shows their names only."
      >
        <HeadersEditor
          value={values.headers}
          error={problems.headers}
          onChange={(headers) => set({ headers }, "headers")}
        />
      </Section>
      <Section title="Delivery">
        <DeliveryFields values={values} problems={problems} onChange={set} />
      </Section>
      {elsewhere && (
        <Notice tone="danger" title="It was not saved">
          {elsewhere.message}
        </Notice>
      )}
      <div className={css.actions}>
        <Button type="submit" variant="primary" busy={busy}>
          {save}
        </Button>
        <LinkButton href={cancelHref} variant="ghost">
          Cancel
        </LinkButton>
      </div>
    </form>
  );
}

/** After React has drawn the errors. */
function focusFirstProblem(form: React.RefObject<HTMLFormElement | null>): void {
  setTimeout(() => {
    const alert = form.current?.querySelector("[aria-invalid=true], [data-field]:has([role=alert])");
    if (!(alert instanceof HTMLElement)) return;
    alert.focus({ preventScroll: true });
    alert.scrollIntoView({ block: "center" });
  });
}

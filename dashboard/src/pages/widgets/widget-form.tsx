import { type FormEvent, useRef, useState } from "react";
import { beyondFields, type Versioned } from "../../api/client.ts";
import { useUpdateWidget, type Widget } from "../../api/widgets.ts";
import { Button } from "../../components/button.tsx";
import { Conflict } from "../../components/conflict.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import { changesBetween, FORM_FIELDS, type FormValues, valuesOf } from "./form-values.ts";
import { OWN_LANGUAGE } from "./languages.ts";
import { LookFields, TextFields } from "./look-fields.tsx";
import { MailboxField } from "./mailbox-field.tsx";
import { OriginsField } from "./origins-field.tsx";
import { Preview } from "./preview.tsx";
import { QuestionFields } from "./question-fields.tsx";
import css from "./widgets.module.css";

interface WidgetFormProps {
  /** The version that is sent back belongs to the values the form began with. */
  loaded: Versioned<Widget>;
  onReload: () => void;
}

/** The settings, with the real frame next to them. */
export function WidgetForm({ loaded: { record: widget, etag }, onReload }: WidgetFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(() => valuesOf(widget));
  const [values, setValues] = useState(initial);
  const [language, setLanguage] = useState(Object.keys(widget.texts)[0] ?? OWN_LANGUAGE);
  const save = useUpdateWidget(widget.id);
  const changes = changesBetween(initial, values);
  const isChanged = Object.keys(changes).length > 0;
  const leave = useUnsavedGuard(isChanged && !save.isSuccess);
  const { error } = save;
  const problems = error?.details ?? {};
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = () => {
      toast(t("Widget saved."));
      onReload();
    };
    save.mutate({ body: changes, etag }, { onSuccess: done, onError: () => focusFirstError(form.current) });
  };
  const elsewhere = error && beyondFields(error, FORM_FIELDS);
  const fields = { values, problems, onChange: change };
  return (
    <div className={css.columns}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        {leave}
        <Section title={t("Widget")}>
          <Field label={t("Name")} error={problems.name}>
            {(control) => (
              <Input
                {...control}
                name="name"
                maxLength={255}
                value={values.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <OriginsField
            value={values.origins}
            error={problems.allowed_origins}
            onChange={(origins) => change({ origins })}
          />
        </Section>
        <Section title={t("Look")}>
          <LookFields {...fields} />
        </Section>
        <Section
          title={t("Texts")}
          description={t("Where a text is empty, the built-in one of that language is used.")}
        >
          <TextFields {...fields} language={language} onLanguage={setLanguage} />
        </Section>
        <Section title={t("Visitors")}>
          <QuestionFields {...fields} />
          <MailboxField {...fields} />
        </Section>
        {error?.status === 412 ? (
          <Conflict what={t("widget")} onReload={onReload} />
        ) : (
          elsewhere && <Notice tone="danger">{elsewhere}</Notice>
        )}
        <div className={css.row}>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
            {t("Save changes")}
          </Button>
        </div>
      </form>
      <div className={css.side}>
        <Section title={t("Preview")}>
          <Preview widget={widget} values={values} language={language} />
        </Section>
      </div>
    </div>
  );
}

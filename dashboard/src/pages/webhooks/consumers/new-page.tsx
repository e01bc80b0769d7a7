import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../../api/client.ts";
import { consumerHref, usePutConsumer } from "../../../api/consumers.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Page, Section } from "../../../components/page.tsx";
import { toast } from "../../../components/toast.tsx";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import { t } from "../../../lib/texts.ts";
import { useUnsavedGuard } from "../../../lib/unsaved-guard.tsx";
import css from "./consumers.module.css";
import { ALL_EVENTS, bodyOf, EventsFields, problemsOf } from "./events-fields.tsx";
import { StartField, type StartValue, startOf } from "./start-field.tsx";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const NAME_PROBLEM = t("1 to 64 of a-z, 0-9, dot, underscore and dash, and a letter or digit first.");

export function NewPage() {
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const put = usePutConsumer();
  const [name, setName] = useState("");
  const [start, setStart] = useState<StartValue>({ where: "now", cursor: "" });
  const [values, setValues] = useState(ALL_EVENTS);
  const [own, setOwn] = useState<Record<string, string[]>>({});
  const leave = useUnsavedGuard((name !== "" || values !== ALL_EVENTS) && !put.isSuccess);
  // After the guard has seen that it is saved.
  useEffect(() => {
    if (!put.isSuccess) return;
    toast(t("{name} created.", { name: put.data.name }));
    navigate(consumerHref(put.data.name));
  }, [put.isSuccess, put.data, navigate]);
  const problems = { ...put.error?.details, ...own };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = { ...problemsOf(values), ...(NAME.test(name) ? {} : { name: [NAME_PROBLEM] }) };
    setOwn(found);
    if (Object.keys(found).length > 0) return focusFirstError(form.current);
    put.mutate(
      { name, body: { ...bodyOf(values), start: startOf(start) } },
      { onError: () => focusFirstError(form.current) },
    );
  };
  const elsewhere = put.error && beyondFields(put.error, ["name", "types", "filter", "start"]);
  return (
    <Page title={t("Create consumer")} narrow back={{ href: "/settings/consumers", title: t("Consumers") }}>
      <form ref={form} className={css.stack} noValidate onSubmit={submit}>
        {leave}
        <Section title={t("Consumer")}>
          <NameField value={name} error={problems.name} onChange={setName} />
          <StartField value={start} error={problems.start} onChange={setStart} />
        </Section>
        <EventsFields values={values} problems={problems} onChange={setValues} />
        {elsewhere && <Notice tone="danger">{elsewhere}</Notice>}
        <div className={css.row}>
          <Button type="submit" variant="primary" busy={put.isPending}>
            {t("Create consumer")}
          </Button>
          <LinkButton href="/settings/consumers" variant="ghost">
            {t("Cancel")}
          </LinkButton>
        </div>
      </form>
    </Page>
  );
}

interface NameFieldProps {
  value: string;
  error: readonly string[] | undefined;
  onChange: (name: string) => void;
}

const NameField = ({ value, error, onChange }: NameFieldProps) => (
  <Field label={t("Name")} hint={t("Readers name it in their requests.")} error={error}>
    {(control) => (
      <Input
        {...control}
        name="name"
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        placeholder={t("billing")}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

import { type FormEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../api/client.ts";
import { useCreateWidget, widgetHref } from "../../api/widgets.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page, Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { originsOf } from "./form-values.ts";
import { OriginsField } from "./origins-field.tsx";
import css from "./widgets.module.css";

/** Asks for what a widget cannot do without; the rest has defaults and is changed next to the preview. */
export function NewPage() {
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const create = useCreateWidget();
  const [name, setName] = useState("");
  const [origins, setOrigins] = useState("");
  const { error } = create;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { name, allowed_origins: originsOf(origins) },
      {
        onSuccess: ({ id }) => {
          toast(t("Widget created."));
          navigate(widgetHref(id));
        },
        onError: () => focusFirstError(form.current),
      },
    );
  };
  const elsewhere = error && beyondFields(error, ["name", "allowed_origins"]);
  return (
    <Page title={t("Create widget")} narrow back={{ href: "/settings/widgets", title: t("Widgets") }}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <Section title={t("Widget")}>
          <Field label={t("Name")} hint={t("For your team; visitors do not see it.")} error={error?.details.name}>
            {(control) => (
              <Input
                {...control}
                name="name"
                autoComplete="off"
                maxLength={255}
                placeholder={t("Shop")}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <OriginsField value={origins} error={error?.details.allowed_origins} onChange={setOrigins} />
        </Section>
        {elsewhere && <Notice tone="danger">{elsewhere}</Notice>}
        <div className={css.row}>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {t("Create widget")}
          </Button>
          <LinkButton href="/settings/widgets" variant="ghost">
            {t("Cancel")}
          </LinkButton>
        </div>
      </form>
    </Page>
  );
}

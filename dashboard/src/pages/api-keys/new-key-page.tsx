import { type FormEvent, useRef, useState } from "react";
import { useCreateKey } from "../../api/api-keys.ts";
import { KEY_TYPES } from "../../api/catalogue.ts";
import { beyondFields } from "../../api/client.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page, Section } from "../../components/page.tsx";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { t } from "../../lib/texts.ts";
import { stopAsking, useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import css from "./api-keys.module.css";
import { AbilitiesField, LimitFields, NameFields, TypeField } from "./key-fields.tsx";
import { abilitiesOf, addressesOf, EMPTY, expiresAt, KEY_FIELDS, type KeyValues, problemsOf } from "./key-form.ts";
import { NewSecret } from "./new-secret.tsx";

const BACK = { href: "/settings/api-keys", title: t("API Keys") };

export function NewKeyPage() {
  const [values, setValues] = useState<KeyValues>(EMPTY);
  const [own, setOwn] = useState<Record<string, string[]>>({});
  const form = useRef<HTMLFormElement>(null);
  const create = useCreateKey();
  const leave = useUnsavedGuard(values !== EMPTY && !create.data);
  const change = (changed: Partial<KeyValues>) => setValues((before) => ({ ...before, ...changed }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(values);
    setOwn(found);
    if (Object.keys(found).length > 0) return focusFirstError(form.current);
    const expires = expiresAt(values);
    const body = {
      name: values.name,
      type: values.type,
      abilities: abilitiesOf(values),
      rate_limit_tier: values.tier,
      ...(values.description.trim() ? { description: values.description } : {}),
      ...(expires ? { expires_at: expires } : {}),
      allowed_ips: addressesOf(values),
    };
    create.mutate(body, { onError: () => focusFirstError(form.current) });
  };

  if (create.data)
    return (
      <Page title={t("Key created")} back={BACK} narrow>
        <Section title={create.data.name} description={t("{type} key", { type: KEY_TYPES[create.data.type].title })}>
          <NewSecret secret={create.data.key} />
          <div className={css.formFoot}>
            <LinkButton href={`/settings/api-keys/${create.data.id}`} variant="primary" onClick={stopAsking}>
              {t("I have stored it")}
            </LinkButton>
          </div>
        </Section>
      </Page>
    );

  const problems = { ...create.error?.details, ...own };
  const fields = { values, onChange: change, problems };
  const general = create.error && beyondFields(create.error, KEY_FIELDS);
  return (
    <Page title={t("Create key")} back={BACK} narrow>
      {leave}
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <Section title={t("Type")} description={t("What kind of app uses it? The type cannot be changed later.")}>
          <TypeField {...fields} />
        </Section>
        <Section title={t("Abilities")} description={t("What it can do. Only what this type may hold is listed.")}>
          <AbilitiesField {...fields} />
        </Section>
        <Section title={t("Name and description")}>
          <NameFields {...fields} />
        </Section>
        <Section title={t("Limits")}>
          <LimitFields {...fields} />
        </Section>
        {(general || Object.keys(problems).length > 0) && (
          <Notice tone="danger">{general ?? t("Some fields are invalid; they are marked above.")}</Notice>
        )}
        <div className={css.formFoot}>
          <LinkButton href="/settings/api-keys">{t("Cancel")}</LinkButton>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {t("Create key")}
          </Button>
        </div>
      </form>
    </Page>
  );
}

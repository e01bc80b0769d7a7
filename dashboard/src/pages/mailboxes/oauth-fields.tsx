import { Field, Input, Textarea } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import type { FieldsProps } from "./account-fields.tsx";
import { chosenProvider, type FormValues } from "./form-values.ts";
import css from "./mailboxes.module.css";

const FIELDS = [
  { name: "client_id", label: t("Client ID") },
  { name: "client_secret", label: t("Client secret"), isSecret: true },
  { name: "token_url", label: t("Token URL") },
  { name: "scope", label: t("Scope") },
] as const;

/** Where the values come from is in the guide, step by step. */
export function OauthFields({ values, isNew, onChange }: FieldsProps) {
  const { oauth } = values;
  const provider = chosenProvider(values)?.oauth && values.provider !== "other" ? chosenProvider(values) : undefined;
  const guide = provider ? `/docs/guides/mailbox#${provider.id}` : "/docs/guides/mailbox#oauth";
  const change = (part: Partial<FormValues["oauth"]>) => onChange({ oauth: { ...oauth, ...part } });
  const stays = isNew ? undefined : t("Empty: the stored one stays.");
  return (
    <>
      <p className={css.hint}>
        {t("You register Parley once as an application of yours and get these values there.")}{" "}
        <a href={guide} target="_blank" rel="noreferrer">
          {t("Where to get them, step by step")}
        </a>
      </p>
      <div className={css.pair}>
        {FIELDS.map(({ name, label, ...rest }) => (
          <Field key={name} label={label} hint={"isSecret" in rest ? stays : undefined}>
            {(control) => (
              <Input
                {...control}
                name={name}
                mono
                autoComplete="off"
                type={"isSecret" in rest ? "password" : "text"}
                value={oauth[name]}
                onChange={({ target }) => change({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Field
        label={t("Refresh token")}
        hint={stays ?? t("If the provider replaces it later, Parley stores the new one.")}
      >
        {(control) => (
          <Textarea
            {...control}
            name="refresh_token"
            mono
            rows={3}
            spellCheck={false}
            autoComplete="off"
            value={oauth.refresh_token}
            onChange={({ target }) => change({ refresh_token: target.value.trim() })}
          />
        )}
      </Field>
    </>
  );
}

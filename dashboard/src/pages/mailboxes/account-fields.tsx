import { Choices, Field, Input, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import { chosenProvider, type FormValues, prefilled } from "./form-values.ts";
import css from "./mailboxes.module.css";
import { OauthFields } from "./oauth-fields.tsx";
import { PROVIDERS, providerOf } from "./providers.ts";

export interface FieldsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  /** A secret that is left empty stays as it is. */
  isNew: boolean;
  onChange: (change: Partial<FormValues>) => void;
}

/** What a person knows: the address and the password. The servers follow from the address. */
export function AccountFields(fields: FieldsProps) {
  const { values, problems, isNew, onChange } = fields;
  const asked = values.wayIn === "imap" || values.wayOut === "account";
  const { oauth, note } = chosenProvider(values) ?? {};
  return (
    <>
      <Field label={t("E-mail address")} hint={t("The address that your customers write to.")} error={problems.address}>
        {(control) => (
          <Input
            {...control}
            name="address"
            type="email"
            autoComplete="off"
            maxLength={320}
            placeholder="support@shop.example"
            value={values.address}
            onChange={({ target }) =>
              onChange(isNew ? prefilled({ ...values, address: target.value }) : { address: target.value })
            }
          />
        )}
      </Field>
      {asked && (
        <>
          <ProviderField {...fields} />
          {(oauth || values.signIn === "oauth" || !chosenProvider(values)) && !oauth?.only && (
            <SignInField {...fields} />
          )}
          {note && <p className={css.hint}>{note}</p>}
          {values.signIn === "oauth" ? (
            <OauthFields {...fields} />
          ) : (
            <Field label={t("Password")} hint={isNew ? undefined : t("Empty: the stored one stays.")}>
              {(control) => (
                <Input
                  {...control}
                  name="password"
                  type="password"
                  autoComplete="new-password"
                  maxLength={4096}
                  value={values.password}
                  onChange={({ target }) => onChange({ password: target.value })}
                />
              )}
            </Field>
          )}
        </>
      )}
    </>
  );
}

function ProviderField({ values, onChange }: FieldsProps) {
  const found = providerOf(values.address);
  return (
    <Field
      label={t("Provider")}
      hint={t("An address of your own domain does not say where its mail is kept: choose it here.")}
    >
      {(control) => (
        <Select
          {...control}
          name="provider"
          value={values.provider}
          onChange={({ target }) => onChange(prefilled({ ...values, provider: target.value }))}
        >
          <option value="">{found ? t("{name} (by the address)", { name: found.name }) : t("By the address")}</option>
          {PROVIDERS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="other">{t("Another mail server")}</option>
        </Select>
      )}
    </Field>
  );
}

const SignInField = ({ values, onChange }: FieldsProps) => (
  <Choices
    label={t("How Parley signs in")}
    name="signIn"
    value={values.signIn}
    options={[
      { value: "password", title: t("Password"), hint: t("Or an app password.") },
      { value: "oauth", title: "OAuth", hint: t("With a refresh token of your provider.") },
    ]}
    onChange={(signIn) => onChange({ signIn })}
    className={css.choices}
  />
);

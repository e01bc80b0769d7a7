import { CircleAlert } from "lucide-react";
import { Check, Choices, Field, Input, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import type { FieldsProps } from "./account-fields.tsx";
import { chosenProvider, type Server } from "./form-values.ts";
import css from "./mailboxes.module.css";

const WAYS_IN = [
  { value: "imap", title: t("From the mail server"), hint: t("By IMAP. Right for nearly everybody.") },
  { value: "smtp", title: t("Parley's own receiver"), hint: t("The domain's MX record points to this installation.") },
  { value: "http", title: t("By HTTP"), hint: t("A program of yours hands each mail over.") },
] as const;

const WAYS_OUT = [
  {
    value: "account",
    title: t("Through the mail server of this account"),
    hint: t("By SMTP, as a mail program does."),
  },
  {
    value: "installation",
    title: t("Through the mail server of the installation"),
    hint: t("The one of PARLEY_SMTP_URL."),
  },
] as const;

export const InboundFields = (fields: FieldsProps) => {
  const { values, problems, isNew, onChange } = fields;
  return (
    <div className={css.fields} data-field>
      <Choices
        label={t("How mail comes in")}
        name="wayIn"
        value={values.wayIn}
        options={WAYS_IN}
        onChange={(wayIn) => onChange({ wayIn })}
        className={css.choices}
      />
      {values.wayIn === "imap" && (
        <>
          <ServerFields
            name="IMAP"
            server={values.imap}
            isKnown={isNew && chosenProvider(values) !== undefined}
            onChange={(imap) => onChange({ imap })}
          />
          <div className={css.pair}>
            <Field label={t("User")} hint={t("Nearly always the address.")}>
              {(control) => (
                <Input
                  {...control}
                  name="user"
                  autoComplete="off"
                  maxLength={320}
                  value={values.user}
                  onChange={({ target }) => onChange({ user: target.value })}
                />
              )}
            </Field>
            <Field
              label={t("Import mail since")}
              optional
              hint={t("Without a date: only mail that arrives from now on.")}
            >
              {(control) => (
                <Input
                  {...control}
                  name="since"
                  type="date"
                  value={values.since}
                  onChange={({ target }) => onChange({ since: target.value })}
                />
              )}
            </Field>
          </div>
        </>
      )}
      <Problem of={problems.inbound} part="inbound" />
    </div>
  );
};

export const OutboundFields = (fields: FieldsProps) => {
  const { values, problems, isNew, onChange } = fields;
  return (
    <div className={css.fields} data-field>
      <Choices
        label={t("How mail goes out")}
        name="wayOut"
        value={values.wayOut}
        options={WAYS_OUT}
        onChange={(wayOut) => onChange({ wayOut })}
        className={css.choices}
      />
      {values.wayOut === "account" && (
        <ServerFields
          name="SMTP"
          server={values.smtp}
          isKnown={isNew && chosenProvider(values) !== undefined}
          onChange={(smtp) => onChange({ smtp })}
        />
      )}
      {values.wayOut === "account" && !chosenProvider(values) && (
        <Check
          title={t("This server asks nobody to sign in")}
          hint={t("As Postfix on the same machine.")}
          checked={values.smtpIsOpen}
          onChange={({ target }) => onChange({ smtpIsOpen: target.checked })}
        />
      )}
      <Problem of={problems.outbound} part="outbound" />
    </div>
  );
};

const SECURITIES = [
  { value: "tls", title: t("TLS (encrypted)") },
  { value: "starttls", title: t("STARTTLS (encrypted)") },
  { value: "none", title: t("None (not encrypted)") },
] as const;

interface ServerFieldsProps {
  name: "IMAP" | "SMTP";
  server: Server;
  /** By the provider: there is nothing to fill in. */
  isKnown: boolean;
  onChange: (server: Server) => void;
}

const ServerFields = ({ name, server, isKnown, onChange }: ServerFieldsProps) => (
  <details className={css.servers} open={!isKnown} key={String(isKnown)}>
    <summary className={css.serversTitle}>
      {t("{name} server", { name })}
      {isKnown && `: ${server.host}`}
    </summary>
    <ServerControls name={name} server={server} onChange={onChange} />
  </details>
);

const ServerControls = ({ name, server, onChange }: Omit<ServerFieldsProps, "isKnown">) => (
  <div className={css.server}>
    <Field label={t("{name} server", { name })}>
      {(control) => (
        <Input
          {...control}
          mono
          autoComplete="off"
          maxLength={253}
          value={server.host}
          onChange={({ target }) => onChange({ ...server, host: target.value })}
        />
      )}
    </Field>
    <Field label={t("{name} port", { name })}>
      {(control) => (
        <Input
          {...control}
          mono
          inputMode="numeric"
          maxLength={5}
          value={server.port}
          onChange={({ target }) => onChange({ ...server, port: target.value })}
        />
      )}
    </Field>
    <Field label={t("{name} security", { name })}>
      {(control) => (
        <Select
          {...control}
          value={server.security}
          onChange={({ target }) => onChange({ ...server, security: target.value as Server["security"] })}
        >
          {SECURITIES.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  </div>
);

/** Of a part of the form that is one field of the API. */
export function Problem({ of, part }: { of: readonly string[] | undefined; part: string }) {
  if (!of?.length) return null;
  return (
    <div className={css.error} role="alert">
      <CircleAlert size={14} aria-hidden />
      <ul>
        {of.map((sentence) => (
          <li key={sentence}>{inWords(sentence, part)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The API names its own fields (`inbound.host is required.`); people see the label. */
const inWords = (sentence: string, part: string): string => {
  const rest = sentence.replace(new RegExp(`^${part}(\\.oauth)?\\.?`), "").trim();
  const words = rest.replace(/^[a-z_]+/, (name) => name.replaceAll("_", " "));
  return words.charAt(0).toUpperCase() + words.slice(1);
};

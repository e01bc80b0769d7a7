import { Choices, Field, Input, Textarea } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import type { FieldsProps } from "./account-fields.tsx";
import type { FormValues } from "./form-values.ts";
import css from "./mailboxes.module.css";
import { Problem } from "./server-fields.tsx";

const AFTER = [
  { value: "nothing", title: t("Stays as it is"), hint: t("Other mail programs notice nothing.") },
  { value: "seen", title: t("Is marked as read") },
  { value: "move", title: t("Is moved to a folder") },
] as const;

/** What most mailboxes do not need. */
export const AdvancedFields = (fields: FieldsProps) => (
  <div className={css.fields}>
    {fields.values.wayIn === "imap" && <ImportFields {...fields} />}
    {fields.values.wayOut === "account" && <OtherAccountFields {...fields} />}
    <TrustFields {...fields} />
    <DkimFields {...fields} />
  </div>
);

interface TextFieldProps {
  label: string;
  hint?: string;
  name: string;
  value: string;
  error?: readonly string[] | undefined;
  type?: "text" | "password";
  onChange: (value: string) => void;
}

const TextField = ({ label, hint, error, onChange, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} optional>
    {(control) => <Input {...control} {...rest} autoComplete="off" onChange={({ target }) => onChange(target.value)} />}
  </Field>
);

const ImportFields = ({ values, onChange }: FieldsProps) => (
  <>
    <TextField
      label={t("Folder")}
      name="folder"
      hint={t("INBOX is where mail arrives.")}
      value={values.folder}
      onChange={(folder) => onChange({ folder })}
    />
    <p className={css.label}>{t("A mail that is stored")}</p>
    <Choices
      label={t("A mail that is stored")}
      name="after"
      value={values.after}
      options={AFTER}
      onChange={(after) => onChange({ after })}
      className={css.choices}
    />
    {values.after === "move" && (
      <TextField
        label={t("Folder for stored mail")}
        name="moveTo"
        value={values.moveTo}
        onChange={(moveTo) => onChange({ moveTo })}
      />
    )}
  </>
);

const OtherAccountFields = ({ values, onChange }: FieldsProps) => (
  <div className={css.pair}>
    <TextField
      label={t("User for sending")}
      name="smtpUser"
      hint={t("Where sending has an account of its own.")}
      value={values.smtpUser}
      onChange={(smtpUser) => onChange({ smtpUser })}
    />
    <TextField
      label={t("Password for sending")}
      name="smtpPassword"
      type="password"
      value={values.smtpPassword}
      onChange={(smtpPassword) => onChange({ smtpPassword })}
    />
  </div>
);

const TrustFields = ({ values, problems, onChange }: FieldsProps) => (
  <>
    <TextField
      label={t("Server that verifies senders")}
      name="authserv_id"
      hint={t(
        "The name that your mail server writes first into Authentication-Results, such as mx.google.com. Only its verdicts are believed.",
      )}
      value={values.authserv_id}
      error={problems.authserv_id}
      onChange={(authserv_id) => onChange({ authserv_id })}
    />
    <Field
      label={t("Own lists")}
      optional
      hint={t(
        "List-Ids of groups through which this address gets its mail, one per line. Their mail does not count as automatic.",
      )}
      error={problems.own_lists}
    >
      {(control) => (
        <Textarea
          {...control}
          name="own_lists"
          mono
          rows={2}
          value={values.own_lists}
          onChange={({ target }) => onChange({ own_lists: target.value })}
        />
      )}
    </Field>
  </>
);

function DkimFields({ values, problems, isNew, onChange }: FieldsProps) {
  const { dkim } = values;
  const change = (part: Partial<FormValues["dkim"]>) => onChange({ dkim: { ...dkim, ...part } });
  return (
    <div className={css.fields} data-field>
      <div className={css.pair}>
        <TextField
          label={t("DKIM domain")}
          name="dkimDomain"
          hint={t("Only where Parley has to sign: most mail servers sign by themselves.")}
          value={dkim.domain}
          onChange={(domain) => change({ domain })}
        />
        <TextField
          label={t("DKIM selector")}
          name="dkimSelector"
          value={dkim.selector}
          onChange={(selector) => change({ selector })}
        />
      </div>
      <Field
        label={t("DKIM private key")}
        optional
        hint={isNew ? t("In PEM form.") : t("Empty: the stored one stays.")}
      >
        {(control) => (
          <Textarea
            {...control}
            name="dkimKey"
            mono
            rows={3}
            spellCheck={false}
            value={dkim.private_key}
            onChange={({ target }) => change({ private_key: target.value })}
          />
        )}
      </Field>
      <Problem of={problems.dkim} part="dkim" />
    </div>
  );
}

import { Field, Input, Textarea } from "../../components/field.tsx";
import { Section } from "../../components/page.tsx";
import { t } from "../../lib/texts.ts";
import { AccountFields, type FieldsProps } from "./account-fields.tsx";
import { AdvancedFields } from "./advanced-fields.tsx";
import css from "./mailboxes.module.css";
import { InboundFields, OutboundFields } from "./server-fields.tsx";

/** Every setting of a mailbox, those that a person has to know first. */
export const MailboxFields = (fields: FieldsProps) => {
  const { problems, values } = fields;
  const isWrong = ["authserv_id", "own_lists", "dkim"].some((name) => problems[name]);
  return (
    <>
      <Section title={t("Account")}>
        <AccountFields {...fields} />
        <NameFields {...fields} />
      </Section>
      <Section title={t("Mail that comes in")}>
        <InboundFields {...fields} />
      </Section>
      <Section title={t("Mail that goes out")}>
        <OutboundFields {...fields} />
        <SignatureField {...fields} />
      </Section>
      <details className={css.advanced} open={isWrong || values.dkim.domain !== "" || undefined}>
        <summary className={css.advancedTitle}>{t("Advanced")}</summary>
        <AdvancedFields {...fields} />
      </details>
    </>
  );
};

const NameFields = ({ values, problems, onChange }: FieldsProps) => (
  <div className={css.pair}>
    <Field label={t("Name of the mailbox")} optional hint={t("For your team.")} error={problems.name}>
      {(control) => (
        <Input
          {...control}
          name="name"
          autoComplete="off"
          maxLength={255}
          placeholder={t("Support")}
          value={values.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </Field>
    <Field
      label={t("Sender name")}
      optional
      hint={t("Customers see it in front of the address.")}
      error={problems.from_name}
    >
      {(control) => (
        <Input
          {...control}
          name="from_name"
          autoComplete="off"
          maxLength={255}
          placeholder={t("The shop")}
          value={values.from_name}
          onChange={({ target }) => onChange({ from_name: target.value })}
        />
      )}
    </Field>
  </div>
);

const SignatureField = ({ values, problems, onChange }: FieldsProps) => (
  <Field label={t("Signature")} optional hint={t("Below every mail that people send.")} error={problems.signature}>
    {(control) => (
      <Textarea
        {...control}
        name="signature"
        rows={3}
        maxLength={4096}
        value={values.signature}
        onChange={({ target }) => onChange({ signature: target.value })}
      />
    )}
  </Field>
);

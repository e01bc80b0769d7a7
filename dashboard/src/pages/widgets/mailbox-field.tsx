import { useMailboxes } from "../../api/mailboxes.ts";
import { Field, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import type { FieldsProps } from "./look-fields.tsx";

/** Through which mailbox visitors get replies that they have not seen. */
export function MailboxField({ values: { mailbox_id }, problems, onChange }: FieldsProps) {
  const { data: mailboxes = [] } = useMailboxes();
  return (
    <Field
      label={t("Replies by e-mail")}
      hint={t("What a visitor with an e-mail address has not seen after some minutes is sent there from this mailbox.")}
      error={problems.mailbox_id}
    >
      {(control) => (
        <Select
          {...control}
          name="mailbox_id"
          value={mailbox_id ?? ""}
          onChange={({ target: { value } }) => onChange({ mailbox_id: value === "" ? null : Number(value) })}
        >
          <option value="">{t("Not sent")}</option>
          {mailboxes.map(({ id, address }) => (
            <option key={id} value={id}>
              {address}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

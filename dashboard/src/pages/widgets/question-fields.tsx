import { Check, Field, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import type { FormValues } from "./form-values.ts";
import type { FieldsProps } from "./look-fields.tsx";

const ASKED = [
  { value: "no", title: t("Not asked") },
  { value: "optional", title: t("Optional, after the first message") },
  { value: "required", title: t("Required, before the first message is sent") },
] as const;

export const QuestionFields = ({ values, problems, onChange }: FieldsProps) => (
  <>
    {(["ask_name", "ask_email"] as const).map((field) => (
      <Field key={field} label={field === "ask_name" ? t("Name") : t("E-mail address")} error={problems[field]}>
        {(control) => (
          <Select
            {...control}
            name={field}
            value={values[field]}
            onChange={(event) => onChange({ [field]: event.target.value as FormValues["ask_name"] })}
          >
            {ASKED.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
    ))}
    <Check
      title={t("Only signed-in visitors may write")}
      hint={t("A message needs an identity token of your server.")}
      checked={values.require_identity}
      onChange={(event) => onChange({ require_identity: event.target.checked })}
    />
    <Check
      title={t("Show the page of the first message")}
      hint={t("Its address without query and fragment, and the browser.")}
      checked={values.collect_page}
      onChange={(event) => onChange({ collect_page: event.target.checked })}
    />
    <Check
      title={t("Active")}
      hint={t("Otherwise pages show nothing, and messages are refused.")}
      checked={values.is_active}
      onChange={(event) => onChange({ is_active: event.target.checked })}
    />
  </>
);

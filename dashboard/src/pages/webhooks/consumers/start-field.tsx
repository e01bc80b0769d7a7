import { Choices, Field, Input } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";

export interface StartValue {
  where: "now" | "beginning" | "cursor";
  cursor: string;
}

export const startOf = ({ where, cursor }: StartValue): string => (where === "cursor" ? cursor.trim() : where);

interface StartFieldProps {
  value: StartValue;
  error: readonly string[] | string | undefined;
  onChange: (value: StartValue) => void;
}

/** Which event is the first one. */
export const StartField = ({ value, error, onChange }: StartFieldProps) => (
  <>
    <Choices
      label={t("Where it starts")}
      showsLabel
      name="start"
      value={value.where}
      onChange={(where) => onChange({ ...value, where })}
      options={[
        { value: "now", title: t("Now"), hint: t("Only events that happen from now on.") },
        { value: "beginning", title: t("The beginning"), hint: t("All events that are stored.") },
        { value: "cursor", title: t("A cursor"), hint: t("After an event of GET /events or of a consumer.") },
      ]}
    />
    {(value.where === "cursor" || error) && (
      <Field label={t("Cursor")} error={error}>
        {(control) => (
          <Input
            {...control}
            mono
            name="cursor"
            autoComplete="off"
            spellCheck={false}
            maxLength={128}
            value={value.cursor}
            onChange={(event) => onChange({ where: "cursor", cursor: event.target.value })}
          />
        )}
      </Field>
    )}
  </>
);

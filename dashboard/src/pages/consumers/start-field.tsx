import { Choices, Field, Input } from "../../components/field.tsx";

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
      label="Where it starts"
      name="start"
      value={value.where}
      onChange={(where) => onChange({ ...value, where })}
      options={[
        { value: "now", title: "Now", hint: "Only events that happen from now on." },
        { value: "beginning", title: "The beginning", hint: "All events that are stored." },
        { value: "cursor", title: "A cursor", hint: "After an event of GET /events or of a consumer." },
      ]}
    />
    {(value.where === "cursor" || error) && (
      <Field label="Cursor" error={error}>
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

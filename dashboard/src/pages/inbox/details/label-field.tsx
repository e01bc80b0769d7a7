import { useId } from "react";
import { useLabels } from "../../../api/conversations.ts";
import { Field, Input } from "../../../components/field.tsx";

interface LabelFieldProps {
  label: string;
  hint: string;
  value: string;
  /** Labels that are not suggested, because they are already chosen. */
  chosen: readonly string[];
  onChange: (text: string) => void;
}

/** The name of a label, with suggestions from the labels in use. */
export function LabelField({ label, hint, value, chosen, onChange }: LabelFieldProps) {
  const known = useLabels().data?.map(({ name }) => name) ?? [];
  const options = useId();
  return (
    <>
      <Field label={label} hint={hint}>
        {(control) => (
          <Input
            {...control}
            list={options}
            value={value}
            maxLength={64}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <datalist id={options}>
        {known
          .filter((name) => !chosen.includes(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </>
  );
}

import { Field, Textarea } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import { originsOf } from "./form-values.ts";

interface OriginsFieldProps {
  value: string;
  error: readonly string[] | undefined;
  onChange: (value: string) => void;
}

export const OriginsField = ({ value, error, onChange }: OriginsFieldProps) => (
  <Field
    label={t("Pages")}
    hint={t(
      "The origins of the pages that may show the chat, one per line, exactly as in the address bar: https://shop.example. For a page on your own computer: http://localhost:3000.",
    )}
    error={error?.map((message) => message.replace(/^allowed_origins\[(\d+)\]/, (_, n) => originsOf(value)[n] ?? ""))}
  >
    {(control) => (
      <Textarea
        {...control}
        name="allowed_origins"
        mono
        rows={3}
        spellCheck={false}
        placeholder="https://shop.example"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

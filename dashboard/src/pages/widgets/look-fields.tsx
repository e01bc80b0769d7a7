import { Choices, Field, Input, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import { type FormValues, withText } from "./form-values.ts";
import { LANGUAGES, languageName } from "./languages.ts";
import css from "./widgets.module.css";

export interface FieldsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  onChange: (change: Partial<FormValues>) => void;
}

export const LookFields = ({ values, problems, onChange }: FieldsProps) => (
  <>
    <Field
      label={t("Color")}
      hint={t("Text on it is black or white, whichever is easier to read.")}
      error={problems.color}
    >
      {(control) => (
        <div className={css.row}>
          <input
            type="color"
            aria-label={t("Pick a color")}
            className={css.color}
            value={/^#[0-9a-f]{6}$/i.test(values.color) ? values.color : "#000000"}
            onChange={(event) => onChange({ color: event.target.value })}
          />
          <Input
            {...control}
            name="color"
            mono
            maxLength={7}
            className={css.short}
            value={values.color}
            onChange={(event) => onChange({ color: event.target.value })}
          />
        </div>
      )}
    </Field>
    <Choices
      label={t("Position")}
      name="position"
      value={values.position}
      options={[
        { value: "right", title: t("Bottom right") },
        { value: "left", title: t("Bottom left") },
      ]}
      onChange={(position) => onChange({ position })}
      className={css.choices}
    />
  </>
);

const TEXTS = [
  { name: "title", label: t("Title") },
  { name: "greeting", label: t("Greeting") },
  { name: "launcher", label: t("Name of the button") },
  { name: "placeholder", label: t("Hint in the text box") },
] as const;

interface TextFieldsProps extends FieldsProps {
  language: string;
  onLanguage: (language: string) => void;
}

/** Own texts, one language at a time. */
export function TextFields({ values, problems, language, onLanguage, onChange }: TextFieldsProps) {
  const tags = [...new Set([...LANGUAGES, ...Object.keys(values.texts)])];
  return (
    <>
      <Field
        label={t("Language")}
        hint={t("Visitors see the language of the snippet, of the page or of their browser.")}
      >
        {(control) => (
          <Select {...control} value={language} onChange={(event) => onLanguage(event.target.value)}>
            {tags.map((tag) => (
              <option key={tag} value={tag}>
                {languageName(tag)}
                {values.texts[tag] ? t(" (own texts)") : ""}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {TEXTS.map(({ name, label }) => (
        <Field key={name} label={label} optional error={problems[`texts.${language}.${name}`]}>
          {(control) => (
            <Input
              {...control}
              maxLength={500}
              lang={language}
              dir="auto"
              placeholder={t("Built-in text")}
              value={values.texts[language]?.[name] ?? ""}
              onChange={(event) =>
                onChange({ texts: withText(values.texts, language, { [name]: event.target.value }) })
              }
            />
          )}
        </Field>
      ))}
    </>
  );
}

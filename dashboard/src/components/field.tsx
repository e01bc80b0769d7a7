import { ChevronDown, CircleAlert, Search } from "lucide-react";
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  useId,
} from "react";
import { cx } from "../lib/cx.ts";
import { t } from "../lib/texts.ts";
import css from "./field.module.css";

interface FieldProps {
  label: ReactNode;
  /** Stays below the control. */
  hint?: ReactNode;
  /** The first one is shown; the control is marked as invalid. */
  error?: readonly string[] | string | null | undefined;
  optional?: boolean;
  children: (control: {
    id: string;
    "aria-invalid": boolean | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A label, a control, its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, optional, children }: FieldProps) {
  const id = useId();
  const message = withLabel(typeof error === "string" ? error : error?.[0], label);
  const describedBy = [message && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
        {optional && <span className={css.optional}>{t("optional")}</span>}
      </label>
      {children({ id, "aria-invalid": message ? true : undefined, "aria-describedby": describedBy })}
      {message && (
        <p className={css.error} id={`${id}-error`} role="alert">
          <CircleAlert size={14} aria-hidden />
          {message}
        </p>
      )}
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The API names its own field first (`name must not be empty.`), in every language; people see the label. */
function withLabel(message: string | undefined, label: ReactNode): string | undefined {
  if (typeof label !== "string") return message;
  return message?.replace(/^[a-z][a-z0-9_]*(?=(?: ?:)?\s)/, label).replace(/^The url\b/, "The URL");
}

export const Input = ({ mono, className, ...rest }: ComponentProps<"input"> & { mono?: boolean }) => (
  <input {...rest} className={cx(css.control, mono && css.mono, className)} />
);

export const Textarea = ({ mono, ...rest }: ComponentProps<"textarea"> & { mono?: boolean }) => (
  <textarea {...rest} className={cx(css.control, mono && css.mono)} />
);

export const Select = (props: SelectHTMLAttributes<HTMLSelectElement>) => (
  <span className={css.selectBox}>
    <select {...props} className={css.control} />
    <ChevronDown size={14} aria-hidden />
  </span>
);

interface SearchInputProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  ref?: Ref<HTMLInputElement>;
}

export const SearchInput = ({ label, ...rest }: SearchInputProps) => (
  <span className={css.withIcon}>
    <Search size={14} aria-hidden />
    <input type="search" aria-label={label} placeholder={label} {...rest} className={css.control} />
  </span>
);

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "title"> {
  title: ReactNode;
  hint?: ReactNode;
}

export const Check = ({ title, hint, ...rest }: CheckProps) => (
  <label className={css.check}>
    <input type="checkbox" {...rest} />
    <span className={css.checkTitle}>{title}</span>
    {hint && <span className={css.checkHint}>{hint}</span>}
  </label>
);

interface ChoicesProps<Value extends string> {
  label: string;
  /** Where nothing else above it says what is chosen. */
  showsLabel?: boolean;
  name: string;
  value: Value;
  options: readonly { value: Value; title: ReactNode; hint?: ReactNode }[];
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** Radio buttons as cards, each with a sentence. */
export function Choices<Value extends string>({
  label,
  showsLabel,
  name,
  value,
  options,
  onChange,
  className,
}: ChoicesProps<Value>) {
  return (
    <fieldset>
      <legend className={showsLabel ? cx(css.label, css.legend) : "visually-hidden"}>{label}</legend>
      <div className={cx(css.choices, className)}>
        {options.map((option) => (
          <label key={option.value} className={css.choice}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span className={css.checkTitle}>{option.title}</span>
            {option.hint && <span className={css.checkHint}>{option.hint}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

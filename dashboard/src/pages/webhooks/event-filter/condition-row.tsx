import { Trash2 } from "lucide-react";
import { IconButton } from "../../../components/button.tsx";
import { Input, Select } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import { type Condition, OPERATORS, type Operator } from "./conditions.ts";
import type { EventField } from "./event-fields.ts";
import css from "./event-filter.module.css";

const TITLES: Record<Operator, string> = {
  is: t("is"),
  isNot: t("is not"),
  in: t("is one of"),
  notIn: t("is none of"),
  startsWith: t("starts with"),
  above: t("is greater than"),
  atLeast: t("is at least"),
  below: t("is less than"),
  atMost: t("is at most"),
  empty: t("is null"),
  notEmpty: t("is not null"),
  present: t("is present"),
  missing: t("is missing"),
};

interface ConditionRowProps {
  condition: Condition;
  /** Counted from 1, for screen readers. */
  number: number;
  fields: readonly EventField[];
  /** The id of the list that the field is chosen from. */
  fieldList: string;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

export function ConditionRow({ condition, number, fields, fieldList, onChange, onRemove }: ConditionRowProps) {
  const { path, operator } = condition;
  const field = fields.find((one) => one.path === path.trim());
  const change = (part: Partial<Condition>) => onChange({ ...condition, ...part });
  return (
    <div className={css.row}>
      <Input
        mono
        data-path
        aria-label={t("Field of condition {number}", { number })}
        list={fieldList}
        placeholder={t("data.direction")}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={path}
        onChange={({ target }) => change({ path: target.value })}
      />
      <Select
        aria-label={t("Operator of condition {number}", { number })}
        value={operator}
        onChange={({ target }) => change({ operator: target.value as Operator })}
      >
        {Object.entries(TITLES).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <ValueControl
        condition={condition}
        field={field}
        label={t("Value of condition {number}", { number })}
        onChange={(value) => change({ value })}
      />
      <IconButton
        label={t("Remove condition {number}", { number })}
        icon={<Trash2 size={16} aria-hidden />}
        onClick={onRemove}
      />
    </div>
  );
}

interface ValueControlProps {
  condition: Condition;
  field: EventField | undefined;
  label: string;
  onChange: (value: string) => void;
}

/** A choice where the schema names the values; otherwise a text. Operators without a value keep their column empty. */
function ValueControl({ condition: { operator, value }, field, label, onChange }: ValueControlProps) {
  const values = OPERATORS[operator];
  if (values === "none") return <span className={css.noValue} />;
  const options = field?.kind === "truth" ? ["true", "false"] : (field?.options ?? []);
  if (values === "one" && options.length > 0 && operator !== "startsWith")
    return (
      <Select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {!options.includes(value) && <option value={value}>{value || t("Choose…")}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </Select>
    );
  return (
    <Input
      aria-label={label}
      autoComplete="off"
      type={field?.kind === "number" && values === "one" ? "number" : "text"}
      placeholder={values === "many" ? placeholderOf(options) : undefined}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const placeholderOf = (options: readonly string[]): string =>
  options.length > 1 ? options.slice(0, 2).join(", ") : t("one, two");

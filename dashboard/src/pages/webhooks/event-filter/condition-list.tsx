import { CircleAlert, Plus } from "lucide-react";
import { useId, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { Select } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import { ConditionRow } from "./condition-row.tsx";
import type { Condition, Conditions } from "./conditions.ts";
import type { EventField } from "./event-fields.ts";
import css from "./event-filter.module.css";

interface ConditionListProps {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
  fields: readonly EventField[];
  error: readonly string[] | undefined;
}

/** One row per condition: field, operator, value. */
export function ConditionList({ conditions, onChange, fields, error }: ConditionListProps) {
  const { match, rows } = conditions;
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const set = (changed: Condition[]) => onChange({ match, rows: changed });
  const add = () => {
    const row = Math.max(0, ...rows.map((one) => one.row)) + 1;
    set([...rows, { row, path: "", operator: "is", value: "" }]);
    requestAnimationFrame(() =>
      [...(list.current?.querySelectorAll<HTMLElement>("[data-path]") ?? [])].at(-1)?.focus(),
    );
  };
  return (
    <div className={css.list} ref={list}>
      <datalist id={id}>
        {fields.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {rows.length > 1 && <Match match={match} onChange={(next) => onChange({ match: next, rows })} />}
      {rows.map((condition, index) => (
        <ConditionRow
          key={condition.row}
          condition={condition}
          number={index + 1}
          fields={fields}
          fieldList={id}
          onChange={(changed) => set(rows.map((one) => (one.row === changed.row ? changed : one)))}
          onRemove={() => set(rows.filter(({ row }) => row !== condition.row))}
        />
      ))}
      {error?.map((sentence) => (
        <p key={sentence} className={css.error} role="alert">
          <CircleAlert size={14} aria-hidden />
          {sentence}
        </p>
      ))}
      <div>
        <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={add}>
          {t("Add condition")}
        </Button>
      </div>
    </div>
  );
}

const Match = ({ match, onChange }: { match: Conditions["match"]; onChange: (match: Conditions["match"]) => void }) => (
  <span className={css.match}>
    <Select
      aria-label={t("How conditions combine")}
      value={match}
      onChange={({ target }) => onChange(target.value as "all")}
    >
      <option value="all">{t("All of these match")}</option>
      <option value="any">{t("Any of these matches")}</option>
    </Select>
  </span>
);

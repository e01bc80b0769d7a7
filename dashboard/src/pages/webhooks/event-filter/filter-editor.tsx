import { useState } from "react";
import { Field, Textarea } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { t } from "../../../lib/texts.ts";
import { ConditionList } from "./condition-list.tsx";
import { type Conditions, conditionsOf, type EventFilter, filterOf } from "./conditions.ts";
import { type EventField, kindIn } from "./event-fields.ts";
import { EXAMPLE, filterTextProblem, jsonText, parseJsonText } from "./json-text.ts";

interface FilterEditorProps {
  /** The filter as JSON; empty: every event. */
  value: string;
  onChange: (text: string) => void;
  fields: readonly EventField[];
  error: readonly string[] | undefined;
}

/** Conditions, one per row, for most filters; the JSON they write, for all of them. */
export function FilterEditor({ value, onChange, fields, error }: FilterEditorProps) {
  const [shown, setShown] = useState(() => (rowsOf(value, fields) === null ? "json" : "conditions"));
  const problem = error ?? filterTextProblem(value);
  return (
    <div data-field="filter" tabIndex={-1}>
      <Tabs
        label={t("Filter")}
        value={shown}
        onChange={setShown}
        tabs={[
          {
            value: "conditions",
            title: t("Conditions"),
            content: <Builder value={value} onChange={onChange} fields={fields} error={error} />,
          },
          {
            value: "json",
            title: "JSON",
            content: (
              <Field
                label={t("Filter as JSON")}
                error={problem}
                hint={t("An object that mirrors the event. Every member must match; empty: every event.")}
              >
                {(control) => (
                  <Textarea
                    {...control}
                    name="filter"
                    mono
                    rows={8}
                    spellCheck={false}
                    placeholder={EXAMPLE}
                    value={value}
                    onChange={(event) => onChange(event.target.value)}
                  />
                )}
              </Field>
            ),
          },
        ]}
      />
    </div>
  );
}

/** Null: the filter says more than rows can, or is not JSON. */
function rowsOf(text: string, fields: readonly EventField[]): Conditions | null {
  const parsed = parseJsonText(text);
  if (!parsed.ok || filterTextProblem(text) !== null) return null;
  return conditionsOf(parsed.value as EventFilter | null, kindIn(fields));
}

/** The rows are its own while they are edited: one that is not complete yet is not in the JSON. */
function Builder({ value, onChange, fields, error }: FilterEditorProps) {
  const [initial] = useState(() => rowsOf(value, fields));
  const [conditions, setConditions] = useState(initial);
  if (conditions === null)
    return <Notice title={t("This filter says more than rows can")}>{t("It works as it is. Edit it as JSON.")}</Notice>;
  const change = (next: Conditions) => {
    setConditions(next);
    onChange(jsonText(filterOf(next, kindIn(fields))));
  };
  return <ConditionList conditions={conditions} onChange={change} fields={fields} error={error} />;
}

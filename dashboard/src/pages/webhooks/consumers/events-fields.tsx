import { useMemo } from "react";
import { useEventTypes } from "../../../api/catalogue.ts";
import type { Consumer, PutConsumerBody } from "../../../api/consumers.ts";
import { Section } from "../../../components/page.tsx";
import { SkeletonRows } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { coveredTypes, fieldsOf } from "../event-filter/event-fields.ts";
import { FilterEditor } from "../event-filter/filter-editor.tsx";
import { filterTextProblem, jsonText, parseJsonText } from "../event-filter/json-text.ts";
import { MatchCount } from "../event-filter/match-count.tsx";
import { useMatches } from "../event-filter/use-matches.ts";
import { EventPicker } from "../form/event-picker.tsx";

interface EventsValues {
  types: string[];
  /** As JSON; empty: every event of these types. */
  filter: string;
}

export const ALL_EVENTS: EventsValues = { types: ["*"], filter: "" };

export const eventsOf = ({ types, filter }: Consumer): EventsValues => ({
  types: types ?? ["*"],
  filter: jsonText(filter),
});

export function bodyOf({ types, filter }: EventsValues): PutConsumerBody {
  const parsed = parseJsonText(filter);
  return {
    types: types.includes("*") ? null : (types as Consumer["types"]),
    filter: (parsed.ok ? parsed.value : null) as Consumer["filter"],
  };
}

/** What can be said before the server is asked, by the API's field names. */
export function problemsOf({ types, filter }: EventsValues): Record<string, string[]> {
  const filterProblem = filterTextProblem(filter);
  return {
    ...(types.length === 0 ? { types: [t("Choose at least one event.")] } : {}),
    ...(filterProblem ? { filter: [filterProblem] } : {}),
  };
}

interface EventsFieldsProps {
  values: EventsValues;
  problems: Record<string, string[]>;
  onChange: (values: EventsValues) => void;
}

/** Which events a consumer shows. */
export function EventsFields({ values, problems, onChange }: EventsFieldsProps) {
  const catalogue = useEventTypes().data;
  const fields = useMemo(() => fieldsOf(coveredTypes(catalogue ?? [], values.types)), [catalogue, values.types]);
  const { counted, error } = useMatches({ events: values.types, filter: values.filter, template: "" });
  return (
    <>
      <Section title={t("Events")} description={t("Which events it shows.")}>
        <EventPicker value={values.types} error={problems.types} onChange={(types) => onChange({ ...values, types })} />
      </Section>
      <Section
        title={t("Filter")}
        description={t("Which of the chosen events it shows. Without a condition, all of them.")}
      >
        {catalogue ? (
          <FilterEditor
            value={values.filter}
            fields={fields}
            error={problems.filter ?? error?.details.filter}
            onChange={(filter) => onChange({ ...values, filter })}
          />
        ) : (
          <SkeletonRows rows={2} />
        )}
        <MatchCount counted={counted} hasEvents={values.types.length > 0} verb="shown" />
      </Section>
    </>
  );
}

import { useMemo } from "react";
import { useEventTypes } from "../../../api/catalogue.ts";
import { Section } from "../../../components/page.tsx";
import { SkeletonRows } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { coveredTypes, fieldsOf } from "../event-filter/event-fields.ts";
import { FilterEditor } from "../event-filter/filter-editor.tsx";
import { MatchCount } from "../event-filter/match-count.tsx";
import { useMatches } from "../event-filter/use-matches.ts";
import type { FormValues } from "./form-values.ts";
import { TemplateEditor } from "./template-editor.tsx";

interface ControlSectionsProps {
  values: FormValues;
  problems: Record<string, string[]>;
  onChange: (part: Partial<FormValues>, field: string) => void;
}

/** Which of the chosen events are sent, and as what, with what that would have meant for the events that are stored. */
export function ControlSections({ values, problems, onChange }: ControlSectionsProps) {
  const catalogue = useEventTypes().data;
  const fields = useMemo(() => fieldsOf(coveredTypes(catalogue ?? [], values.events)), [catalogue, values.events]);
  const { counted, examples, error } = useMatches(values);
  const problemOf = (field: "filter" | "template") => problems[field] ?? error?.details[field];
  return (
    <>
      <Section
        title={t("Filter")}
        description={t("Which of the chosen events are sent. Without a condition, all of them.")}
      >
        {catalogue ? (
          <FilterEditor
            value={values.filter}
            fields={fields}
            error={problemOf("filter")}
            onChange={(filter) => onChange({ filter }, "filter")}
          />
        ) : (
          <SkeletonRows rows={2} />
        )}
        <MatchCount counted={counted} hasEvents={values.events.length > 0} verb="sent" />
      </Section>
      <Section
        title={t("Template")}
        description={t("What is sent instead of the event: JSON in which {example} stands for a value of it.", {
          example: "{{ data.body }}",
        })}
      >
        <TemplateEditor
          value={values.template}
          events={values.events}
          examples={examples}
          error={problemOf("template")}
          onChange={(template) => onChange({ template }, "template")}
        />
      </Section>
    </>
  );
}

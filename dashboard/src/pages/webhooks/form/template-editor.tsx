import type { WebhookPreview } from "@parley/client";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code.tsx";
import { Field, Select, Textarea } from "../../../components/field.tsx";
import { formatLogTime } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import { jsonText, parseJsonText } from "../event-filter/json-text.ts";
import css from "./form.module.css";
import { PRESETS, textFor } from "./template-presets.ts";

type Example = WebhookPreview["examples"][number];

interface TemplateEditorProps {
  /** As JSON; empty: the event itself is sent. */
  value: string;
  events: readonly string[];
  /** Real events with what would be sent for each. */
  examples: readonly Example[];
  error: readonly string[] | undefined;
  onChange: (text: string) => void;
}

export function TemplateEditor({ value, events, examples, error, onChange }: TemplateEditorProps) {
  const parsed = parseJsonText(value);
  return (
    <>
      <fieldset className={css.presets}>
        <legend className="visually-hidden">{t("Presets")}</legend>
        {PRESETS.map(({ title, escaping, templateFor }) => (
          <Button key={title} size="small" onClick={() => onChange(jsonText(templateFor(textFor(events, escaping))))}>
            {title}
          </Button>
        ))}
        {value !== "" && (
          <Button size="small" variant="ghost" onClick={() => onChange("")}>
            {t("Send the event itself")}
          </Button>
        )}
      </fieldset>
      <Field label={t("Template as JSON")} optional error={error ?? (parsed.ok ? null : parsed.problem)}>
        {(control) => (
          <Textarea
            {...control}
            name="template"
            mono
            rows={6}
            spellCheck={false}
            placeholder={`{ "text": "{{ data.body }}" }`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <Result examples={examples} />
    </>
  );
}

/** What would be sent for one of the newest events that match. */
function Result({ examples }: { examples: readonly Example[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const example = examples.find(({ event }) => event.id === chosen) ?? examples[0];
  if (!example) return <p className={css.note}>{t("The result is shown here once an event has matched.")}</p>;
  return (
    <>
      <Field label={t("Try it on")}>
        {(control) => (
          <Select {...control} value={example.event.id} onChange={(event) => setChosen(event.target.value)}>
            {examples.map(({ event }) => (
              <option key={event.id} value={event.id}>
                {titleOf(event)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {example.error ? (
        <p className={css.note}>{t("Nothing can be sent for this event: the body would be larger than 256 KiB.")}</p>
      ) : (
        <CodeBlock code={jsonText(example.body) || "null"} what={t("body that would be sent")} wrap />
      )}
    </>
  );
}

function titleOf({ type, timestamp, data }: Example["event"]): string {
  const { day, clock } = formatLogTime(new Date(timestamp));
  const { id } = data as { id?: number };
  return [type, id, `${day} ${clock}`.trim()].filter(Boolean).join(" · ");
}

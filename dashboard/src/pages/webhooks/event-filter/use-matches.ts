import { useState } from "react";
import { usePreview } from "../../../api/webhooks.ts";
import { useDelayedValue } from "../../../lib/use-delayed-value.ts";
import { filterTextProblem, parseJsonText } from "./json-text.ts";

const PAUSE_MS = 400;
const EXAMPLES = 20;
const DAY_MS = 86_400_000;

interface Settings {
  events: readonly string[];
  /** As JSON; empty: every event. */
  filter: string;
  /** As JSON; empty: the event itself. */
  template: string;
}

/** What these settings would have done in the last 7 days; the examples are older where those days have none. */
export function useMatches({ events, filter, template }: Settings) {
  const [since] = useState(() => new Date(Date.now() - 7 * DAY_MS).toISOString());
  const asked = useDelayedValue(bodyText({ events, filter, template }), PAUSE_MS);
  const body = asked === null ? null : JSON.parse(asked);
  const week = usePreview(body && { ...body, since });
  const isQuiet = body !== null && week.data?.matched === 0 && !week.isPlaceholderData;
  const ever = usePreview(isQuiet ? body : null);
  return {
    error: body === null ? null : week.error,
    counted: body === null || week.error ? undefined : week.data,
    examples: (isQuiet ? ever.data : week.data)?.examples ?? [],
  };
}

/** As text, so that equal settings are equal values; null: there is nothing to ask about yet. */
function bodyText({ events, filter, template }: Settings): string | null {
  const [parsedFilter, parsedTemplate] = [parseJsonText(filter), parseJsonText(template)];
  if (events.length === 0 || filterTextProblem(filter) !== null || !parsedFilter.ok || !parsedTemplate.ok) return null;
  return JSON.stringify({ events, filter: parsedFilter.value, template: parsedTemplate.value, limit: EXAMPLES });
}

import { Type } from "typebox";
import { type PayloadFilter, parseFilter } from "../../../events/payload-filter.ts";
import { FILTER_FORMS } from "../../../events/payload-filter-schema.ts";
import { templateProblems } from "../../../webhooks/template.ts";
import { orDefault } from "./or-default.ts";

/** Which events a webhook gets and as what. Null is a value here: it restores the default. */
export const Controls = {
  filter: orDefault<PayloadFilter>("object", {
    additionalProperties: true,
    ...FILTER_FORMS,
    description:
      'An object that mirrors the event; every member must match: `{ "data": { "direction": "in" } }`. Null: all events.',
    examples: [{ data: { private: false } }],
  }),
  template: Type.Optional(
    Type.Unsafe<unknown>({
      "x-null": true,
      description:
        'The JSON value to send instead of the event: `{ "content": "{{ data.body }}" }`. Null: the event itself.',
      examples: [{ content: "{{ type }}: {{ data.id }}" }],
    }),
  ),
};

export const RateLimit = orDefault<number>("integer", {
  minimum: 1,
  maximum: 1_000,
  description: "Deliveries per second over all nodes, 1 to 1,000; what is above waits. Null: no limit.",
  examples: [50],
});

/** What is wrong with a filter and a template. */
export function controlProblems({ filter, template }: { filter?: PayloadFilter | null; template?: unknown }) {
  const parsed = filter ? parseFilter(filter) : null;
  return {
    filter: parsed && !parsed.ok ? parsed.problems : [],
    template: template === undefined || template === null ? [] : templateProblems(template),
  };
}

import { Type } from "typebox";
import { type FieldErrors, problems } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import { coveredTypes, EVENT_TYPES, type EventType } from "../../events/catalogue.ts";
import { namesIn } from "./query.ts";

const NAMES = [...EVENT_TYPES, ...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`))];

const description = "Event names, comma separated; `message.*` is a group, `*` is all.";

/** `type` and `event_type` mean the same wherever events are filtered; together they add up. */
export const EventTypeQuery = {
  type: Type.Optional(Type.String({ maxLength: 1_024, description })),
  event_type: Type.Optional(Type.String({ maxLength: 1_024, description: "The same as `type`." })),
};

export interface EventTypeFilter {
  type?: string | undefined;
  event_type?: string | undefined;
}

/** Undefined: all of them. */
export function eventTypesIn(filter: EventTypeFilter): EventType[] | undefined {
  const names = [filter.type, filter.event_type].flatMap((list) => (list === undefined ? [] : namesIn(list)));
  return names.length === 0 ? undefined : coveredTypes(names);
}

export function eventTypeProblems(filter: EventTypeFilter): FieldErrors {
  const unknownIn = (field: "type" | "event_type") =>
    namesIn(filter[field] ?? "")
      .filter((name) => coveredTypes([name]).length === 0)
      .map(
        (name) =>
          `${field} must name events, or groups such as message.*; ${name} is not a known event.${suggestion(name, NAMES)}`,
      );
  return problems({ type: unknownIn("type"), event_type: unknownIn("event_type") });
}

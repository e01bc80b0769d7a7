import { Type } from "typebox";
import type { Principal } from "../../auth/principal.ts";
import { type FieldErrors, problems } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import { coveredTypes, EVENT_TYPES, type EventType, isApiKeyEvent } from "../../events/catalogue.ts";
import { optionalString } from "../../resources/common.ts";
import { namesIn } from "./query.ts";

const NAMES = [...EVENT_TYPES, ...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`))];

const description = "Event names, comma separated; `message.*` is a group, `*` is all.";

/** `type` and `event_type` mean the same wherever events are filtered; together they add up. */
export const EventTypeQuery = {
  type: Type.Optional(Type.String({ maxLength: 1_024, description })),
  event_type: optionalString(1_024, "The same as `type`."),
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

/** What the filter asks for, less what the caller may not see; null: everything. */
export function visibleTypes(principal: Principal, filter: EventTypeFilter): EventType[] | null {
  const named = eventTypesIn(filter);
  const seesKeys = principal.scopes.has("api-keys:manage");
  if (named === undefined && seesKeys) return null;
  const asked = named ?? EVENT_TYPES;
  // A person without settings to manage is an agent.
  if (principal.kind === "user" && !principal.scopes.has("webhooks:manage"))
    return asked.filter((type) => /^(conversation|message|contact|draft)\./.test(type));
  return asked.filter((type) => seesKeys || !isApiKeyEvent(type));
}

import { EVENT_FILTER } from "../resources/common.ts";
import { COMPARISONS } from "./payload-filter.ts";

const LITERALS = ["string", "number", "boolean", "null"].map((type) => ({ type }));
const LITERAL = { anyOf: LITERALS };
const LIST = { type: "array", minItems: 1, items: LITERAL };
const [SELF] = EVENT_FILTER["x-forms"];
const FILTERS = { type: "array", minItems: 1, items: SELF };

const comparisons = Object.entries(COMPARISONS).map(([operator, { takes }]) => [
  operator,
  { anyOf: takes.map((type) => ({ type })) },
]);

/** What `parseFilter` accepts, for the reference and the types of the client; requests are checked by `parseFilter`. */
const EventFilter = {
  title: "EventFilter",
  type: "object",
  description:
    "Mirrors the event; every member must match: a literal (equal), an array of literals (one of them), operators, or an object of further members.",
  properties: {
    $and: FILTERS,
    $or: FILTERS,
    $not: SELF,
    ...Object.fromEntries(comparisons),
    $ne: LITERAL,
    $in: LIST,
    $nin: LIST,
    $exists: { type: "boolean" },
  },
  additionalProperties: { anyOf: [...LITERALS, LIST, SELF] },
};

/** The forms of a field that holds a filter. */
export const FILTER_FORMS = { "x-forms": [EventFilter, { type: "null" }] };
